/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An object whose programs see every segment of the watched sockets rests while none of these concerns it: off its
 * hooks, with its maps as they are.
 */
#ifndef AETHER_REST_H
#define AETHER_REST_H

#include "loader.h"

struct rest {
	struct feature *feature; /* attached */
	struct pins *pins;
	int cgroup;  /* directory */
	__u32 quiet; /* looks without any need of it, one after the other */
};

/* Once a second, by a thread that may attach: puts it to rest after a while, and takes it back at once. 0 or -errno. */
int rest_look(struct rest *rest, int needed);

#endif /* AETHER_REST_H */
