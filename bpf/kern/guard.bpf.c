// SPDX-License-Identifier: GPL-2.0-only
/*
 * guard: judges each packet of an interface by its source before the network stack sees it.
 *
 * In this order: connections that a socket of this node has pass; management networks and the allow list pass; the
 * block list drops; what cannot be read drops; a source that asks for connections faster than its rate is held to
 * it; and while all sources together ask faster than theirs, who asks is answered with a cookie. Only TCP and neighbour
 * discovery are looked into.
 */
#include <stddef.h>

#include <linux/if_ether.h>

#include "guard_cookie.bpf.h"
#include "guard_lists.bpf.h"
#include "guard_segment.bpf.h"

#define MAX_TAGS 2
/* A closed connection counts for no longer than this, and a live one is looked up no more often. */
#define CONFIRMED_NS 1000000000ULL
#define STATE_SYN_SENT 2
#define STATE_CLOSE 7
#define STATE_NEW_SYN_RECV 12
#define ROWS_OF_SYNS 0
#define ROWS_OF_STRAYS GUARD_ROWS

struct guard_tag {
	__u16 id, type;
};

/*
 * The generic cell rate algorithm: each packet moves the time until which its source has paid by one gap, and that time
 * may be ahead of the clock by the credit. A source has a bucket in each row and is refused when all are spent: so two
 * sources would have to share all of them to be taken for one. Memory and cost are the same whether one source floods
 * or a million, and nobody's entry is evicted. Two CPUs at once may let through one more than they should.
 */
static __always_inline bool guard_within_rate(__u64 source, __u32 first_row)
{
	__u64 now = guard_now();
	bool within = false;

#pragma unroll
	for (int row = 0; row < GUARD_ROWS; row++) {
		__u32 index = (source * secrets[row]) >> (64 - GUARD_BUCKET_BITS);
		__u64 *paid;

		index += (first_row + row) * GUARD_BUCKETS;
		paid = bpf_map_lookup_elem(&buckets, &index);
		if (!paid)
			continue;
		if (*paid < now)
			*paid = now;
		if (*paid + syn_gap_ns > now + syn_credit_ns)
			continue;
		__sync_fetch_and_add(paid, syn_gap_ns);
		within = true;
	}
	return within;
}

/* In the table, and confirmed not long ago. */
static __always_inline bool guard_known(void *connections, const void *key, bool reset)
{
	const __u64 *confirmed = bpf_map_lookup_elem(connections, key);

	if (!confirmed || guard_now() - *confirmed >= CONFIRMED_NS)
		return false;
	if (reset)
		bpf_map_delete_elem(connections, key);
	return true;
}

/*
 * Asks the node's sockets, because a source that only pretends to have a connection must not pass for one that has;
 * not for every stray of a flood. A connection that is not yet established is judged like any other packet.
 */
static __always_inline enum guard_verdict guard_confirm(struct xdp_md *ctx, void *connections, const void *key,
							struct bpf_sock_tuple *tuple, __u32 size, __u64 source)
{
	__u64 now = guard_now();
	struct bpf_sock *sock;
	__u32 state;

	if (!bpf_map_lookup_elem(connections, key) && !guard_within_rate(source, ROWS_OF_STRAYS))
		return GUARD_STRAY;
	sock = bpf_skc_lookup_tcp(ctx, tuple, size, BPF_F_CURRENT_NETNS, 0);
	if (!sock) {
		bpf_map_delete_elem(connections, key);
		return GUARD_STRAY;
	}
	state = sock->state;
	bpf_sk_release(sock);
	if (state == STATE_LISTEN)
		return GUARD_STRAY;
	if (state == STATE_SYN_SENT || state == STATE_CLOSE || state == STATE_NEW_SYN_RECV)
		return GUARD_OTHER;
	bpf_map_update_elem(connections, key, &now, BPF_ANY);
	return GUARD_ESTABLISHED;
}

/* What is neither trusted nor of a connection. */
static __always_inline enum guard_verdict guard_judge(enum guard_kind kind, bool blocked, __u64 source)
{
	if (kind == KIND_NEIGHBOUR)
		return GUARD_NEIGHBOUR;
	if (blocked)
		return GUARD_BLOCKED;
	switch (kind) {
	case KIND_SYN:
		return guard_within_rate(source, ROWS_OF_SYNS) ? GUARD_SYN : GUARD_SYN_RATE;
	case KIND_LATER:
		return GUARD_FRAGMENT;
	case KIND_TRUNCATED:
		return GUARD_TRUNCATED;
	case KIND_MALFORMED:
		return GUARD_MALFORMED;
	case KIND_EXTENSIONS:
		return GUARD_EXTENSIONS;
	default:
		return GUARD_OTHER;
	}
}

