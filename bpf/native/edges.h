/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes of the table's flags, on their way from the pump to the agent's stream. One writer, one reader. The writer
 * never waits: what finds no room is counted and left out, the table has it all the same.
 */
#ifndef AETHER_EDGES_H
#define AETHER_EDGES_H

#include "aether_abi.h"

/* Every endpoint of a default table may change once while the reader is held up by a collection of its JVM. */
#define EDGES 4096

/* As Java's Edge reads it: only 64-bit words. */
struct edge {
	__u64 time_ns; /* when the slot had been written */
	__u64 netns;
	__u64 addr[2];
	__u64 port;
	__u64 kind;
	__u64 before, after; /* flags */
	__u64 source;	     /* AETHER_FROM_* of the report */
	__u64 srtt_us, min_rtt_us;
	__u64 stall_age_us, sojourn_us;
	__u64 unread; /* connections; LOCAL only */
};

#define EDGE_WORDS (sizeof(struct edge) / sizeof(__u64))

struct edges {
	int wake;	  /* eventfd */
	int wanted;	  /* there is a reader */
	__u64 head, tail; /* written, read: totals */
	__u64 lost;
	struct edge ring[EDGES];
};

struct edges *edges_open(void);
void edges_close(struct edges *edges);

/* The slot was just written; before are the flags that it had. */
void edges_note(struct edges *edges, const struct aether_slot *slot, __u8 before);

/* The slot is about to be removed. That ends a stall or a congestion; what was gone stays gone. */
void edges_drop(struct edges *edges, const struct aether_slot *slot);

/* The reader: waits for edges and copies at most count; -1 once the descriptor stop is signalled. */
int edges_take(struct edges *edges, int stop, struct edge *to, int count);

__u64 edges_lost(const struct edges *edges);

#endif /* AETHER_EDGES_H */
