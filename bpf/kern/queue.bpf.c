// SPDX-License-Identifier: GPL-2.0-only
/*
 * queue: how long requests wait between their arrival in a socket of this node and the server's read.
 *
 * Follows the connections that were accepted for a watched listener. Everything of one (namespace, port)
 * is one endpoint. The map `unread` holds exactly the connections with data that nobody has read yet, so
 * the pump can tell a stall from silence.
 */
#include "ring.bpf.h"

#define SECOND_NS 1000000000ULL
#define MAX_US 0xffffffffULL

enum { EVENT_STATE, EVENT_ARRIVAL, EVENT_READ, EVENT_DESTROY, EVENT_SURVEY };

const volatile __u64 stall_after_ns = 10000000;

struct queue_socket {
	struct aether_local_key local;
	__u64 arrival_ns; /* of the oldest unread data; 0: everything is read */
	__u8 listener;	  /* counted as a listener */
	__u8 accepted;	  /* counted as a connection */
};

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct queue_socket);
} sockets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, AETHER_MAX_LOCALS);
	__type(key, struct aether_local_key);
	__type(value, struct aether_local);
} locals SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, AETHER_MAX_UNREAD);
	__type(key, __u64);
	__type(value, struct aether_unread);
} unread SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 2 * AETHER_MAX_LOCALS);
	__type(key, struct aether_served_key);
	__type(value, __u32);
} served SEC(".maps");

static const struct aether_local no_local;

static __always_inline void queue_changed(const struct aether_local_key *key, __u64 now)
{
	struct aether_edge *edge = aether_edge(AETHER_EDGE_LOCAL, now);

	if (!edge)
		return;
	edge->local = *key;
	bpf_ringbuf_submit(edge, BPF_RB_FORCE_WAKEUP);
}

static __always_inline void queue_address(__u8 *addr, const struct sock_common *skc)
{
	__u32 *words = (__u32 *)addr;

	if (skc->skc_family == AF_INET) {
		aether_map_v4(addr, skc->skc_rcv_saddr);
		if (skc->skc_rcv_saddr == 0) /* 0.0.0.0 is the wildcard, which is written :: */
			words[2] = 0;
		return;
	}
	words[0] = skc->skc_v6_rcv_saddr.in6_u.u6_addr32[0];
	words[1] = skc->skc_v6_rcv_saddr.in6_u.u6_addr32[1];
	words[2] = skc->skc_v6_rcv_saddr.in6_u.u6_addr32[2];
	words[3] = skc->skc_v6_rcv_saddr.in6_u.u6_addr32[3];
}

static __always_inline struct queue_socket *queue_socket(struct sock *sk, const struct aether_local_key *key)
{
	struct queue_socket *socket = bpf_sk_storage_get(&sockets, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);

	if (socket)
		socket->local = *key;
	else
		aether_map_error();
	return socket;
}

static __always_inline struct aether_local *queue_local(const struct aether_local_key *key)
{
	struct aether_local *local = bpf_map_lookup_elem(&locals, key);

	if (local)
		return local;
	bpf_map_update_elem(&locals, key, &no_local, BPF_NOEXIST);
	local = bpf_map_lookup_elem(&locals, key);
	if (!local)
		aether_map_error();
	return local;
}

static __always_inline void queue_listen(struct sock *sk, const struct aether_local_key *key, __u64 now)
{
	struct queue_socket *socket = queue_socket(sk, key);
	struct aether_local *local;
	__u64 addr[2], *known;

	if (!socket || socket->listener)
		return;
	local = queue_local(key);
	if (!local)
		return;
	queue_address((__u8 *)addr, &sk->__sk_common);
	known = (__u64 *)local->addr;
	if (local->listeners > 0 && (known[0] != addr[0] || known[1] != addr[1]))
		addr[0] = addr[1] = 0;
	known[0] = addr[0];
	known[1] = addr[1];
	local->cgroup = sk->sk_cgrp_data.cgroup->kn->id;
	local->accept_max = sk->sk_max_ack_backlog;
	local->gone_ns = 0;
	local->time_ns = now;
	socket->listener = 1;
	__sync_fetch_and_add(&local->listeners, 1);
	queue_changed(key, now);
}

static __always_inline void queue_unlisten(struct queue_socket *socket, __u64 now)
{
	struct aether_local *local = bpf_map_lookup_elem(&locals, &socket->local);

	socket->listener = 0;
	if (!local)
		return;
	__sync_fetch_and_add(&local->listeners, -1);
	local->time_ns = now;
	if (local->listeners > 0)
		return;
	local->gone_ns = now;
	queue_changed(&socket->local, now);
}

