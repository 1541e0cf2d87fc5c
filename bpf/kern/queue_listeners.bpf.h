/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of queue: endpoints come and go with their listeners, connections with them. */
#ifndef AETHER_QUEUE_LISTENERS_BPF_H
#define AETHER_QUEUE_LISTENERS_BPF_H

#include "queue_maps.bpf.h"

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

static __always_inline void queue_listen(struct sock *sk, const struct aether_local_key *key, __u64 now)
{
	struct aether_queue_socket *socket = queue_socket(sk, key);
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
	queue_serve(key->port);
	local->gone_ns = 0;
	local->time_ns = now;
	socket->listener = 1;
	__sync_fetch_and_add(&local->listeners, 1);
	queue_changed(key, now);
}

static __always_inline void queue_unlisten(struct aether_queue_socket *socket, __u64 now)
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
	struct aether_queue_socket *socket;
	__u32 netns = key->netns;

	if (!local)
		return;
	socket = queue_socket(sk, key);
	if (!socket || socket->accepted)
		return;
	socket->accepted = 1;
	socket->ecn = aether_has_ecn((struct tcp_sock *)bpf_skc_to_tcp_sock(sk));
	__sync_fetch_and_add(&local->connections, 1);
	if (socket->ecn)
		__sync_fetch_and_add(&local->ecn_connections, 1);
	queue_address(address.addr, &sk->__sk_common);
	address.port = key->port;
	if (!bpf_map_lookup_elem(&served, &address))
		bpf_map_update_elem(&served, &address, &netns, BPF_ANY);
}

#endif /* AETHER_QUEUE_LISTENERS_BPF_H */
