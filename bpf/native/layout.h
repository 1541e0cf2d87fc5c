/* SPDX-License-Identifier: Apache-2.0 */
/* What the maps of an object look like, in one number. */
#ifndef AETHER_LAYOUT_H
#define AETHER_LAYOUT_H

#include <bpf/libbpf.h>
#include <linux/types.h>

/* Seed with LAYOUT_SEED, then add each map. Equal numbers: the same maps with the same keys and values. */
#define LAYOUT_SEED 0xcbf29ce484222325ULL

void layout_add(__u64 *layout, const struct bpf_object *object, const struct bpf_map *map);

#endif /* AETHER_LAYOUT_H */
