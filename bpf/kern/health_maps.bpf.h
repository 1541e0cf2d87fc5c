/* SPDX-License-Identifier: GPL-2.0-only */
/* What health remembers. */
#ifndef AETHER_HEALTH_MAPS_BPF_H
#define AETHER_HEALTH_MAPS_BPF_H

#include "ring.bpf.h"
#include "socket.bpf.h"

#define SOL_TCP 6

enum { EVENT_HEALTH, EVENT_SPEAK };

const volatile __u64 stall_after_ns = 10000000;
/* The longest that a server's sockets hold back an acknowledgement; 0 leaves it to the kernel. */
const volatile __u32 ack_delay_us = 8000;

struct health_socket {
	union {
		struct aether_flow_key peer;   /* of a client's socket */
		struct aether_local_key local; /* of a server's socket */
	};
	__u32 una;		   /* client: the first byte that is not acknowledged, after the handshake */
	struct aether_health said; /* in the last option written */
	struct aether_health next; /* in the one to be written now */
	__u8 writes;		   /* room for it is reserved */
	__u8 server;
	__u8 stalled; /* client: the peer said so here */
	__u8 silent;  /* client: all is said */
	__u8 asked;   /* client: for ECN, see health_ecn */
};

SOCKET_STORAGE(speakers, struct health_socket);

/* A network namespace with listeners. */
struct health_namespace {
	__u32 inum;
	__u32 tcp_ecn; /* net.ipv4.tcp_ecn, when somebody began to listen there last */
};

/* Which one a cookie stands for. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, AETHER_MAX_LOCALS);
	__type(key, __u64);
	__type(value, struct health_namespace);
} namespaces SEC(".maps");

/* Settings: written before the program is attached. */
struct {
	__uint(type, BPF_MAP_TYPE_LPM_TRIE);
	__uint(map_flags, BPF_F_NO_PREALLOC | BPF_F_RDONLY_PROG);
	__uint(max_entries, AETHER_MAX_PREFIXES);
	__type(key, struct aether_prefix);
	__type(value, __u8);
} prefixes SEC(".maps");

HEARD(heard);

/* When anything was heard last: spares the pump a walk through the map above. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} heard_last SEC(".maps");

/* What the agent has to say. The programs may outlive it, its word does not: the second map has the time of its last,
 * and whether it says anything at all. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_RDONLY_PROG);
	__uint(max_entries, AETHER_MAX_LOCALS);
	__type(key, struct aether_local_key);
	__type(value, struct aether_own);
} own SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_RDONLY_PROG);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct aether_own_all);
} own_all SEC(".maps");

/* The next two are queue's when that object is attached; empty otherwise. */
SOCKET_STORAGE(queue_sockets, struct aether_socket);
LOCALS(queue_locals);

static const struct aether_health no_health = {.flags = AETHER_OPTION_VERSION};

#endif /* AETHER_HEALTH_MAPS_BPF_H */
