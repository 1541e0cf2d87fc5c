/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AETHER_RING_BPF_H
#define AETHER_RING_BPF_H

#include "shared_maps.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, AETHER_RING_BYTES);
} edges SEC(".maps");

/* A slot for one edge, or NULL after counting the loss: the pump's next tick then finds the change. */
static __always_inline struct aether_edge *aether_edge(enum aether_edge_type type, __u64 now)
{
	struct aether_edge *edge = bpf_ringbuf_reserve(&edges, sizeof(*edge), 0);
	struct aether_counts *c;

	if (edge) {
		edge->time_ns = now;
		edge->type = type;
		edge->pad = 0;
		return edge;
	}
	c = aether_counts();
	if (c)
		c->ring_lost++;
	return NULL;
}

#endif /* AETHER_RING_BPF_H */
