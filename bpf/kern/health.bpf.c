// SPDX-License-Identifier: GPL-2.0-only
/*
 * health: servers tell their clients in a TCP option how they are, and clients listen.
 *
 *   client                         server
 *     | SYN, option ---------------> |   asks
 *     | <----------- SYN-ACK, option |   can tell
 *     | ACK, option ---------------> |   will listen: until the first answer, since an ACK may get lost
 *     | <-------- any small segment, option: on change, and on each while stalled or pressed
 *
 * Neither side goes on when the other's half is missing, and no retransmission of the handshake carries it, in
 * case something on the way dislikes it. What a server says comes from queue's maps; without queue it never
 * speaks of a stall.
 */
#include "health_maps.bpf.h"
#include "health_option.bpf.h"
#include "health_server.bpf.h"
#include "health_client.bpf.h"
#include "health_ecn.bpf.h"

/* The handshake's second segment belongs to no socket yet. */
static __always_inline void health_syn_ack(struct bpf_sock_ops *ops, __u64 now)
{
	struct aether_local_key key = {.port = ops->local_port};
	__u64 cookie = bpf_get_netns_cookie(ops);
	struct aether_health asked, health = no_health;
	struct health_namespace *here;

	/* A repeated SYN-ACK finds no SYN. */
	if (!health_allowed(ops) || health_load(ops, &asked, BPF_LOAD_HDR_OPT_TCP_SYN) != HEALTH_FOUND)
		return;
	if (ops->op == BPF_SOCK_OPS_HDR_OPT_LEN_CB) {
		bpf_reserve_hdr_opt(ops, AETHER_OPTION_SIZE, 0);
		return;
	}
	here = bpf_map_lookup_elem(&namespaces, &cookie);
	if (here) {
		key.netns = here->inum;
		health = health_of(NULL, &key, now);
	}
	health_store(ops, &health);
}

static __always_inline void health_reserve(struct bpf_sock_ops *ops, struct bpf_sock *sk, struct health_socket *socket,
					   __u64 now)
{
	bool wanted;

	/*
	 * Only where it fits beside the data: the kernel cuts its segments without knowing of the option, and what it
	 * cuts later (GSO) would bear one on every piece.
	 */
	socket->writes = 0;
	if (ops->state != BPF_TCP_SYN_SENT && ops->skb_len + AETHER_OPTION_SIZE > ops->mss_cache)
		return;
	if (socket->server)
		wanted = health_server_speaks(sk, socket, now);
	else
		wanted = health_client_speaks(ops, socket);
	socket->writes = wanted && !bpf_reserve_hdr_opt(ops, AETHER_OPTION_SIZE, 0);
}

static __always_inline void health_write(struct bpf_sock_ops *ops, struct health_socket *socket)
{
	if (!socket->writes || health_store(ops, &socket->next))
		return;
	socket->said = socket->next;
	if (socket->server)
		health_server_said(ops, socket);
}

static __always_inline void health_connected(struct bpf_sock_ops *ops, struct bpf_sock *sk,
					     struct health_socket *socket, __u32 op, __u64 now)
{
	switch (op) {
	case BPF_SOCK_OPS_WRITE_HDR_OPT_CB:
		health_write(ops, socket);
		break;
	case BPF_SOCK_OPS_PARSE_HDR_OPT_CB:
		if (socket->server) /* the flag is there for somebody else */
			break;
		health_client_hears(ops, socket, now);
		break;
	case BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB:
		ecn_note(ops, sk, socket, now);
		health_client_connected(ops, socket, now);
		break;
	}
}

SEC("sockops")
int aether_health(struct bpf_sock_ops *ops)
{
	struct bpf_sock *sk = ops->sk;
	struct health_socket *socket;
	__u32 op = ops->op;
	__u64 now;

	if (op < BPF_SOCK_OPS_PARSE_HDR_OPT_CB && op != BPF_SOCK_OPS_TCP_CONNECT_CB &&
	    op != BPF_SOCK_OPS_TCP_LISTEN_CB && op != BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB &&
	    op != BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB && op != BPF_SOCK_OPS_NEEDS_ECN)
		return 1;
	/* Only how long a segment may get: asked before each segment, and no option depends on it. */
	if (op == BPF_SOCK_OPS_HDR_OPT_LEN_CB && sk && ops->args[0] == BPF_WRITE_HDR_TCP_CURRENT_MSS)
		return 1;
	if (op == BPF_SOCK_OPS_HDR_OPT_LEN_CB && sk) {
		/* Before each segment: most have nothing to say. */
		socket = health_is_calm(ops) ? NULL : bpf_sk_storage_get(&speakers, sk, 0, 0);
		if (!socket)
			return 1;
		now = bpf_ktime_get_ns();
		aether_count(EVENT_HEALTH, now);
		health_reserve(ops, sk, socket, now);
		return 1;
	}
	now = bpf_ktime_get_ns();
	aether_count(EVENT_HEALTH, now);
	if (op == BPF_SOCK_OPS_NEEDS_ECN) {
		ecn_decide(ops, sk, now);
		return 1;
	}
	if (!sk) {
		if (op == BPF_SOCK_OPS_HDR_OPT_LEN_CB || op == BPF_SOCK_OPS_WRITE_HDR_OPT_CB)
			health_syn_ack(ops, now);
		return 1;
	}
	if (op == BPF_SOCK_OPS_TCP_CONNECT_CB) {
		health_connect(ops, sk);
	} else if (op == BPF_SOCK_OPS_TCP_LISTEN_CB) {
		health_listen(ops, sk);
	} else if (op == BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB) {
		health_accept(ops, sk);
	} else {
		socket = bpf_sk_storage_get(&speakers, sk, 0, 0);
		if (socket)
			health_connected(ops, sk, socket, op, now);
	}
	return 1;
}

#include "health_speak.bpf.h"

char LICENSE[] SEC("license") = "GPL";
