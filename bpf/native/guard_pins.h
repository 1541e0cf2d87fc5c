/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links of the guard that outlive the agent, as DIRECTORY/guard/link_INDEX, by the index of the interface: its name may
 * hold what a bpf file system does not take. What they run goes on with the lists that it has, which are pinned beside
 * them, as map_NAME, for the next agent to read.
 */
#ifndef AETHER_GUARD_PINS_H
#define AETHER_GUARD_PINS_H

#include "guard.h"

/* From here on links are pinned below this directory, and those that are there are taken over. 0, or -1 and why not. */
int guard_pins_open(struct guard *guard, const char *path, int keep, struct error *error);

/* The pinned link of this interface, or -1. */
int guard_pins_take(const struct guard *guard, int interface);

/* Pins a link; 0 or -errno. */
int guard_pins_put(const struct guard *guard, int interface, int link);

/* A pinned list, or -1. */
int guard_pins_list(const struct guard *guard, const char *name);

/* In the place of the one that is there. Whoever cannot goes without: links have told why by then. */
void guard_pins_put_list(const struct guard *guard, const char *name, int map);

/* Removes what no port of the guard has: interfaces that are gone, or no longer named. */
void guard_pins_prune(const struct guard *guard);

/* Removes all, unless they are to be kept. */
void guard_pins_close(struct guard *guard);

#endif /* AETHER_GUARD_PINS_H */
