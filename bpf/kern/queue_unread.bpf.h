/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of queue: the life of a connection's unread data. */
#ifndef AETHER_QUEUE_UNREAD_BPF_H
#define AETHER_QUEUE_UNREAD_BPF_H

#include "queue_maps.bpf.h"

/* Everything is read, or the connection is over. */
static __always_inline void queue_settle(struct sock *sk, struct aether_queue_socket *socket,
					 struct aether_local *local, __u64 now)
{
	__u64 cookie = (__u64)sk;
	__u64 arrival = socket->arrival_ns;

	if (!arrival)
		return;
	socket->arrival_ns = 0;
	if (local)
		local->waiting_ns = 0;
	bpf_map_delete_elem(&unread, &cookie);
	if (aether_since(arrival, now) >= stall_after_ns)
		queue_changed(&socket->local, now);
}

static __always_inline void queue_wait(struct sock *sk, struct aether_queue_socket *socket, struct aether_local *local,
				       __u64 since)
{
	struct aether_unread entry = {.arrival_ns = since, .local = socket->local};
	__u64 cookie = (__u64)sk;
	long error;

	socket->arrival_ns = since;
	if (local && !local->waiting_ns)
		local->waiting_ns = since;
	error = bpf_map_update_elem(&unread, &cookie, &entry, BPF_ANY);
	if (!error)
		return;
	socket->arrival_ns = 0;
	aether_map_failed(error);
}

#endif /* AETHER_QUEUE_UNREAD_BPF_H */
