// SPDX-License-Identifier: GPL-2.0-only
/*
 * queue: how long requests wait between their arrival in a socket of this node and the server's read.
 *
 * Follows the connections that were accepted for a watched listener. Everything of one (namespace, port)
 * is one endpoint. The table `unread` holds exactly the connections with data that nobody has read yet, so
 * the pump can tell a stall from silence.
 */
#include "queue_maps.bpf.h"
#include "queue_listeners.bpf.h"
#include "queue_unread.bpf.h"

static __always_inline void queue_over(struct aether_queue_socket *socket, __u64 now)
{
	struct aether_local *local = bpf_map_lookup_elem(&locals, &socket->local);

	queue_settle(socket, local, now);
	if (socket->listener)
		queue_unlisten(socket, now);
	if (!socket->accepted)
		return;
	socket->accepted = 0;
	if (!local)
		return;
	__sync_fetch_and_add(&local->connections, -1);
	if (socket->ecn)
		__sync_fetch_and_add(&local->ecn_connections, -1);
}

SEC("tp_btf/inet_sock_set_state")
int BPF_PROG(aether_state, struct sock *sk, int from, int to)
{
	__u64 now = bpf_ktime_get_ns();
	struct aether_local_key key = {};
	struct aether_queue_socket *socket;

	if (to != BPF_TCP_LISTEN && !(from == BPF_TCP_SYN_RECV && to == BPF_TCP_ESTABLISHED)) {
		/* Data that the peer sent before closing still waits for a read; after our own close it never does. */
		if (to == BPF_TCP_CLOSE_WAIT)
			return 0;
		socket = queue_known(sk);
		if (!socket)
			return 0;
		aether_count(EVENT_STATE, now);
		queue_over(socket, now);
		return 0;
	}
	if (!bpf_skc_to_tcp_sock(sk) || !sk->__sk_common.skc_num || !aether_watched(sk->sk_cgrp_data.cgroup))
		return 0;
	key.netns = sk->__sk_common.skc_net.net->ns.inum;
	key.port = sk->__sk_common.skc_num;
	aether_count(EVENT_STATE, now);
	if (to == BPF_TCP_LISTEN)
		queue_listen(sk, &key, now);
	else
		queue_accept(sk, &key, now);
	return 0;
}

/* Every connection ends here, whatever way it took: no slot of `unread` outlives its socket. */
SEC("tp_btf/tcp_destroy_sock")
int BPF_PROG(aether_destroy, struct sock *sk)
{
	struct aether_queue_socket *socket = queue_known(sk);
	__u64 now;

	if (!socket || !aether_my_turn())
		return 0;
	now = bpf_ktime_get_ns();
	aether_count(EVENT_DESTROY, now);
	queue_over(socket, now);
	return 0;
}

/* Sequence number and length of the data in a segment whose data pointer stands at the TCP header. */
static __always_inline __u32 queue_payload(const struct sk_buff *skb, __u32 *seq)
{
	__u8 header[16];
	__u32 offset;

	if (bpf_probe_read_kernel(header, sizeof(header), skb->data))
		return 0;
	*seq = bpf_ntohl(*(__u32 *)(header + 4));
	offset = (header[12] >> 4) * 4;
	return skb->len > offset ? skb->len - offset : 0;
}

SEC("tp_btf/tcp_probe")
int BPF_PROG(aether_arrival, struct sock *sk, const struct sk_buff *skb)
{
	struct aether_queue_socket *socket;
	struct aether_local *local;
	struct tcp_sock *tp;
	__u32 length, seq = 0;
	__u64 now;

	if (!queue_serves(sk))
		return 0;
	socket = queue_known(sk);
	if (!socket || !socket->accepted || !aether_my_turn())
		return 0;
	length = queue_payload(skb, &seq);
	tp = (struct tcp_sock *)bpf_skc_to_tcp_sock(sk);
	if (!length || !tp)
		return 0;
	/* Only what becomes readable now: neither beyond a gap nor already received. */
	if ((__s32)(seq - tp->rcv_nxt) > 0 || (__s32)(seq + length - tp->rcv_nxt) <= 0)
		return 0;
	now = bpf_ktime_get_ns();
	aether_count(EVENT_ARRIVAL, now);
	local = bpf_map_lookup_elem(&locals, &socket->local);
	if (!local)
		return 0;
	__sync_fetch_and_add(&local->arrivals, 1);
	local->time_ns = now;
	if (!socket->arrival_ns)
		queue_wait(sk, socket, local, now);
	return 0;
}

static __always_inline void queue_served(struct aether_local *local, __u64 arrival, __u64 now)
{
	__u64 us = aether_since(arrival, now) / 1000, age = aether_since(local->window_ns, now);
	__u32 wait = us > MAX_US ? MAX_US : us;
	__s64 error = (__s64)wait - local->sojourn_us;

	__sync_fetch_and_add(&local->reads, 1);
	local->sojourn_us += error >> 3;
	if (age > SECOND_NS) {
		local->worst_us[1] = age > 2 * SECOND_NS ? 0 : local->worst_us[0];
		local->worst_us[0] = 0;
		local->window_ns = now;
	}
	if (wait > local->worst_us[0])
		local->worst_us[0] = wait;
	if (arrival > local->served_ns)
		local->served_ns = arrival;
	local->time_ns = now;
}

SEC("tp_btf/tcp_rcv_space_adjust")
int BPF_PROG(aether_read, struct sock *sk)
{
	struct aether_queue_socket *socket;
	struct aether_local *local;
	struct tcp_sock *tp;
	__u64 now, arrival;
	__u32 left;

	if (!queue_serves(sk))
		return 0;
	socket = queue_known(sk);
	if (!socket || !socket->arrival_ns || !aether_my_turn())
		return 0;
	tp = (struct tcp_sock *)bpf_skc_to_tcp_sock(sk);
	if (!tp)
		return 0;
	now = bpf_ktime_get_ns();
	aether_count(EVENT_READ, now);
	arrival = socket->arrival_ns;
	left = tp->rcv_nxt - tp->copied_seq;
	if (left && sk->sk_shutdown & RCV_SHUTDOWN) /* the peer's FIN takes a sequence number */
		left--;
	local = bpf_map_lookup_elem(&locals, &socket->local);
	queue_settle(socket, local, now);
	if (left) /* read in part: the server is at work, the rest has waited since now */
		queue_wait(sk, socket, local, now);
	if (local)
		queue_served(local, arrival, now);
	return 0;
}

#include "queue_survey.bpf.h"

char LICENSE[] SEC("license") = "GPL";
