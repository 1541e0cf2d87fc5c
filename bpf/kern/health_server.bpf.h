/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of health: what a server's sockets say. */
#ifndef AETHER_HEALTH_SERVER_BPF_H
#define AETHER_HEALTH_SERVER_BPF_H

#include "health_option.bpf.h"

/* Delayed acknowledgements cannot be shorter than two of the kernel's ticks: at 100 Hz that is longer than we ask. */
#define TWO_LONG_TICKS_US 20000

/*
 * How long the requests of this socket, or any that came since the endpoint's last read, have waited. Data that
 * is older than what the server has meanwhile read elsewhere is left aside, as in the table.
 */
static __always_inline __u64 health_waited(struct bpf_sock *sk, const struct aether_local *local, __u64 now)
{
	struct aether_socket *socket = sk ? bpf_sk_storage_get(&queue_sockets, sk, 0, 0) : NULL;
	__u64 own = socket ? socket->queue.arrival_ns : 0, since = local->waiting_ns;

	if (own && local->served_ns <= own + stall_after_ns && (!since || own < since))
		since = own;
	return since ? aether_since(since, now) : 0;
}

/* Whether an agent says anything, and is there to take it back. */
static __always_inline bool health_agent_tells(__u64 now)
{
	__u32 zero = 0;
	struct aether_own_all *all = bpf_map_lookup_elem(&own_all, &zero);

	return all && all->telling && aether_since(all->time_ns, now) < AETHER_OWN_VALID_NS;
}

static __always_inline struct aether_health health_of(struct bpf_sock *sk, const struct aether_local_key *key,
						      __u64 now)
{
	struct aether_local *local = bpf_map_lookup_elem(&queue_locals, key);
	struct aether_own *rest = health_agent_tells(now) ? bpf_map_lookup_elem(&own, key) : NULL;
	struct aether_health health = no_health;
	/* The option's resolution: a delayed acknowledgement comes a bit earlier than most settings. */
	__u64 least = stall_after_ns / AETHER_STALL_STEP_NS, stall;

	if (rest) {
		health.pressure = rest->pressure;
		health.in_flight = rest->in_flight;
	}
	if (!local)
		return health;
	stall = health_waited(sk, local, now) / AETHER_STALL_STEP_NS;
	if (!stall || stall < least)
		return health;
	health.flags |= AETHER_OPTION_STALLED;
	health.stall = stall > 255 ? 255 : stall;
	return health;
}

/*
 * A server's socket remembers in its flags whether what it said last was bad, so that an answer need not look for its
 * storage. What the flag asks for, calls at retransmission timeouts, is answered by nobody.
 */
#define SAID_BAD_FLAG BPF_SOCK_OPS_RTO_CB_FLAG

/*
 * An answer of a socket that said nothing bad: it ends a stall rather than tells of one, and the clients that wait get
 * acknowledgements without data. Once they are connected, it is the clients that parse.
 */
static __always_inline bool health_is_calm(struct bpf_sock_ops *ops)
{
	__u32 zero = 0;
	struct aether_own_all *all = bpf_map_lookup_elem(&own_all, &zero);

	return ops->skb_len && ops->state == BPF_TCP_ESTABLISHED &&
	       !(ops->bpf_sock_ops_cb_flags & (SAID_BAD_FLAG | BPF_SOCK_OPS_PARSE_UNKNOWN_HDR_OPT_CB_FLAG)) &&
	       (!all || !all->telling);
}

static __always_inline void health_server_said(struct bpf_sock_ops *ops, const struct health_socket *socket)
{
	bool bad = health_bits(&socket->said) != health_bits(&no_health);

	if (bad != !!(ops->bpf_sock_ops_cb_flags & SAID_BAD_FLAG))
		health_flags(ops, bad ? SAID_BAD_FLAG : 0, bad ? 0 : SAID_BAD_FLAG);
}

static __always_inline bool health_server_speaks(struct bpf_sock *sk, struct health_socket *socket, __u64 now)
{
	socket->next = health_of(sk, &socket->local, now);
	return socket->next.stall || socket->next.pressure >= AETHER_PRESSED ||
	       health_bits(&socket->next) != health_bits(&socket->said);
}

/* The sockets that this one will accept take its flags over. */
static __always_inline void health_listen(struct bpf_sock_ops *ops, struct bpf_sock *sk)
{
	__u64 cookie = bpf_get_netns_cookie(ops);
	struct tcp_sock *tp = health_tcp(sk);
	struct health_namespace here;

	if (!tp)
		return;
	here = health_namespace(tp);
	bpf_map_update_elem(&namespaces, &cookie, &here, BPF_ANY);
	health_flags(ops, BPF_SOCK_OPS_WRITE_HDR_OPT_CB_FLAG, 0);
}

static __always_inline void health_hasten(struct bpf_sock_ops *ops)
{
	int us = ack_delay_us;

	if (!us || !bpf_setsockopt(ops, SOL_TCP, TCP_BPF_DELACK_MAX, &us, sizeof(us)))
		return;
	us = TWO_LONG_TICKS_US;
	bpf_setsockopt(ops, SOL_TCP, TCP_BPF_DELACK_MAX, &us, sizeof(us));
}

static __always_inline void health_accept(struct bpf_sock_ops *ops, struct bpf_sock *sk)
{
	struct health_socket *socket = NULL;
	struct aether_health asked;
	struct tcp_sock *tp = health_tcp(sk);

	if (tp && health_allowed(ops) && health_load(ops, &asked, 0) == HEALTH_FOUND)
		socket = bpf_sk_storage_get(&speakers, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
	if (!socket) {
		health_flags(ops, 0, BPF_SOCK_OPS_WRITE_HDR_OPT_CB_FLAG);
		return;
	}
	socket->server = 1;
	socket->local.netns = health_netns(tp);
	socket->local.port = ops->local_port;
	socket->said = no_health;
	health_hasten(ops);
}

#endif /* AETHER_HEALTH_SERVER_BPF_H */