static __always_inline enum guard_verdict guard_ipv4(struct xdp_md *ctx, void *at, void *end, __u32 offset)
{
	struct guard_segment segment = {};
	struct guard_prefix4 prefix = {.bits = 32};
	struct guard_conn4 key = {};
	enum guard_verdict verdict;
	enum guard_word word;
	struct iphdr *ip = at;

	if ((void *)(ip + 1) > end)
		return GUARD_TRUNCATED;
	guard_read4(&segment, ip, end);
	if (segment.kind == KIND_TCP) {
		key = (struct guard_conn4){ip->saddr, ip->daddr, segment.source_port, segment.target_port};
		if (guard_known(&connections4, &key, segment.reset))
			return GUARD_ESTABLISHED;
	}
	prefix.addr = ip->saddr;
	word = guard_listed(&trusted4, &blocked4, &prefix, &prefix.addr, false);
	if (word == WORD_MANAGEMENT || word == WORD_ALLOWED)
		return word == WORD_MANAGEMENT ? GUARD_MANAGEMENT : GUARD_ALLOWED;
	if (segment.kind == KIND_TCP) {
		struct bpf_sock_tuple tuple;

		__builtin_memcpy(&tuple.ipv4, &key, sizeof(key)); /* in the same order */
		verdict = guard_confirm(ctx, &connections4, &key, &tuple, sizeof(tuple.ipv4), prefix.addr);
		if (verdict == GUARD_ESTABLISHED || word != WORD_BLOCKED)
			return verdict;
	}
	verdict = guard_judge(segment.kind, word == WORD_BLOCKED, prefix.addr);
	if (verdict == GUARD_SYN && cookie_gap_ns && cookie_answers4(ctx, ip, offset, &segment))
		return GUARD_COOKIE;
	return verdict;
}

static __always_inline enum guard_verdict guard_ipv6(struct xdp_md *ctx, void *at, void *end, __u32 offset)
{
	struct guard_segment segment = {};
	struct guard_prefix6 prefix = {.bits = 128};
	struct guard_conn6 key = {};
	enum guard_verdict verdict;
	enum guard_word word;
	struct ipv6hdr *ip = at;
	__u64 network; /* a source is its /64: one host has as much */

	if ((void *)(ip + 1) > end)
		return GUARD_TRUNCATED;
	guard_read6(&segment, ip, end);
	__builtin_memcpy(prefix.addr, &ip->saddr, sizeof(prefix.addr));
	__builtin_memcpy(&network, prefix.addr, sizeof(network));
	if (segment.kind == KIND_TCP) {
		__builtin_memcpy(key.source, &ip->saddr, sizeof(key.source));
		__builtin_memcpy(key.target, &ip->daddr, sizeof(key.target));
		key.source_port = segment.source_port;
		key.target_port = segment.target_port;
		if (guard_known(&connections6, &key, segment.reset))
			return GUARD_ESTABLISHED;
	}
	word = guard_listed(&trusted6, &blocked6, &prefix, prefix.addr, true);
	if (word == WORD_MANAGEMENT || word == WORD_ALLOWED)
		return word == WORD_MANAGEMENT ? GUARD_MANAGEMENT : GUARD_ALLOWED;
	if (segment.kind == KIND_TCP) {
		struct bpf_sock_tuple tuple;

		__builtin_memcpy(&tuple.ipv6, &key, sizeof(key));
		verdict = guard_confirm(ctx, &connections6, &key, &tuple, sizeof(tuple.ipv6), network);
		if (verdict == GUARD_ESTABLISHED || word != WORD_BLOCKED)
			return verdict;
	}
	verdict = guard_judge(segment.kind, word == WORD_BLOCKED, network);
	if (verdict == GUARD_SYN && cookie_gap_ns && cookie_answers6(ctx, ip, offset, &segment))
		return GUARD_COOKIE;
	return verdict;
}

static __always_inline enum guard_verdict guard_frame(struct xdp_md *ctx)
{
	void *at = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct ethhdr *ethernet = at;
	__u32 offset = sizeof(*ethernet);
	__u16 type;

	if ((void *)(ethernet + 1) > end)
		return GUARD_TRUNCATED;
	type = ethernet->h_proto;
	at = ethernet + 1;
#pragma unroll
	for (int i = 0; i < MAX_TAGS; i++) {
		struct guard_tag *tag = at;

		if (type != bpf_htons(ETH_P_8021Q) && type != bpf_htons(ETH_P_8021AD))
			break;
		if ((void *)(tag + 1) > end)
			return GUARD_TRUNCATED;
		type = tag->type;
		at = tag + 1;
		offset += sizeof(*tag);
	}
	if (type == bpf_htons(ETH_P_IP))
		return guard_ipv4(ctx, at, end, offset);
	if (type == bpf_htons(ETH_P_IPV6))
		return guard_ipv6(ctx, at, end, offset);
	return GUARD_OTHER;
}

SEC("xdp")
int aether_guard(struct xdp_md *ctx)
{
	__u32 verdict = guard_frame(ctx);
	__u64 *count = bpf_map_lookup_elem(&verdicts, &verdict);

	if (count)
		++*count;
	if (!enforce)
		return XDP_PASS;
	return verdict == GUARD_COOKIE ? XDP_TX : verdict >= GUARD_FIRST_DROP ? XDP_DROP : XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
