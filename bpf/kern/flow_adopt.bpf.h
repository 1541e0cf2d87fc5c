/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of flow that takes over connections which are older than the agent. */
#ifndef AETHER_FLOW_ADOPT_BPF_H
#define AETHER_FLOW_ADOPT_BPF_H

/* The sysctl's default: a connection from a fixed port to one in here was accepted, whoever listened is gone. */
#define EPHEMERAL_FIRST 32768

static __always_inline bool adopt_accepted(const struct aether_local_key *local, __u16 remote_port)
{
	if (bpf_map_lookup_elem(&listening, local))
		return true;
	return local->port < EPHEMERAL_FIRST && remote_port >= EPHEMERAL_FIRST;
}

static __always_inline void adopt_connection(struct sock_common *skc, struct tcp_sock *tp, __u32 netns)
{
	int flags = tp->bpf_sock_ops_cb_flags | FLOW_FLAGS; /* those of health are another matter */
	struct aether_flow_socket *socket = bpf_sk_storage_get(&sockets, tp, 0, BPF_SK_STORAGE_GET_F_CREATE);
	struct aether_flow *flow;
	__u64 now = bpf_ktime_get_ns();

	if (!socket) {
		aether_map_error();
		return;
	}
	if (socket->key.netns) /* connected after the attachment */
		return;
	aether_remote(socket->key.addr, skc);
	socket->key.port = bpf_ntohs(skc->skc_dport);
	socket->key.netns = netns;
	socket->snd_una = tp->snd_una;
	socket->segs_out = tp->segs_out;
	socket->ecn = aether_has_ecn(tp);
	flow_count(socket, 1, now);
	flow = flow_peer(&socket->key, now);
	if (flow && !flow->rtt_samples) {
		flow->rtt_us = tp->rtt_min.s[0].v;
		flow->rtt_samples = 1;
		flow_minimum(flow, flow->rtt_us, now);
	}
	if (bpf_setsockopt(tp, SOL_TCP, TCP_BPF_SOCK_OPS_CB_FLAGS, &flags, sizeof(flags)))
		aether_map_error();
	aether_count(EVENT_ADOPT, now);
}

SEC("iter/tcp")
int aether_adopt(struct bpf_iter__tcp *ctx)
{
	struct sock_common *skc = ctx->sk_common;
	struct aether_local_key local = {};
	struct tcp_sock *tp;
	__u8 one = 1;

	if (!skc || (skc->skc_family != AF_INET && skc->skc_family != AF_INET6))
		return 0;
	tp = (struct tcp_sock *)bpf_skc_to_tcp_sock(skc);
	if (!tp)
		return 0;
	local.netns = skc->skc_net.net->ns.inum;
	local.port = skc->skc_num;
	if (skc->skc_state == BPF_TCP_LISTEN) {
		bpf_map_update_elem(&listening, &local, &one, BPF_ANY);
		return 0;
	}
	if (skc->skc_state != BPF_TCP_ESTABLISHED || adopt_accepted(&local, bpf_ntohs(skc->skc_dport)))
		return 0;
	if (!aether_watched(tp->inet_conn.icsk_inet.sk.sk_cgrp_data.cgroup))
		return 0;
	adopt_connection(skc, tp, local.netns);
	return 0;
}

#endif /* AETHER_FLOW_ADOPT_BPF_H */
