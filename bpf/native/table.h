/* SPDX-License-Identifier: Apache-2.0 */
/* The writer's half of the health table (layout and protocol: aether_abi.h). One thread writes. */
#ifndef AETHER_TABLE_H
#define AETHER_TABLE_H

#include "aether_abi.h"

#include "error.h"

struct table {
	struct aether_header *header;
	struct aether_slot *slots;
	__u32 mask;
	size_t size;
};

/*
 * Creates a fresh file in place of path; readers of an earlier one notice the new inode. Fails when a
 * living agent writes there. slots is rounded up to a power of two.
 */
int table_open(struct table *table, const char *path, __u32 slots, struct error *error);

/* Declares the table dead for its readers; the file stays. */
void table_close(struct table *table);

void table_beat(struct table *table, __u64 now);

struct aether_slot *table_find(const struct table *table, const struct aether_key *key);

/* Finds or takes a slot; NULL, and counted in the header, when none is free within the probe limit. */
struct aether_slot *table_take(struct table *table, const struct aether_key *key);

void table_remove(struct table *table, struct aether_slot *slot);

/* Every change of a slot's fields stands between these two. */
void slot_begin(struct aether_slot *slot);
void slot_end(struct aether_slot *slot);

#endif /* AETHER_TABLE_H */
