/* SPDX-License-Identifier: GPL-2.0-only */
/* What ecn remembers. */
#ifndef AETHER_ECN_MAPS_BPF_H
#define AETHER_ECN_MAPS_BPF_H

#include "ecn_header.bpf.h"
#include "socket.bpf.h"

enum { EVENT_OUT, EVENT_IN, EVENT_SCRUB };

LEVELS(levels);
LEVELS_LAST(levels_last);

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, AETHER_MAX_LOCALS);
	__type(key, struct aether_local_key);
	__type(value, struct aether_marking);
} markings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, AETHER_MAX_CLIENTS);
	__type(key, struct aether_client_key);
	__type(value, struct aether_tally);
} clients SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, AETHER_MAX_PEERS);
	__type(key, struct aether_flow_key);
	__type(value, struct aether_arrived);
} arrived SEC(".maps");

/* Networks whose marks are taken off whatever their hosts say. */
struct {
	__uint(type, BPF_MAP_TYPE_LPM_TRIE);
	__uint(map_flags, BPF_F_NO_PREALLOC | BPF_F_RDONLY_PROG);
	__uint(max_entries, AETHER_MAX_PREFIXES);
	__type(key, struct aether_prefix);
	__type(value, __u8);
} trusted SEC(".maps");

/* Those of flow, queue and health when these objects are attached; empty otherwise. */
SOCKET_STORAGE(flow_sockets, struct aether_flow_socket);
SOCKET_STORAGE(queue_sockets, struct aether_socket);
HEARD(health_heard);

static const struct aether_marking no_marking;
static const struct aether_arrived nothing_arrived;
static const struct aether_tally no_tally;

static __always_inline struct aether_marking *ecn_marking(const struct aether_local_key *key)
{
	struct aether_marking *marking = bpf_map_lookup_elem(&markings, key);
	long error;

	if (marking)
		return marking;
	error = bpf_map_update_elem(&markings, key, &no_marking, BPF_NOEXIST);
	marking = bpf_map_lookup_elem(&markings, key);
	if (!marking)
		aether_map_failed(error);
	return marking;
}

static __always_inline struct aether_tally *ecn_client(const struct aether_client_key *key)
{
	struct aether_tally *tally = bpf_map_lookup_elem(&clients, key);
	long error;

	if (tally)
		return tally;
	error = bpf_map_update_elem(&clients, key, &no_tally, BPF_NOEXIST);
	tally = bpf_map_lookup_elem(&clients, key);
	if (!tally)
		aether_map_failed(error);
	return tally;
}

static __always_inline struct aether_arrived *ecn_arrived(const struct aether_flow_key *key)
{
	struct aether_arrived *from = bpf_map_lookup_elem(&arrived, key);
	long error;

	if (from)
		return from;
	error = bpf_map_update_elem(&arrived, key, &nothing_arrived, BPF_NOEXIST);
	from = bpf_map_lookup_elem(&arrived, key);
	if (!from)
		aether_map_failed(error);
	return from;
}

#endif /* AETHER_ECN_MAPS_BPF_H */
