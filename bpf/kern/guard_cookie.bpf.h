/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Part of guard: SYN cookies (RFC 4987, 3.6). Against a flood from sources without number rates per source are no help,
 * and each of its SYNs costs the stack a packet buffer and the listener a place. Here it costs an answer: the listener
 * is asked for a cookie, which remembers it as flooded, so that the kernel by itself accepts the acknowledgement that
 * brings the cookie back. Nothing is remembered of anybody who does not.
 *
 * What an answer says of the connection has to fit into the cookie: a maximum segment size, and no other option.
 */
#ifndef AETHER_GUARD_COOKIE_BPF_H
#define AETHER_GUARD_COOKIE_BPF_H

#include <linux/if_ether.h>

#include "guard_segment.bpf.h"

#define COOKIE_CREDIT_NS 100000000ULL /* a burst of a tenth of a second is no flood yet */
#define COOKIE_TCP sizeof(struct cookie_tcp)
#define LONGEST_TCP 60
#define HOPS 64
#define WITHOUT_SCALE 0xffff /* the largest window that needs no option */
#define OPTION_MSS 0x02040000U

/* SYNs of all sources in this time are no flood; 0 leaves cookies to the kernel. */
const volatile __u64 cookie_gap_ns = 0;

/* Until when all sources together have paid, as in guard_within_rate(). */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} all_syns SEC(".maps");

struct cookie_tcp {
	struct tcphdr header;
	__u32 mss;
};

/* Where a SYN's headers are, and whose. */
struct cookie_syn {
	struct bpf_sock_tuple *tuple;
	__u32 tuple_size;
	__u32 ip_at, ip_size; /* in the frame; without options or extension headers */
};

static __always_inline bool cookie_flooded(void)
{
	__u64 now = guard_now();
	__u32 zero = 0;
	__u64 *paid = bpf_map_lookup_elem(&all_syns, &zero);

	if (!paid)
		return false;
	if (*paid < now)
		*paid = now;
	if (*paid > now + COOKIE_CREDIT_NS)
		return true;
	__sync_fetch_and_add(paid, cookie_gap_ns);
	return false;
}

/* The cookie and the maximum segment size of whoever listens there, as bpf_tcp_gen_syncookie() has them; negative:
 * nobody. */
static __always_inline __s64 cookie_ask(struct xdp_md *ctx, const struct cookie_syn *syn)
{
	__u8 ip[sizeof(struct ipv6hdr)] = {}, tcp[LONGEST_TCP] = {};
	__u32 size = sizeof(struct tcphdr);
	__s64 cookie = -1;
	struct bpf_sock *sock;

	if (bpf_xdp_load_bytes(ctx, syn->ip_at, ip, syn->ip_size) ||
	    bpf_xdp_load_bytes(ctx, syn->ip_at + syn->ip_size, tcp, size))
		return -1;
	size = ((struct tcphdr *)tcp)->doff * 4;
	if (size < sizeof(struct tcphdr) || size > LONGEST_TCP ||
	    bpf_xdp_load_bytes(ctx, syn->ip_at + syn->ip_size, tcp, size))
		return -1;
	sock = bpf_skc_lookup_tcp(ctx, syn->tuple, syn->tuple_size, BPF_F_CURRENT_NETNS, 0);
	if (!sock)
		return -1;
	if (sock->state == STATE_LISTEN)
		cookie = bpf_tcp_gen_syncookie(sock, ip, syn->ip_size, (struct tcphdr *)tcp, size);
	bpf_sk_release(sock);
	return cookie;
}

static __always_inline __u16 cookie_fold(__s64 sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return ~((sum & 0xffff) + (sum >> 16));
}

/* The segment that answers a SYN, but for its checksum. */
static __always_inline void cookie_answer(struct cookie_tcp *answer, const struct tcphdr *syn, __s64 cookie)
{
	__builtin_memset(answer, 0, sizeof(*answer));
	answer->header.source = syn->dest;
	answer->header.dest = syn->source;
	answer->header.seq = bpf_htonl((__u32)cookie);
	answer->header.ack_seq = bpf_htonl(bpf_ntohl(syn->seq) + 1);
	answer->header.doff = COOKIE_TCP / 4;
	answer->header.syn = 1;
	answer->header.ack = 1;
	answer->header.window = WITHOUT_SCALE;
	answer->mss = bpf_htonl(OPTION_MSS | (__u32)(cookie >> 32 & 0xffff));
}

static __always_inline void cookie_return(struct ethhdr *ethernet)
{
	__u8 to[ETH_ALEN];

	__builtin_memcpy(to, ethernet->h_source, ETH_ALEN);
	__builtin_memcpy(ethernet->h_source, ethernet->h_dest, ETH_ALEN);
	__builtin_memcpy(ethernet->h_dest, to, ETH_ALEN);
}

/* Cuts the frame, or makes it longer, to what an answer needs. */
static __always_inline bool cookie_resize(struct xdp_md *ctx, const struct cookie_syn *syn)
{
	int length = bpf_xdp_get_buff_len(ctx);

	return !bpf_xdp_adjust_tail(ctx, (int)(syn->ip_at + syn->ip_size + COOKIE_TCP) - length);
}

