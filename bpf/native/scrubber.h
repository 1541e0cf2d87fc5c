/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the program that takes marks off attached to the interfaces of the network namespaces where clients live, and
 * those that set and count marks to the watched cgroup while there is any connection with ECN.
 */
#ifndef AETHER_SCRUBBER_H
#define AETHER_SCRUBBER_H

#include "rest.h"

#define SCRUB_NAMESPACES 64

struct scrub_figures {
	__u32 wanted[SCRUB_NAMESPACES]; /* inodes, written by the pump */
	__u32 wanted_count;
	int connections;  /* whether any has ECN, clients' or servers'; written by the pump */
	__u64 interfaces; /* attached to now; written by the scrubber, read by any */
	__u64 failures;
};

struct scrubber;

/* A thread of its own; NULL when there is nothing to do. Needs Linux 6.6 (TCX) and, for other namespaces, privileges.
 */
struct scrubber *scrubber_start(const struct rest *ecn, struct scrub_figures *figures);
void scrubber_stop(struct scrubber *scrubber);

#endif /* AETHER_SCRUBBER_H */
