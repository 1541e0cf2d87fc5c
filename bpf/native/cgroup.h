/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AETHER_CGROUP_H
#define AETHER_CGROUP_H

#include "loader.h"

#define LEVEL_UNKNOWN 0xffffffffU

/* Opens the directory of a v2 cgroup and finds its id and its depth. */
int cgroup_open(struct watched *watched, const char *path, struct error *error);

/* Names the programs that hold an attach point of this cgroup or of one above it; "" when nobody does. */
void cgroup_holders(const char *path, enum bpf_attach_type type, char *text, size_t size);

#endif /* AETHER_CGROUP_H */
