/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/*
 * What the kernel programs and the pump say to each other: the maps' keys and values and the ring's records.
 * Internal: both sides are always built together. The contract with applications is aether_abi.h.
 */
#ifndef AETHER_KERN_H
#define AETHER_KERN_H

#include <linux/types.h>

#include "aether_health.h"

/* To be raised when a field of a map below changes its meaning but not its place or name; see pins.c. */
#define AETHER_MAPS_VERSION 1

#define AETHER_MAX_PEERS 8192 /* LRU: twice what the default table holds */
#define AETHER_MAX_LOCALS 1024
#define AETHER_MAX_UNREAD 4096 /* a power of two */
#define AETHER_NEAR_UNREAD 260 /* those that are tried first, and the only ones in use while few connections wait */
#define AETHER_MAX_CGROUPS 1024
#define AETHER_MAX_PREFIXES 256
#define AETHER_MAX_HTTP 8192	  /* LRU: endpoints of either kind whose answers are counted */
#define AETHER_MAX_SESSIONS 16384 /* LRU: connections in TLS */
#define AETHER_MAX_CLIENTS 16384  /* LRU: addresses that local endpoints send to */
#define AETHER_EVENTS 10
#define AETHER_RING_BYTES (256 * 1024)
#define AETHER_RUNQ_BUCKETS 24 /* bucket b counts waits below 2^b us, the last one all longer ones */

/* flow: one remote endpoint as the clients of one network namespace see it. */
struct aether_flow_key {
	__u8 addr[16];
	__u32 netns;
	__u16 port; /* host order */
	__u16 pad;
};

struct aether_flow {
	__u64 time_ns;		  /* last event */
	__u64 congested_since_ns; /* 0: not congested */
	__u64 window_ns;	  /* start of the current half of the minimum's window */
	__u64 segs_out;
	__u64 retrans;
	__u32 rtt_us;	 /* estimate, see flow_rtt() */
	__u32 min_us[2]; /* this half of the window, the half before */
	__u32 cwnd;
	__u32 in_flight_bytes;
	__s32 connections;
	__u32 syn_retrans;
	__u32 rtt_samples;
	__s32 ecn_connections; /* those of them that negotiated ECN */
};

/* flow: what is known of one socket that connected. Shared with ecn. */
struct aether_flow_socket {
	struct aether_flow_key key;
	__u32 snd_una;
	__u32 segs_out;
	__u8 counted; /* in connections */
	__u8 ecn;     /* and in those with ECN */
	__u16 pad;
};

/* queue: one listening port of one network namespace. */
struct aether_local_key {
	__u32 netns;
	__u16 port; /* host order */
	__u16 pad;
};

struct aether_local {
	__u64 cgroup;
	/* What each request changes: 60 bytes that share a cache line, as the map's entries lie in memory. */
	__u64 time_ns; /* last arrival, read or listener event */
	__u64 reads;
	__u64 arrivals;
	__u64 served_ns;   /* arrival time of the latest data that was read */
	__u64 waiting_ns;  /* since when data has come and none was read; 0 after a read */
	__u64 window_ns;   /* start of the current second */
	__u32 sojourn_us;  /* EWMA */
	__u32 worst_us[2]; /* this second, the second before */
	/* ... to here. */
	__s32 listeners;
	__u64 gone_ns; /* when the last listener closed; 0 while one is open */
	__u8 addr[16]; /* bound address, :: when there are several */
	__s32 connections;
	__u32 accept_queue; /* sampled */
	__u32 accept_max;
	__s32 ecn_connections; /* those of them that negotiated ECN */
};

/* queue: one connection with data that nobody has read. The pump reads these in place. */
struct aether_unread {
	__u64 arrival_ns; /* of the oldest such data; 0: free */
	struct aether_local_key local;
};

struct aether_unread_table {
	struct aether_unread slots[AETHER_MAX_UNREAD];
	__s64 far; /* how many are in use behind the near ones */
};

/* queue: the ports, of whatever namespace, that somebody watched listens on or did: a bit for each. */
struct aether_ports {
	__u64 words[65536 / 64];
};

/* queue: which namespace an address served by this node belongs to. */
struct aether_served_key {
	__u8 addr[16];
	__u16 port;
	__u16 pad[3];
};

/* queue: what is known of one socket. Shared with health and ecn, and beside what http knows (socket.bpf.h). */
struct aether_queue_socket {
	struct aether_local_key local;
	__u64 arrival_ns; /* of the oldest unread data; 0: everything is read */
	__u8 listener;	  /* counted as a listener */
	__u8 accepted;	  /* counted as a connection */
	__u16 slot;	  /* among the unread ones, 1 is the first; 0: none */
	__u8 ecn;	  /* counted as a connection with ECN */
};

