/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of health: listeners that are older than the agent learn to speak. */
#ifndef AETHER_HEALTH_SPEAK_BPF_H
#define AETHER_HEALTH_SPEAK_BPF_H

#define TCP_BPF_SOCK_OPS_CB_FLAGS 1008 /* since 6.12 */

SEC("iter/tcp")
int aether_speak(struct bpf_iter__tcp *ctx)
{
	struct sock_common *skc = ctx->sk_common;
	struct tcp_sock *tp;
	__u64 cookie;
	__u32 netns;
	int flags;

	if (!skc || skc->skc_state != BPF_TCP_LISTEN)
		return 0;
	tp = (struct tcp_sock *)bpf_skc_to_tcp_sock(skc);
	if (!tp || !aether_watched(tp->inet_conn.icsk_inet.sk.sk_cgrp_data.cgroup))
		return 0;
	cookie = skc->skc_net.net->net_cookie;
	netns = skc->skc_net.net->ns.inum;
	flags = tp->bpf_sock_ops_cb_flags | BPF_SOCK_OPS_WRITE_HDR_OPT_CB_FLAG;
	bpf_map_update_elem(&namespaces, &cookie, &netns, BPF_ANY);
	if (bpf_setsockopt(tp, SOL_TCP, TCP_BPF_SOCK_OPS_CB_FLAGS, &flags, sizeof(flags)))
		aether_map_error();
	aether_count(EVENT_SPEAK, bpf_ktime_get_ns());
	return 0;
}

#endif /* AETHER_HEALTH_SPEAK_BPF_H */
