/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AETHER_GUARD_MAPS_BPF_H
#define AETHER_GUARD_MAPS_BPF_H

#include <stdbool.h>

#include <linux/bpf.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "aether_guard.h"

/* Whether a verdict against a packet drops it, or is only counted. */
const volatile __u8 enforce = 0;
/* The clock is the kernel's count of ticks, which costs nothing to read; so long is one of them. */
const volatile __u64 tick_ns = 4000000;
/* A source may ask for one connection in each of these times ... */
const volatile __u64 syn_gap_ns = 5000000;
/* ... and for so much of that time in advance. */
const volatile __u64 syn_credit_ns = 1000000000;
/* Odd and secret, so that nobody can choose whose buckets he shares. */
const volatile __u64 secrets[GUARD_ROWS] = {0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f};

/* The loader sets the sizes. */
#define GUARD_TRIE(name, prefix)                                                                                       \
	struct {                                                                                                       \
		__uint(type, BPF_MAP_TYPE_LPM_TRIE);                                                                   \
		__uint(map_flags, BPF_F_NO_PREALLOC);                                                                  \
		__uint(max_entries, 1);                                                                                \
		__type(key, struct prefix);                                                                            \
		__type(value, struct guard_entry);                                                                     \
	} name SEC(".maps")

#define GUARD_TABLE(name, key_type)                                                                                    \
	struct {                                                                                                       \
		__uint(type, BPF_MAP_TYPE_LRU_HASH);                                                                   \
		__uint(max_entries, 1);                                                                                \
		__type(key, key_type);                                                                                 \
		__type(value, __u64);                                                                                  \
	} name SEC(".maps")

GUARD_TRIE(trusted4, guard_prefix4);
GUARD_TRIE(trusted6, guard_prefix6);
GUARD_TRIE(blocked4, guard_prefix4);
GUARD_TRIE(blocked6, guard_prefix6);

/* Connections that a socket of this node was found to have, and when. */
GUARD_TABLE(connections4, struct guard_conn4);
GUARD_TABLE(connections6, struct guard_conn6);

/* Until when the sources that share a bucket have paid; rows one after the other, see guard_within_rate(). */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2 * GUARD_ROWS * GUARD_BUCKETS);
	__type(key, __u32);
	__type(value, __u64);
} buckets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, GUARD_VERDICTS);
	__type(key, __u32);
	__type(value, __u64);
} verdicts SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1 << GUARD_RECENT_BITS);
	__type(key, __u32);
	__type(value, struct guard_recent);
} recents SEC(".maps");

/* Changes after each change of the lists: what was remembered before then counts no longer. Never 0. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} version SEC(".maps");

/* Of sockets, as the kernel numbers them. */
#define STATE_LISTEN 10

static __always_inline __u64 guard_now(void)
{
	return bpf_jiffies64() * tick_ns;
}

#endif /* AETHER_GUARD_MAPS_BPF_H */
