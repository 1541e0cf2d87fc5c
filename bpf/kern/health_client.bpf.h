/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of health: what a client's sockets ask and hear. */
#ifndef AETHER_HEALTH_CLIENT_BPF_H
#define AETHER_HEALTH_CLIENT_BPF_H

#include "health_option.bpf.h"

static const struct aether_heard nothing_heard;

static __always_inline void health_connect(struct bpf_sock_ops *ops, struct bpf_sock *sk)
{
	struct tcp_sock *tp = health_tcp(sk);
	struct health_socket *socket;
	__u32 *addr;

	if (!tp || !health_allowed(ops))
		return;
	socket = bpf_sk_storage_get(&speakers, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
	if (!socket) {
		aether_map_error();
		return;
	}
	addr = (__u32 *)socket->peer.addr;
	addr[0] = ops->remote_ip6[0];
	addr[1] = ops->remote_ip6[1];
	addr[2] = ops->remote_ip6[2];
	addr[3] = ops->remote_ip6[3];
	socket->peer.netns = health_netns(tp);
	socket->peer.port = bpf_ntohl(ops->remote_port);
	socket->next = no_health;
	health_flags(ops, BPF_SOCK_OPS_WRITE_HDR_OPT_CB_FLAG, 0);
}

/* The first SYN, then everything until the server has acknowledged data. */
static __always_inline bool health_client_speaks(struct bpf_sock_ops *ops, struct health_socket *socket)
{
	if (ops->state == BPF_TCP_SYN_SENT)
		return !ops->total_retrans;
	if (ops->snd_una == socket->una)
		return true;
	/* Once: another program may want the flag. */
	if (!socket->silent)
		health_flags(ops, 0, BPF_SOCK_OPS_WRITE_HDR_OPT_CB_FLAG);
	socket->silent = 1;
	return false;
}

static __always_inline void health_learn(struct health_socket *socket, const struct aether_health *health, __u64 now)
{
	struct aether_heard *known = bpf_map_lookup_elem(&heard, &socket->peer);
	struct aether_edge *edge;
	__u32 zero = 0;
	__u64 *last = bpf_map_lookup_elem(&heard_last, &zero);
	bool changed;

	if (!known) {
		bpf_map_update_elem(&heard, &socket->peer, &nothing_heard, BPF_NOEXIST);
		known = bpf_map_lookup_elem(&heard, &socket->peer);
	}
	if (!known) {
		aether_map_error();
		return;
	}
	changed = (known->health.flags ^ health->flags) & AETHER_OPTION_STALLED;
	known->health = *health;
	known->time_ns = now;
	if (last)
		*last = now;
	edge = changed ? aether_edge(AETHER_EDGE_HEARD, now) : NULL;
	if (!edge)
		return;
	edge->peer = socket->peer;
	bpf_ringbuf_submit(edge, BPF_RB_FORCE_WAKEUP);
}

/*
 * A stalled server says so in each segment that has room. From then on every segment is looked at: one without the
 * option is an answer, and ends the stall as well as the option would.
 */
static __always_inline void health_client_hears(struct bpf_sock_ops *ops, struct health_socket *socket, __u64 now)
{
	struct aether_health health = no_health;
	enum health_load found = health_load(ops, &health, 0);
	bool stalled;

	if (found == HEALTH_MALFORMED || (found == HEALTH_ABSENT && !socket->stalled))
		return;
	stalled = health.flags & AETHER_OPTION_STALLED;
	if (stalled != socket->stalled)
		health_flags(ops, stalled ? BPF_SOCK_OPS_PARSE_ALL_HDR_OPT_CB_FLAG : 0,
			     stalled ? 0 : BPF_SOCK_OPS_PARSE_ALL_HDR_OPT_CB_FLAG);
	socket->stalled = stalled;
	health_learn(socket, &health, now);
}

static __always_inline void health_client_connected(struct bpf_sock_ops *ops, struct health_socket *socket, __u64 now)
{
	struct aether_health health;

	if (health_load(ops, &health, 0) != HEALTH_FOUND) {
		health_flags(ops, 0, BPF_SOCK_OPS_WRITE_HDR_OPT_CB_FLAG);
		return;
	}
	socket->una = ops->snd_una;
	health_flags(ops, BPF_SOCK_OPS_PARSE_UNKNOWN_HDR_OPT_CB_FLAG, 0);
	health_client_hears(ops, socket, now);
}

#endif /* AETHER_HEALTH_CLIENT_BPF_H */
