/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Part of health: takes over what is older than the agent. Listeners learn to speak. A connection that spoke under an
 * earlier agent still has the flags of its role; one that never did stays silent, as its peer expects nothing.
 */
#ifndef AETHER_HEALTH_SPEAK_BPF_H
#define AETHER_HEALTH_SPEAK_BPF_H

#define TCP_BPF_SOCK_OPS_CB_FLAGS 1008 /* since 6.12 */

static __always_inline void speak_listener(struct sock_common *skc, struct tcp_sock *tp)
{
	__u64 cookie = skc->skc_net.net->net_cookie;
	int flags = tp->bpf_sock_ops_cb_flags | BPF_SOCK_OPS_WRITE_HDR_OPT_CB_FLAG;
	struct health_namespace here = health_namespace(tp);

	bpf_map_update_elem(&namespaces, &cookie, &here, BPF_ANY);
	if (bpf_setsockopt(tp, SOL_TCP, TCP_BPF_SOCK_OPS_CB_FLAGS, &flags, sizeof(flags)))
		aether_map_error();
}

static __always_inline void speak_connection(struct sock_common *skc, struct tcp_sock *tp)
{
	__u8 flags = tp->bpf_sock_ops_cb_flags;
	__u32 netns = health_netns(tp);
	/* Servers listen too where cc has them; it marks them by the other flag. */
	bool client = (flags & (BPF_SOCK_OPS_PARSE_UNKNOWN_HDR_OPT_CB_FLAG | BPF_SOCK_OPS_RTO_CB_FLAG)) ==
		      BPF_SOCK_OPS_PARSE_UNKNOWN_HDR_OPT_CB_FLAG;
	struct aether_prefix host = {.bits = 128};
	struct health_socket *socket;

	aether_remote(host.addr, skc);
	if (!(client || flags & BPF_SOCK_OPS_WRITE_HDR_OPT_CB_FLAG) || !health_allows(&host))
		return;
	socket = bpf_sk_storage_get(&speakers, tp, 0, BPF_SK_STORAGE_GET_F_CREATE);
	if (!socket) {
		aether_map_error();
		return;
	}
	if (socket->peer.netns || socket->server) /* connected after the attachment */
		return;
	if (client) {
		__builtin_memcpy(socket->peer.addr, host.addr, sizeof(host.addr));
		socket->peer.netns = netns;
		socket->peer.port = bpf_ntohs(skc->skc_dport);
		socket->una = tp->snd_una;
		socket->stalled = !!(flags & BPF_SOCK_OPS_PARSE_ALL_HDR_OPT_CB_FLAG);
	} else {
		socket->local.netns = netns;
		socket->local.port = skc->skc_num;
		socket->server = 1;
	}
	socket->said = no_health;
	socket->next = no_health;
}

SEC("iter/tcp")
int aether_speak(struct bpf_iter__tcp *ctx)
{
	struct sock_common *skc = ctx->sk_common;
	struct tcp_sock *tp;

	if (!skc || (skc->skc_state != BPF_TCP_LISTEN && skc->skc_state != BPF_TCP_ESTABLISHED))
		return 0;
	tp = (struct tcp_sock *)bpf_skc_to_tcp_sock(skc);
	if (!tp || !aether_watched(tp->inet_conn.icsk_inet.sk.sk_cgrp_data.cgroup))
		return 0;
	if (skc->skc_state == BPF_TCP_LISTEN)
		speak_listener(skc, tp);
	else
		speak_connection(skc, tp);
	aether_count(EVENT_SPEAK, bpf_ktime_get_ns());
	return 0;
}

#endif /* AETHER_HEALTH_SPEAK_BPF_H */
