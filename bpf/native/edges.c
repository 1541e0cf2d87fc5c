// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "edges.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "clock.h"

struct edges *edges_open(void)
{
	struct edges *edges = calloc(1, sizeof(*edges));

	if (!edges)
		return NULL;
	edges->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (edges->wake >= 0)
		return edges;
	free(edges);
	return NULL;
}

void edges_close(struct edges *edges)
{
	if (!edges)
		return;
	close(edges->wake);
	free(edges);
}

static void fill(struct edge *edge, const struct aether_slot *slot, __u8 before, __u8 after)
{
	const struct aether_report *report = &slot->report;

	*edge = (struct edge){
		.time_ns = clock_now(),
		.netns = slot->netns,
		.port = slot->port,
		.kind = slot->kind,
		.before = before,
		.after = after,
		.source = report->source,
		.stall_age_us = report->stall_age_us,
		.sojourn_us = report->sojourn_us,
	};
	memcpy(edge->addr, slot->addr, sizeof(edge->addr));
	if (slot->kind == AETHER_LOCAL) {
		edge->unread = slot->queue.unread;
	} else {
		edge->srtt_us = slot->path.srtt_us;
		edge->min_rtt_us = slot->path.min_rtt_us;
	}
}

static void append(struct edges *edges, const struct aether_slot *slot, __u8 before, __u8 after)
{
	__u64 head = edges->head;

	if (before == after || !__atomic_load_n(&edges->wanted, __ATOMIC_RELAXED))
		return;
	if (head - __atomic_load_n(&edges->tail, __ATOMIC_ACQUIRE) == EDGES) {
		__atomic_store_n(&edges->lost, edges->lost + 1, __ATOMIC_RELAXED);
		return;
	}
	fill(&edges->ring[head % EDGES], slot, before, after);
	/*
	 * Sequentially consistent on both sides: either the reader sees this edge before it goes to sleep, or it is
	 * seen here that it had read everything and may sleep. While it is behind it needs no call of the kernel.
	 */
	__atomic_store_n(&edges->head, head + 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&edges->tail, __ATOMIC_SEQ_CST) == head)
		eventfd_write(edges->wake, 1);
}

void edges_note(struct edges *edges, const struct aether_slot *slot, __u8 before)
{
	append(edges, slot, before, slot->flags);
}

void edges_drop(struct edges *edges, const struct aether_slot *slot)
{
	append(edges, slot, slot->flags & ~AETHER_GONE, 0);
}

static int copy(struct edges *edges, __u64 head, struct edge *to, int count)
{
	__u64 tail = edges->tail;
	int n = 0;

	for (; n < count && tail != head; n++, tail++)
		to[n] = edges->ring[tail % EDGES];
	__atomic_store_n(&edges->tail, tail, __ATOMIC_SEQ_CST);
	return n;
}

int edges_take(struct edges *edges, int stop, struct edge *to, int count)
{
	struct pollfd fds[] = {{.fd = stop, .events = POLLIN}, {.fd = edges->wake, .events = POLLIN}};

	__atomic_store_n(&edges->wanted, 1, __ATOMIC_RELAXED);
	for (;;) {
		__u64 head = __atomic_load_n(&edges->head, __ATOMIC_SEQ_CST);
		eventfd_t wakes;

		if (head != edges->tail)
			return copy(edges, head, to, count);
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return -1;
		if (fds[0].revents)
			return -1;
		eventfd_read(edges->wake, &wakes);
	}
}

__u64 edges_lost(const struct edges *edges)
{
	return __atomic_load_n(&edges->lost, __ATOMIC_RELAXED);
}