static __always_inline bool cookie_send4(struct xdp_md *ctx, const struct cookie_syn *syn, __s64 cookie)
{
	void *frame = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct iphdr *ip = frame + syn->ip_at;
	struct cookie_tcp *tcp = (void *)(ip + 1), answer;
	struct {
		__u32 source, target;
		__u32 protocol, length; /* each in the lower bytes, as summed */
	} pseudo;
	__u32 source;

	if ((void *)(tcp + 1) > end || frame + sizeof(struct ethhdr) > end)
		return false;
	cookie_return(frame);
	cookie_answer(&answer, &tcp->header, cookie);
	source = ip->saddr;
	*ip = (struct iphdr){
		.version = 4,
		.ihl = 5,
		.tot_len = bpf_htons(sizeof(*ip) + COOKIE_TCP),
		.frag_off = bpf_htons(0x4000), /* never in fragments */
		.ttl = HOPS,
		.protocol = IPPROTO_TCP,
		.saddr = ip->daddr,
		.daddr = source,
	};
	ip->check = cookie_fold(bpf_csum_diff(NULL, 0, (__be32 *)ip, sizeof(*ip), 0));
	pseudo.source = ip->saddr;
	pseudo.target = ip->daddr;
	pseudo.protocol = bpf_htonl(IPPROTO_TCP);
	pseudo.length = bpf_htonl(COOKIE_TCP);
	answer.header.check = cookie_fold(bpf_csum_diff(NULL, 0, (__be32 *)&answer, sizeof(answer),
							bpf_csum_diff(NULL, 0, (__be32 *)&pseudo, sizeof(pseudo), 0)));
	*tcp = answer;
	return true;
}

static __always_inline bool cookie_send6(struct xdp_md *ctx, const struct cookie_syn *syn, __s64 cookie)
{
	void *frame = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct ipv6hdr *ip = frame + syn->ip_at;
	struct cookie_tcp *tcp = (void *)(ip + 1), answer;
	struct {
		struct in6_addr source, target;
		__u32 length, next;
	} pseudo;

	if ((void *)(tcp + 1) > end || frame + sizeof(struct ethhdr) > end)
		return false;
	cookie_return(frame);
	cookie_answer(&answer, &tcp->header, cookie);
	pseudo.source = ip->daddr;
	pseudo.target = ip->saddr;
	pseudo.length = bpf_htonl(COOKIE_TCP);
	pseudo.next = bpf_htonl(IPPROTO_TCP);
	*(__be32 *)ip = bpf_htonl(6U << 28); /* no traffic class, no label */
	ip->payload_len = bpf_htons(COOKIE_TCP);
	ip->hop_limit = HOPS;
	ip->saddr = pseudo.source;
	ip->daddr = pseudo.target;
	answer.header.check = cookie_fold(bpf_csum_diff(NULL, 0, (__be32 *)&answer, sizeof(answer),
							bpf_csum_diff(NULL, 0, (__be32 *)&pseudo, sizeof(pseudo), 0)));
	*tcp = answer;
	return true;
}

/*
 * Whether this SYN, from a source within its rate, is answered here: the frame is the answer then, unless verdicts are
 * only counted. What has options or extension headers before TCP's goes on as ever.
 */
static __always_inline bool cookie_answers4(struct xdp_md *ctx, const struct iphdr *ip, __u32 ip_at,
					    const struct guard_segment *segment)
{
	struct bpf_sock_tuple tuple = {.ipv4 = {ip->saddr, ip->daddr, segment->source_port, segment->target_port}};
	struct cookie_syn syn = {&tuple, sizeof(tuple.ipv4), ip_at, sizeof(*ip)};
	__s64 cookie;

	if (ip->ihl != 5 || ip->frag_off & bpf_htons(0x3fff) || !cookie_flooded())
		return false;
	cookie = cookie_ask(ctx, &syn);
	return cookie >= 0 && (!enforce || (cookie_resize(ctx, &syn) && cookie_send4(ctx, &syn, cookie)));
}

static __always_inline bool cookie_answers6(struct xdp_md *ctx, const struct ipv6hdr *ip, __u32 ip_at,
					    const struct guard_segment *segment)
{
	struct bpf_sock_tuple tuple;
	struct cookie_syn syn = {&tuple, sizeof(tuple.ipv6), ip_at, sizeof(*ip)};
	__s64 cookie;

	if (ip->nexthdr != IPPROTO_TCP || !cookie_flooded())
		return false;
	__builtin_memcpy(tuple.ipv6.saddr, &ip->saddr, sizeof(ip->saddr));
	__builtin_memcpy(tuple.ipv6.daddr, &ip->daddr, sizeof(ip->daddr));
	tuple.ipv6.sport = segment->source_port;
	tuple.ipv6.dport = segment->target_port;
	cookie = cookie_ask(ctx, &syn);
	return cookie >= 0 && (!enforce || (cookie_resize(ctx, &syn) && cookie_send6(ctx, &syn, cookie)));
}

#endif /* AETHER_GUARD_COOKIE_BPF_H */
