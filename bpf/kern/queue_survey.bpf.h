/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of queue: takes over what is older than the agent, and samples the accept queues. */
#ifndef AETHER_QUEUE_SURVEY_BPF_H
#define AETHER_QUEUE_SURVEY_BPF_H

/* Listeners come first. */
SEC("iter/tcp")
int aether_survey(struct bpf_iter__tcp *ctx)
{
	struct sock_common *skc = ctx->sk_common;
	__u64 now = bpf_ktime_get_ns();
	struct aether_local_key key = {};
	struct aether_queue_socket *socket;
	struct aether_local *local;
	struct tcp_sock *tp;
	struct sock *sk;

	if (!skc || (skc->skc_family != AF_INET && skc->skc_family != AF_INET6))
		return 0;
	tp = (struct tcp_sock *)bpf_skc_to_tcp_sock(skc);
	if (!tp)
		return 0;
	sk = &tp->inet_conn.icsk_inet.sk;
	if (!aether_watched(sk->sk_cgrp_data.cgroup))
		return 0;
	aether_count(EVENT_SURVEY, now);
	key.netns = skc->skc_net.net->ns.inum;
	key.port = skc->skc_num;
	if (skc->skc_state == BPF_TCP_LISTEN) {
		queue_listen(sk, &key, now);
		local = bpf_map_lookup_elem(&locals, &key);
		if (local)
			local->accept_queue = sk->sk_ack_backlog;
		return 0;
	}
	if (skc->skc_state != BPF_TCP_ESTABLISHED)
		return 0;
	queue_accept(sk, &key, now);
	socket = queue_known(sk);
	if (socket && !socket->arrival_ns && tp->rcv_nxt != tp->copied_seq && !sk->sk_shutdown)
		queue_wait(sk, socket, bpf_map_lookup_elem(&locals, &key), now);
	return 0;
}

/* The first socket behind the listeners ends it: whoever reads a byte stops there. */
SEC("iter/tcp")
int aether_backlog(struct bpf_iter__tcp *ctx)
{
	struct sock_common *skc = ctx->sk_common;
	struct aether_local_key key = {};
	struct aether_local *local;
	struct tcp_sock *tp;
	__u8 end = 0;

	if (!skc)
		return 0;
	if (skc->skc_state != BPF_TCP_LISTEN) {
		bpf_seq_write(ctx->meta->seq, &end, sizeof(end));
		return 0;
	}
	tp = (struct tcp_sock *)bpf_skc_to_tcp_sock(skc);
	if (!tp)
		return 0;
	key.netns = skc->skc_net.net->ns.inum;
	key.port = skc->skc_num;
	local = bpf_map_lookup_elem(&locals, &key);
	if (local && aether_watched(tp->inet_conn.icsk_inet.sk.sk_cgrp_data.cgroup))
		local->accept_queue = tp->inet_conn.icsk_inet.sk.sk_ack_backlog;
	return 0;
}

#endif /* AETHER_QUEUE_SURVEY_BPF_H */
