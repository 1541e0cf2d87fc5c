/* SPDX-License-Identifier: GPL-2.0-only */
/* What queue remembers: sockets, endpoints, and connections with unread data. */
#ifndef AETHER_QUEUE_MAPS_BPF_H
#define AETHER_QUEUE_MAPS_BPF_H

#include "ring.bpf.h"
#include "socket.bpf.h"

#define SECOND_NS 1000000000ULL
#define MAX_US 0xffffffffULL

enum { EVENT_STATE, EVENT_ARRIVAL, EVENT_READ, EVENT_DESTROY, EVENT_SURVEY };

const volatile __u64 stall_after_ns = 10000000;

SOCKET_STORAGE(sockets, struct aether_socket);
LOCALS(locals);

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct aether_unread_table);
} unread SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 2 * AETHER_MAX_LOCALS);
	__type(key, struct aether_served_key);
	__type(value, __u32);
} served SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct aether_ports);
} ports SEC(".maps");

static const struct aether_local no_local;

/*
 * Whether the socket can be a server's. Its own port is in a cache line that whoever called us has just used; to find
 * that a client's socket has no storage of ours is a walk through that of all others.
 */
static __always_inline bool queue_serves(const struct sock *sk)
{
	__u32 zero = 0, port = sk->__sk_common.skc_num;
	struct aether_ports *all = bpf_map_lookup_elem(&ports, &zero);

	return all && all->words[port / 64] >> port % 64 & 1;
}

static __always_inline void queue_serve(__u16 port)
{
	__u32 zero = 0;
	struct aether_ports *all = bpf_map_lookup_elem(&ports, &zero);

	if (all)
		__sync_fetch_and_or(&all->words[port / 64], 1ULL << port % 64);
}

static __always_inline void queue_changed(const struct aether_local_key *key, __u64 now)
{
	struct aether_edge *edge = aether_edge(AETHER_EDGE_LOCAL, now);

	if (!edge)
		return;
	edge->local = *key;
	bpf_ringbuf_submit(edge, BPF_RB_FORCE_WAKEUP);
}

/* NULL for sockets that are no server's. */
static __always_inline struct aether_queue_socket *queue_known(struct sock *sk)
{
	struct aether_socket *all = bpf_sk_storage_get(&sockets, sk, 0, 0);

	return all && all->queue.local.netns ? &all->queue : NULL;
}

static __always_inline struct aether_queue_socket *queue_socket(struct sock *sk, const struct aether_local_key *key)
{
	struct aether_socket *all = bpf_sk_storage_get(&sockets, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);

	if (!all) {
		aether_map_error();
		return NULL;
	}
	all->queue.local = *key;
	return &all->queue;
}

static __always_inline struct aether_local *queue_local(const struct aether_local_key *key)
{
	struct aether_local *local = bpf_map_lookup_elem(&locals, key);
	long error;

	if (local)
		return local;
	error = bpf_map_update_elem(&locals, key, &no_local, BPF_NOEXIST);
	local = bpf_map_lookup_elem(&locals, key);
	if (!local)
		aether_map_failed(error);
	return local;
}

#endif /* AETHER_QUEUE_MAPS_BPF_H */
