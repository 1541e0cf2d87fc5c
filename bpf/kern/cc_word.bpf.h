/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of cc: what clients tell those that answer them. */
#ifndef AETHER_CC_WORD_BPF_H
#define AETHER_CC_WORD_BPF_H

#include "cc_fan.bpf.h"
#include "cc_pace.bpf.h"

/* A share counts for a second after it was heard, so it is told again while it lasts. */
#define REPEAT_NS (NSEC_PER_SEC / 4)

static __always_inline void word_flags(struct bpf_sock_ops *ops, __u32 set)
{
	if ((ops->bpf_sock_ops_cb_flags & set) != set)
		bpf_sock_ops_cb_flags_set(ops, ops->bpf_sock_ops_cb_flags | set);
}

/* Each segment that a client sends says that something came, or that it asks for something. */
static __always_inline void word_look(struct bpf_sock_ops *ops, struct bpf_sock *sk, struct cc_socket *socket,
				      struct aether_fan *fan, __u64 now)
{
	struct tcp_sock *tp = (struct tcp_sock *)bpf_skc_to_tcp_sock(sk);
	__u64 bytes = ops->bytes_received;
	__u32 disordered;

	if (!tp)
		return;
	disordered = tp->rcv_ooopack;
	fan_count(fan, socket, bytes - socket->bytes, disordered - socket->disordered,
		  tp->ecn_flags & TCP_ECN_DEMAND_CWR, now);
	socket->bytes = bytes;
	socket->disordered = disordered;
}

/* By more than a hundredth. */
static __always_inline bool word_differs(__u16 share, __u16 said)
{
	__u16 change = share > said ? share - said : said - share;

	return !share != !said || change > (1 << AETHER_SHARE_BITS) / 100;
}

/* On each request while there is a limit, else on change; never in a segment that it would not fit. */
static __always_inline bool word_wanted(struct bpf_sock_ops *ops, const struct cc_socket *socket, __u64 now)
{
	if (ops->skb_len + AETHER_WORD_SIZE > ops->mss_cache)
		return false;
	if (word_differs(socket->next.share, socket->said))
		return true;
	return socket->said && (ops->skb_len || aether_since(socket->said_ns, now) > REPEAT_NS);
}

static __always_inline void word_reserve(struct bpf_sock_ops *ops, struct bpf_sock *sk, struct cc_socket *socket,
					 __u64 now)
{
	struct aether_fan *fan = socket->server ? NULL : fan_of(ops);

	socket->writes = 0;
	if (!fan)
		return;
	word_look(ops, sk, socket, fan, now);
	socket->next = fan_word(fan);
	socket->writes = word_wanted(ops, socket, now) && !bpf_reserve_hdr_opt(ops, AETHER_WORD_SIZE, 0);
}

static __always_inline void word_write(struct bpf_sock_ops *ops, struct cc_socket *socket, __u64 now)
{
	__u8 option[AETHER_WORD_SIZE] = {AETHER_WORD_KIND, AETHER_WORD_SIZE, AETHER_WORD_EXID_0, AETHER_WORD_EXID_1};
	struct aether_word word;

	if (!socket->writes)
		return;
	word = socket->next;
	word.share = bpf_htons(word.share);
	__builtin_memcpy(option + 4, &word, sizeof(word));
	if (bpf_store_hdr_opt(ops, option, sizeof(option), 0))
		return;
	socket->said = socket->next.share;
	socket->said_ns = now;
}

static __always_inline void word_hear(struct bpf_sock_ops *ops, struct cc_socket *socket, __u64 now)
{
	/* For kinds with an identifier the search takes its length where the option's stands. */
	__u8 option[AETHER_WORD_SIZE] = {AETHER_WORD_KIND, 4, AETHER_WORD_EXID_0, AETHER_WORD_EXID_1};
	struct aether_cc_counts *counts;
	struct aether_word word;

	if (!socket->server || bpf_load_hdr_opt(ops, option, sizeof(option), 0) != sizeof(option))
		return;
	__builtin_memcpy(&word, option + 4, sizeof(word));
	if (word.version != AETHER_WORD_VERSION)
		return;
	counts = cc_counts();
	if (counts)
		counts->words++;
	socket->share = bpf_ntohs(word.share);
	socket->heard_ns = now;
	pace_set(ops, socket, pace_of(socket, 0, now));
}

#endif /* AETHER_CC_WORD_BPF_H */
