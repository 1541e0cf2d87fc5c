/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AETHER_COMMON_BPF_H
#define AETHER_COMMON_BPF_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/bpf.h>

#include "kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "aether_kern.h"

#define LEVEL_UNKNOWN 0xffffffffU
#define MAX_DEPTH 12
#define E2BIG 7
#define ENOMEM 12
#define EBUSY 16

/* The cgroup to watch: its id and its depth below the root, 0 for the root itself. */
const volatile __u64 watched_cgroup = 0;
const volatile __u32 watched_level = 0;

/* Time from then to now; zero when another CPU took its time later than this one. */
static __always_inline __u64 aether_since(__u64 then, __u64 now)
{
	return now > then ? now - then : 0;
}

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct aether_counts);
} counts SEC(".maps");

/*
 * Takes turns with the program of another agent: one that takes over attaches its programs while the earlier ones still
 * run and then, for all of an object at once, says whose turn it is. Each event is seen by one of the two, not by both.
 */
const volatile __u32 generation = 0;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} turn SEC(".maps");

/* For programs whose links cannot change their program: those of tracepoints. */
static __always_inline bool aether_my_turn(void)
{
	__u32 zero = 0;
	__u32 *whose = bpf_map_lookup_elem(&turn, &zero);

	return whose && *whose == generation;
}

static __always_inline struct aether_counts *aether_counts(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&counts, &zero);
}

static __always_inline void aether_count_all(int program, __u32 events, __u64 now)
{
	struct aether_counts *c = aether_counts();

	if (c) {
		c->events[program] += events;
		c->last_ns = now;
	}
}

static __always_inline void aether_count(int program, __u64 now)
{
	aether_count_all(program, 1, now);
}

static __always_inline void aether_map_caused(enum aether_cause cause)
{
	struct aether_counts *c = aether_counts();

	if (!c)
		return;
	c->map_errors++;
	c->causes[cause]++;
}

/* No entry, and nothing says why. */
static __always_inline void aether_map_error(void)
{
	aether_map_caused(AETHER_CAUSE_UNKNOWN);
}

/* An update failed with this (negative) error. */
static __always_inline void aether_map_failed(long error)
{
	enum aether_cause cause = AETHER_CAUSE_OTHER;

	if (error == -E2BIG)
		cause = AETHER_CAUSE_E2BIG;
	else if (error == -ENOMEM)
		cause = AETHER_CAUSE_ENOMEM;
	else if (error == -EBUSY)
		cause = AETHER_CAUSE_EBUSY;
	aether_map_caused(cause);
}

static __always_inline bool aether_ancestor_watched(struct cgroup *cgroup, __u32 level)
{
	struct cgroup *ancestor = NULL;

	bpf_core_read(&ancestor, sizeof(ancestor), &cgroup->ancestors[level]);
	return BPF_CORE_READ(ancestor, kn, id) == watched_cgroup;
}

/* Is this cgroup the watched one or below it? */
static __always_inline bool aether_watched(struct cgroup *cgroup)
{
	int level;

	if (!watched_level)
		return true;
	level = BPF_CORE_READ(cgroup, level);
	if (watched_level != LEVEL_UNKNOWN)
		return level >= (int)watched_level && aether_ancestor_watched(cgroup, watched_level);
	for (int i = 0; i < MAX_DEPTH; i++) {
		if (i <= level && aether_ancestor_watched(cgroup, i))
			return true;
	}
	return false;
}

static __always_inline void aether_map_v4(__u8 *addr, __u32 v4)
{
	__u32 *words = (__u32 *)addr;

	words[0] = 0;
	words[1] = 0;
	words[2] = bpf_htonl(0xffff);
	words[3] = v4;
}

/* The remote address of a socket outside sockops. */
static __always_inline void aether_remote(__u8 *addr, const struct sock_common *skc)
{
	__u32 *words = (__u32 *)addr;

	if (skc->skc_family == AF_INET) {
		aether_map_v4(addr, skc->skc_daddr);
		return;
	}
	words[0] = skc->skc_v6_daddr.in6_u.u6_addr32[0];
	words[1] = skc->skc_v6_daddr.in6_u.u6_addr32[1];
	words[2] = skc->skc_v6_daddr.in6_u.u6_addr32[2];
	words[3] = skc->skc_v6_daddr.in6_u.u6_addr32[3];
}

#define TCP_ECN_OK 1

/* Whether both ends agreed on ECN in the handshake. */
static __always_inline __u8 aether_has_ecn(const struct tcp_sock *tp)
{
	return tp && tp->ecn_flags & TCP_ECN_OK;
}

#endif /* AETHER_COMMON_BPF_H */