static __always_inline void queue_accept(struct sock *sk, const struct aether_local_key *key, __u64 now)
{
	struct aether_local *local = bpf_map_lookup_elem(&locals, key);
	struct aether_served_key address = {};
	struct queue_socket *socket;
	__u32 netns = key->netns;

	if (!local)
		return;
	socket = queue_socket(sk, key);
	if (!socket || socket->accepted)
		return;
	socket->accepted = 1;
	__sync_fetch_and_add(&local->connections, 1);
	queue_address(address.addr, &sk->__sk_common);
	address.port = key->port;
	if (!bpf_map_lookup_elem(&served, &address))
		bpf_map_update_elem(&served, &address, &netns, BPF_ANY);
}

/* Everything is read, or the connection is over. */
static __always_inline void queue_settle(struct sock *sk, struct queue_socket *socket, __u64 now)
{
	__u64 cookie = (__u64)sk;
	__u64 arrival = socket->arrival_ns;

	if (!arrival)
		return;
	socket->arrival_ns = 0;
	bpf_map_delete_elem(&unread, &cookie);
	if (now - arrival >= stall_after_ns)
		queue_changed(&socket->local, now);
}

static __always_inline void queue_wait(struct sock *sk, struct queue_socket *socket, __u64 since)
{
	struct aether_unread entry = {.arrival_ns = since, .local = socket->local};
	__u64 cookie = (__u64)sk;

	socket->arrival_ns = since;
	if (!bpf_map_update_elem(&unread, &cookie, &entry, BPF_ANY))
		return;
	socket->arrival_ns = 0;
	aether_map_error();
}

static __always_inline void queue_over(struct sock *sk, struct queue_socket *socket, __u64 now)
{
	struct aether_local *local;

	queue_settle(sk, socket, now);
	if (socket->listener)
		queue_unlisten(socket, now);
	if (!socket->accepted)
		return;
	socket->accepted = 0;
	local = bpf_map_lookup_elem(&locals, &socket->local);
	if (local)
		__sync_fetch_and_add(&local->connections, -1);
}

SEC("tp_btf/inet_sock_set_state")
int BPF_PROG(aether_state, struct sock *sk, int from, int to)
{
	__u64 now = bpf_ktime_get_ns();
	struct aether_local_key key = {};
	struct queue_socket *socket;

	if (to != BPF_TCP_LISTEN && !(from == BPF_TCP_SYN_RECV && to == BPF_TCP_ESTABLISHED)) {
		/* Data that the peer sent before closing still waits for a read; after our own close it never does. */
		if (to == BPF_TCP_CLOSE_WAIT)
			return 0;
		socket = bpf_sk_storage_get(&sockets, sk, 0, 0);
		if (!socket)
			return 0;
		aether_count(EVENT_STATE, now);
		queue_over(sk, socket, now);
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

/* Every connection ends here, whatever way it took: no entry of `unread` outlives its socket. */
SEC("tp_btf/tcp_destroy_sock")
int BPF_PROG(aether_destroy, struct sock *sk)
{
	struct queue_socket *socket = bpf_sk_storage_get(&sockets, sk, 0, 0);
	__u64 now;

	if (!socket)
		return 0;
	now = bpf_ktime_get_ns();
	aether_count(EVENT_DESTROY, now);
	queue_over(sk, socket, now);
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
	struct queue_socket *socket = bpf_sk_storage_get(&sockets, sk, 0, 0);
	struct aether_local *local;
	struct tcp_sock *tp;
	__u32 length, seq = 0;
	__u64 now;

	if (!socket || !socket->accepted)
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
		queue_wait(sk, socket, now);
	return 0;
}

static __always_inline void queue_served(struct aether_local *local, __u64 arrival, __u64 now)
{
	__u64 us = (now - arrival) / 1000;
	__u32 wait = us > MAX_US ? MAX_US : us;
	__s64 error = (__s64)wait - local->sojourn_us;

	__sync_fetch_and_add(&local->reads, 1);
	local->sojourn_us += error >> 3;
	if (now - local->window_ns > SECOND_NS) {
		local->worst_us[1] = now - local->window_ns > 2 * SECOND_NS ? 0 : local->worst_us[0];
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
	struct queue_socket *socket = bpf_sk_storage_get(&sockets, sk, 0, 0);
	struct aether_local *local;
	struct tcp_sock *tp;
	__u64 now, arrival;
	__u32 left;

	if (!socket || !socket->arrival_ns)
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
	queue_settle(sk, socket, now);
	if (left) /* read in part: the server is at work, the rest has waited since now */
		queue_wait(sk, socket, now);
	local = bpf_map_lookup_elem(&locals, &socket->local);
	if (local)
		queue_served(local, arrival, now);
	return 0;
}

/* Takes over what is older than the agent and samples the accept queues; listeners come first. */
SEC("iter/tcp")
int aether_survey(struct bpf_iter__tcp *ctx)
{
	struct sock_common *skc = ctx->sk_common;
	__u64 now = bpf_ktime_get_ns();
	struct aether_local_key key = {};
	struct queue_socket *socket;
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
	socket = bpf_sk_storage_get(&sockets, sk, 0, 0);
	if (socket && !socket->arrival_ns && tp->rcv_nxt != tp->copied_seq && !sk->sk_shutdown)
		queue_wait(sk, socket, now);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
