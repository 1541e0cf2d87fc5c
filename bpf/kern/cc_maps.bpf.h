/* SPDX-License-Identifier: GPL-2.0-only */
/* What cc remembers. */
#ifndef AETHER_CC_MAPS_BPF_H
#define AETHER_CC_MAPS_BPF_H

#include "shared_maps.bpf.h"

#include "aether_cc.h"

#define SOL_SOCKET 1
#define SO_MAX_PACING_RATE 47
#define SOL_TCP 6
#define TCP_CONGESTION 13
#define TCP_ECN_DEMAND_CWR 4
#define NSEC_PER_SEC 1000000000ULL

enum {
	EVENT_INIT,
	EVENT_SSTHRESH,
	EVENT_AVOID,
	EVENT_ACKED,
	EVENT_STATE,
	EVENT_EVENT,
	EVENT_UNDO,
	EVENT_SEGS,
	EVENT_SOCKETS
};

const volatile __u32 rto_min_us = 10000;
const volatile __u32 cc_ack_delay_us = 8000;

/* One connection of an opted-in cgroup. */
struct cc_socket {
	struct aether_flow_key peer; /* of a client's: the server */
	struct aether_local_key local;
	/* What a client has seen come, and said. */
	__u64 bytes, piece, said_ns;
	__u32 disordered;
	struct aether_word next;
	__u16 said; /* share */
	__u8 server, writes;
	/* What a server heard. */
	__u16 share;
	__u64 heard_ns;
	/* The control's. */
	__u64 burst;		  /* bytes sent before this burst */
	__u32 pace;		  /* bytes a second, as the kernel was told; 0: none */
	__u32 queue_us, least_us; /* least of the samples now, of those before */
	__u32 samples;
	__u32 alpha;				   /* share of marks, of ALPHA_ALL */
	__u32 window_end, delivered, delivered_ce; /* of the window that is counted */
	__u32 window;				   /* when last looked at */
	__u32 window_before;			   /* the last cut */
	__u32 next_expected;			   /* as receiver: where the last segment began */
	__u8 marked;				   /* as receiver: the last segment was */
	__u8 state;
};

SOCKET_STORAGE(controlled, struct cc_socket);

/* By the network namespace's cookie. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, AETHER_MAX_FANS);
	__type(key, __u64);
	__type(value, struct aether_fan);
} fans SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct aether_cc_counts);
} control_counts SEC(".maps");

/* Settings: written before the programs are attached. */
struct {
	__uint(type, BPF_MAP_TYPE_LPM_TRIE);
	__uint(map_flags, BPF_F_NO_PREALLOC | BPF_F_RDONLY_PROG);
	__uint(max_entries, AETHER_MAX_PREFIXES);
	__type(key, struct aether_prefix);
	__type(value, __u8);
} networks SEC(".maps");

/* Those of health and ecn when these objects are attached; empty otherwise. */
HEARD(health_heard);
LEVELS(ecn_levels);
LEVELS_LAST(ecn_levels_last);

static __always_inline struct aether_cc_counts *cc_counts(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&control_counts, &zero);
}

#endif /* AETHER_CC_MAPS_BPF_H */
