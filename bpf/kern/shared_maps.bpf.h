/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Maps that several objects use, so that all declare them alike. The owner declares one under its name, the others as
 * OWNER_NAME: the loader then gives them the owner's map, and when that object is not attached they have an empty one
 * of their own.
 */
#ifndef AETHER_SHARED_MAPS_BPF_H
#define AETHER_SHARED_MAPS_BPF_H

#include "common.bpf.h"

/* flow's and queue's "sockets". */
#define SOCKET_STORAGE(name, of_socket)                                                                                \
	struct {                                                                                                       \
		__uint(type, BPF_MAP_TYPE_SK_STORAGE);                                                                 \
		__uint(map_flags, BPF_F_NO_PREALLOC);                                                                  \
		__type(key, int);                                                                                      \
		__type(value, of_socket);                                                                              \
	} name SEC(".maps")

/* queue's "locals". */
#define LOCALS(name)                                                                                                   \
	struct {                                                                                                       \
		__uint(type, BPF_MAP_TYPE_HASH);                                                                       \
		__uint(max_entries, AETHER_MAX_LOCALS);                                                                \
		__type(key, struct aether_local_key);                                                                  \
		__type(value, struct aether_local);                                                                    \
	} name SEC(".maps")

/* health's "heard". */
#define HEARD(name)                                                                                                    \
	struct {                                                                                                       \
		__uint(type, BPF_MAP_TYPE_LRU_HASH);                                                                   \
		__uint(max_entries, AETHER_MAX_PEERS);                                                                 \
		__type(key, struct aether_flow_key);                                                                   \
		__type(value, struct aether_heard);                                                                    \
	} name SEC(".maps")

/* ecn's "levels", the pump's word: an endpoint without an entry marks nothing ... */
#define LEVELS(name)                                                                                                   \
	struct {                                                                                                       \
		__uint(type, BPF_MAP_TYPE_HASH);                                                                       \
		__uint(map_flags, BPF_F_RDONLY_PROG);                                                                  \
		__uint(max_entries, AETHER_MAX_LOCALS);                                                                \
		__type(key, struct aether_local_key);                                                                  \
		__type(value, struct aether_level);                                                                    \
	} name SEC(".maps")

/* ... and its "levels_last": nor does any once this time is old. */
#define LEVELS_LAST(name)                                                                                              \
	struct {                                                                                                       \
		__uint(type, BPF_MAP_TYPE_ARRAY);                                                                      \
		__uint(map_flags, BPF_F_RDONLY_PROG);                                                                  \
		__uint(max_entries, 1);                                                                                \
		__type(key, __u32);                                                                                    \
		__type(value, __u64);                                                                                  \
	} name SEC(".maps")

#endif /* AETHER_SHARED_MAPS_BPF_H */
