// SPDX-License-Identifier: GPL-2.0-only
/*
 * cc: congestion control between the services of a data centre, for cgroups that opted in.
 *
 *   client (receives answers)                server
 *     | request, word: your share ----------> |  paces its answer
 *     | <----------------------------- answer |
 *     | ACK, word when the share changes ---> |
 *
 * Connections to the configured networks get a shorter least timeout, and the control when both ends agreed on ECN in
 * the handshake, so that it never has to be asked for; all others stay as the system has them.
 */
#include "cc_maps.bpf.h"

#include "cc_control.bpf.h"
#include "cc_word.bpf.h"

/* Delayed acknowledgements cannot be shorter than two of the kernel's ticks: at 100 Hz that is longer than we ask. */
#define TWO_LONG_TICKS_US 20000
#define CLIENT_FLAGS (BPF_SOCK_OPS_WRITE_HDR_OPT_CB_FLAG | BPF_SOCK_OPS_RTT_CB_FLAG)
/* The second also tells health's iterator that this is no client. */
#define SERVER_FLAGS (BPF_SOCK_OPS_PARSE_UNKNOWN_HDR_OPT_CB_FLAG | BPF_SOCK_OPS_RTO_CB_FLAG)

static __always_inline bool cc_near(struct bpf_sock_ops *ops)
{
	struct aether_prefix host = {.bits = 128};
	__u32 *addr = (__u32 *)host.addr;

	addr[0] = ops->remote_ip6[0];
	addr[1] = ops->remote_ip6[1];
	addr[2] = ops->remote_ip6[2];
	addr[3] = ops->remote_ip6[3];
	return bpf_map_lookup_elem(&networks, &host);
}

/* A timeout shorter than the peer's delayed acknowledgement fires for nothing: the one comes with the other. */
static __always_inline void cc_hasten(struct bpf_sock_ops *ops)
{
	int us = rto_min_us;

	if (us)
		bpf_setsockopt(ops, SOL_TCP, TCP_BPF_RTO_MIN, &us, sizeof(us));
	us = cc_ack_delay_us;
	if (!bpf_setsockopt(ops, SOL_TCP, TCP_BPF_DELACK_MAX, &us, sizeof(us)))
		return;
	us = TWO_LONG_TICKS_US;
	bpf_setsockopt(ops, SOL_TCP, TCP_BPF_DELACK_MAX, &us, sizeof(us));
}

static __always_inline void cc_identify(struct bpf_sock_ops *ops, const struct tcp_sock *tp, struct cc_socket *socket)
{
	__u32 netns = tp->inet_conn.icsk_inet.sk.__sk_common.skc_net.net->ns.inum;
	__u32 *addr = (__u32 *)socket->peer.addr;

	addr[0] = ops->remote_ip6[0];
	addr[1] = ops->remote_ip6[1];
	addr[2] = ops->remote_ip6[2];
	addr[3] = ops->remote_ip6[3];
	socket->peer.netns = netns;
	socket->peer.port = bpf_ntohl(ops->remote_port);
	socket->local.netns = netns;
	socket->local.port = ops->local_port;
	socket->disordered = tp->rcv_ooopack;
	socket->bytes = ops->bytes_received;
}

static __always_inline void cc_take(struct bpf_sock_ops *ops, const struct tcp_sock *tp)
{
	char name[] = AETHER_CC_NAME;
	struct aether_cc_counts *counts = cc_counts();
	bool taken = tp->ecn_flags & TCP_ECN_OK && !bpf_setsockopt(ops, SOL_TCP, TCP_CONGESTION, name, sizeof(name));

	if (!counts)
		return;
	if (taken)
		counts->taken++;
	else
		counts->left++;
}

static __always_inline void cc_connected(struct bpf_sock_ops *ops, struct bpf_sock *sk, bool server)
{
	struct tcp_sock *tp = (struct tcp_sock *)bpf_skc_to_tcp_sock(sk);
	struct cc_socket *socket;

	if (!tp || !cc_near(ops))
		return;
	socket = bpf_sk_storage_get(&controlled, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
	if (!socket) {
		aether_map_error();
		return;
	}
	socket->server = server;
	cc_identify(ops, tp, socket);
	cc_hasten(ops);
	cc_take(ops, tp);
	word_flags(ops, server ? SERVER_FLAGS : CLIENT_FLAGS);
}

static __always_inline void cc_serve(struct bpf_sock_ops *ops, struct bpf_sock *sk, struct cc_socket *socket, __u64 now)
{
	struct aether_cc_counts *counts;

	switch (ops->op) {
	case BPF_SOCK_OPS_HDR_OPT_LEN_CB:
		word_reserve(ops, sk, socket, now);
		break;
	case BPF_SOCK_OPS_WRITE_HDR_OPT_CB:
		word_write(ops, socket, now);
		break;
	case BPF_SOCK_OPS_PARSE_HDR_OPT_CB:
		word_hear(ops, socket, now);
		break;
	case BPF_SOCK_OPS_RTT_CB:
		/* Others share the flag, and take it off once they have nothing to say. */
		if (!socket->server)
			word_flags(ops, CLIENT_FLAGS);
		break;
	case BPF_SOCK_OPS_RTO_CB:
		counts = socket->server ? cc_counts() : NULL;
		if (counts)
			counts->timeouts++;
		break;
	}
}

SEC("sockops")
int aether_cc(struct bpf_sock_ops *ops)
{
	struct bpf_sock *sk = ops->sk;
	struct cc_socket *socket;
	__u32 op = ops->op;
	__u64 now;

	if (!sk || (op == BPF_SOCK_OPS_HDR_OPT_LEN_CB && ops->args[0] == BPF_WRITE_HDR_TCP_CURRENT_MSS))
		return 1;
	if (op == BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB || op == BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB) {
		aether_count(EVENT_SOCKETS, bpf_ktime_get_ns());
		cc_connected(ops, sk, op == BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB);
		return 1;
	}
	socket = bpf_sk_storage_get(&controlled, sk, 0, 0);
	if (!socket)
		return 1;
	now = bpf_ktime_get_ns();
	aether_count(EVENT_SOCKETS, now);
	cc_serve(ops, sk, socket, now);
	return 1;
}

char LICENSE[] SEC("license") = "GPL";
