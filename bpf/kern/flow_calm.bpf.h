/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of flow: which samples of a path that is well need no look. */
#ifndef AETHER_FLOW_CALM_BPF_H
#define AETHER_FLOW_CALM_BPF_H

#include "common.bpf.h"

/* A connection's samples too small to speak of congestion are looked at no more often than this. */
#define SAMPLE_NS 64000000ULL
#define CALM_PLACES 256

/* One of the kernel's ticks, whose count costs nothing to read. */
const volatile __u64 tick_ns = 4000000;

/* Connections whose path is well, and until when their small samples say nothing new; each CPU has its own. */
struct flow_calm {
	__u32 connection;
	__u32 pad;
	__u64 until_ns;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, CALM_PLACES);
	__type(key, __u32);
	__type(value, struct flow_calm);
} calm SEC(".maps");

/* The place of a connection among those that are well, by its ports. */
static __always_inline struct flow_calm *flow_place(struct bpf_sock_ops *ops, __u32 *connection)
{
	__u32 place;

	*connection = ops->local_port << 16 | (ops->remote_port & 0xffff) | ops->remote_port >> 16;
	*connection ^= ops->remote_ip6[3];
	place = (*connection ^ *connection >> 16) & (CALM_PLACES - 1);
	return bpf_map_lookup_elem(&calm, &place);
}

/*
 * A busy connection has thousands of samples a second, and small ones change nothing about a path that is well. What
 * was sent meanwhile is counted with the next sample. Known without the socket's storage, which costs more than the
 * rest; connections that share a place are looked at each time.
 */
static __always_inline bool flow_skips(struct bpf_sock_ops *ops)
{
	__u32 sample = ops->args[0], connection;
	struct flow_calm *known = flow_place(ops, &connection);

	return known && sample && sample < congested_floor_us && known->connection == connection &&
	       bpf_jiffies64() * tick_ns < known->until_ns;
}

static __always_inline void flow_note(struct bpf_sock_ops *ops, const struct aether_flow *flow)
{
	__u32 connection;
	struct flow_calm *known = flow_place(ops, &connection);

	if (!known)
		return;
	known->connection = connection;
	known->until_ns = flow->congested_since_ns || flow->rtt_us >= congested_floor_us
				  ? 0
				  : bpf_jiffies64() * tick_ns + SAMPLE_NS;
}

#endif /* AETHER_FLOW_CALM_BPF_H */
