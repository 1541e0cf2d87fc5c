/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AETHER_CGROUP_H
#define AETHER_CGROUP_H

#include <linux/bpf.h>
#include <stddef.h>

#include "error.h"

struct watched;

#define LEVEL_UNKNOWN 0xffffffffU

/* Opens the directory of a v2 cgroup and finds its id and its depth. */
int cgroup_open(struct watched *watched, const char *path, struct error *error);

/* Names the programs because of which nobody else can attach at this point of the cgroup; "" when there are none. */
void cgroup_holders(const char *path, enum bpf_attach_type type, char *text, size_t size);

/* Names those at this point of the cgroup, or of one above it, that let others attach. */
void cgroup_sharers(const char *path, enum bpf_attach_type type, char *text, size_t size);

/* "name (program 12)" */
void cgroup_name_program(__u32 id, char *text, size_t size);

#endif /* AETHER_CGROUP_H */
