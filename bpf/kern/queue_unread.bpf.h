/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of queue: the life of a connection's unread data. */
#ifndef AETHER_QUEUE_UNREAD_BPF_H
#define AETHER_QUEUE_UNREAD_BPF_H

#include "queue_maps.bpf.h"

#define SLOT_PROBES 8
/* Where the search begins: a page of slots, so that few pages are in use while few connections wait. */
#define NEAR_SLOTS (AETHER_NEAR_UNREAD - SLOT_PROBES / 2)

/*
 * A slot for a socket, by the hash of its two ends: an entry in a hash map, taken and given back for each request,
 * costs four times as much. 0 when all places that are tried are taken.
 */
static __always_inline __u16 queue_take(struct aether_unread_table *all, const struct sock *sk, __u64 since)
{
	__u32 hash = sk->__sk_common.skc_hash;

	for (int i = 0; i < SLOT_PROBES; i++) {
		__u32 slot = (i < SLOT_PROBES / 2 ? hash % NEAR_SLOTS + i : hash + i) & (AETHER_MAX_UNREAD - 1);

		if (all->slots[slot].arrival_ns || __sync_val_compare_and_swap(&all->slots[slot].arrival_ns, 0, since))
			continue;
		if (slot >= AETHER_NEAR_UNREAD)
			__sync_fetch_and_add(&all->far, 1);
		return slot + 1;
	}
	return 0;
}

static __always_inline struct aether_unread_table *queue_all_unread(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&unread, &zero);
}

static __always_inline void queue_give(struct aether_queue_socket *socket)
{
	struct aether_unread_table *all = queue_all_unread();
	__u32 slot = (socket->slot - 1) & (AETHER_MAX_UNREAD - 1);

	if (!all || !socket->slot)
		return;
	socket->slot = 0;
	all->slots[slot].arrival_ns = 0;
	if (slot >= AETHER_NEAR_UNREAD)
		__sync_fetch_and_add(&all->far, -1);
}

/* Everything is read, or the connection is over. */
static __always_inline void queue_settle(struct aether_queue_socket *socket, struct aether_local *local, __u64 now)
{
	__u64 arrival = socket->arrival_ns;

	if (!arrival)
		return;
	socket->arrival_ns = 0;
	if (local)
		local->waiting_ns = 0;
	queue_give(socket);
	if (aether_since(arrival, now) >= stall_after_ns)
		queue_changed(&socket->local, now);
}

static __always_inline void queue_wait(struct sock *sk, struct aether_queue_socket *socket, struct aether_local *local,
				       __u64 since)
{
	struct aether_unread_table *all = queue_all_unread();
	__u32 slot;

	if (!all)
		return;
	if (!socket->slot)
		socket->slot = queue_take(all, sk, since);
	if (!socket->slot) {
		aether_map_failed(-E2BIG);
		return;
	}
	socket->arrival_ns = since;
	if (local && !local->waiting_ns)
		local->waiting_ns = since;
	slot = (socket->slot - 1) & (AETHER_MAX_UNREAD - 1);
	all->slots[slot].local = socket->local;
}

#endif /* AETHER_QUEUE_UNREAD_BPF_H */