/* health: a network whose hosts are listened to; the key of a trie. */
struct aether_prefix {
	__u32 bits;
	__u8 addr[16];
};

/* http and tls: an endpoint whose answers are counted; the local ones have no address. */
struct aether_http_key {
	__u8 addr[16];
	__u32 netns;
	__u16 port; /* host order */
	__u8 kind;  /* AETHER_PEER or AETHER_LOCAL */
	__u8 pad;
};

struct aether_answers {
	__u64 time_ns; /* of the last one */
	__u64 class_2xx;
	__u64 class_4xx;
	__u64 class_5xx;
	__u64 unknown;
	__u32 ttfb_us; /* EWMA */
	__u32 timed;   /* it has a first sample */
};

/* ecn: how likely the pump wants a local endpoint's segments to be marked, were all its clients alike. */
#define AETHER_LEVEL_ALL 65536
struct aether_level {
	__u32 probability; /* of AETHER_LEVEL_ALL */
	__u32 pad;
};

/* ecn: the programs may outlive the agent, its levels do not: none counts once its last sign of life is so old. */
#define AETHER_LEVEL_VALID_NS 1000000000ULL

/* ecn: a number per half second, for this half and the one before: the half's own number << 32 | the count. */
#define AETHER_HALF_NS 500000000ULL
struct aether_tally {
	__u64 half[2];
};

/* ecn: what a local endpoint sent to clients with ECN. */
struct aether_marking {
	__u64 time_ns;
	__u64 ce, ect; /* segments, marked or not */
	struct aether_tally segments, clients;
};

struct aether_client_key {
	__u8 addr[16];
	struct aether_local_key local;
};

/* ecn: what came from a peer that could be marked. */
struct aether_arrived {
	__u64 time_ns;
	__u64 ce;	/* marked, also those whose mark was taken off */
	__u64 able;	/* all, marked or not */
	__u64 scrubbed; /* those whose mark was taken off */
};

/* tls: which function of the library a probe stands at; its cookie. */
enum aether_tls_call {
	AETHER_TLS_HANDSHAKE = 1, /* SSL_do_handshake */
	AETHER_TLS_WRITE,	  /* SSL_write, SSL_write_ex */
	AETHER_TLS_READ,	  /* SSL_read */
	AETHER_TLS_READ_EX,	  /* SSL_read_ex */
};

/* sched: run-queue waits of the tasks of one cgroup. */
struct aether_runq {
	__u64 count[AETHER_RUNQ_BUCKETS];
	__u64 sum_ns;
	__u64 preempted_own;	/* put back on the queue by a task of the same cgroup */
	__u64 preempted_other;	/* ... by a task of another one */
	__u64 preempted_kernel; /* ... by a kernel thread */
	__u64 throttles;	/* times that a task got its CPU back after its cgroup had been without quota */
	__u64 throttled_ns;	/* these waits together; not in the buckets */
	__u64 told_until_ns;	/* per CPU: the end of the gap that was told last */
};

/* sched: a cgroup whose task lost its CPU for want of quota. */
struct aether_quota {
	__u64 cgroup;
	__u64 until_ns; /* when the quota is filled up again */
	__u64 period_ns;
};

/* Ring records: something that the pump must look at before its next tick. */
enum aether_edge_type {
	AETHER_EDGE_PEER = 1, /* a peer is new, became congested or stopped being so */
	AETHER_EDGE_LOCAL,    /* a listener came or went, or stalled data was read */
	AETHER_EDGE_HEARD,    /* a peer says that it stalls or does so no longer */
	AETHER_EDGE_QUOTA,    /* a cgroup has no quota left */
};

struct aether_edge {
	__u64 time_ns;
	__u32 type;
	__u32 pad;
	union {
		struct aether_flow_key peer;
		struct aether_local_key local;
		struct aether_quota quota;
	};
};

/* Why an entry found no room in a map; the order is that of io.aether.agent.bpf.ProbeCounters. */
enum aether_cause {
	AETHER_CAUSE_UNKNOWN, /* a socket's or task's storage: the kernel does not say */
	AETHER_CAUSE_E2BIG,   /* the map is full */
	AETHER_CAUSE_ENOMEM,
	AETHER_CAUSE_EBUSY, /* interrupted while it was being changed */
	AETHER_CAUSE_OTHER,
	AETHER_CAUSES,
};

/* Per CPU and object; events[] counts one program each, in the order of the object's programs. */
struct aether_counts {
	__u64 ring_lost;
	__u64 map_errors;
	__u64 malformed; /* header options */
	__u64 unmatched; /* answers in TLS whose socket is not known */
	__u64 last_ns;
	__u64 events[AETHER_EVENTS];
	__u64 causes[AETHER_CAUSES]; /* of the map errors */
};

#endif /* AETHER_KERN_H */
