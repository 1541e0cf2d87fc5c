/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Part of health: ECN between two ends that both run this. A kernel grants ECN to whoever asks, but by default does not
 * ask; a client that has heard a server's word before asks it from then on.
 *
 * Whoever asks for it in this way sends with ECT from the SYN on, and a server that was not told refuses such a SYN:
 * so servers are told too. If the answer is no all the same, because the agent there is gone, the kernel leaves ECT on
 * that connection: nobody asks there again for a while.
 */
#ifndef AETHER_HEALTH_ECN_BPF_H
#define AETHER_HEALTH_ECN_BPF_H

#include "health_option.bpf.h"

/* net.ipv4.tcp_ecn: 0 is no, 2 the default; all others ask by themselves. */
#define TCP_ECN_NEVER 0
#define TCP_ECN_GRANT 2
/* As long as an agent may be away for an upgrade, and more. */
#define DECLINED_NS (600 * 1000000000ULL)

const volatile __u8 ask_ecn = 0;

/* When a server that was asked said no, or did not hear the first SYN. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, AETHER_MAX_PEERS);
	__type(key, struct aether_flow_key);
	__type(value, __u64);
} declined SEC(".maps");

static __always_inline __u8 ecn_setting(const struct tcp_sock *tp)
{
	return tp->inet_conn.icsk_inet.sk.__sk_common.skc_net.net->ipv4.sysctl_tcp_ecn;
}

/* Its agent sees both ends of such a connection, which needs no marks. */
static __always_inline bool ecn_is_loopback(const struct aether_flow_key *peer)
{
	const __u32 *words = (const __u32 *)peer->addr;

	if (words[0] || words[1])
		return false;
	return words[2] == bpf_htonl(0xffff) ? peer->addr[12] == 127 : !words[2] && words[3] == bpf_htonl(1);
}

static __always_inline bool ecn_asks(struct bpf_sock *sk, __u64 now)
{
	struct health_socket *socket = bpf_sk_storage_get(&speakers, sk, 0, 0);
	struct tcp_sock *tp = health_tcp(sk);
	__u64 *when;

	if (!socket || socket->server || !tp || ecn_setting(tp) != TCP_ECN_GRANT || ecn_is_loopback(&socket->peer))
		return false;
	if (!bpf_map_lookup_elem(&heard, &socket->peer))
		return false;
	when = bpf_map_lookup_elem(&declined, &socket->peer);
	if (when && aether_since(*when, now) < DECLINED_NS)
		return false;
	socket->asked = 1;
	return true;
}

/* The kernel has looked whether the SYN asks. It belongs to no socket yet. */
static __always_inline bool ecn_grants(struct bpf_sock_ops *ops)
{
	__u64 cookie = bpf_get_netns_cookie(ops);
	struct health_namespace *here = bpf_map_lookup_elem(&namespaces, &cookie);

	return here && here->tcp_ecn != TCP_ECN_NEVER && health_allowed(ops);
}

static __always_inline void ecn_decide(struct bpf_sock_ops *ops, struct bpf_sock *sk, __u64 now)
{
	if (ask_ecn && (sk ? ecn_asks(sk, now) : ecn_grants(ops)))
		ops->reply = 1;
}

/* Of a client, after the handshake. */
static __always_inline void ecn_note(struct bpf_sock_ops *ops, struct bpf_sock *sk, struct health_socket *socket,
				     __u64 now)
{
	if (socket->asked && (ops->total_retrans || !aether_has_ecn(health_tcp(sk))))
		bpf_map_update_elem(&declined, &socket->peer, &now, BPF_ANY);
}

#endif /* AETHER_HEALTH_ECN_BPF_H */
