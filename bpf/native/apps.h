/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What applications publish of their own queues (layout and protocol: aether_app.h). A thread of its own finds the
 * files and makes sure of their writers; the pump reads those that are found good, with one call into the kernel each.
 */
#ifndef AETHER_APPS_H
#define AETHER_APPS_H

#include <linux/types.h>

#include "aether_app.h"
#include "error.h"

#define APPS_MAX 256 /* files read; each costs the pump less than 2 us a tick */

struct apps;

/* What the applications behind one endpoint say together, within bounds. */
struct app_words {
	__u64 time_ns; /* 0: nothing */
	__u32 running, waiting;
	__u32 est_wait_us;
	__u32 mark_from_us, mark_all_us;
	__u8 pressure;
};

/* Makes the directory beside the table; `cgroup` is the watched one's. NULL and why, when that is not possible. */
struct apps *apps_open(const char *table, const char *cgroup, struct error *error);
/* After the pump's end. Removes the directory unless somebody's file is in it. */
void apps_close(struct apps *apps);

/* The thread; it keeps the privilege of looking at other users' processes. */
void apps_start(struct apps *apps);
void apps_stop(struct apps *apps);

/* The pump's tick: tells what each file that is young enough says of the endpoint behind each of its ports. */
void apps_read(struct apps *apps, __u64 now,
	       void (*tell)(void *context, __u32 netns, __u64 cgroup, __u16 port, const struct app_words *words),
	       void *context);

/* Any thread: files that are read, and those refused so far. */
void apps_figures(const struct apps *apps, __u64 *read, __u64 *refused);

#endif /* AETHER_APPS_H */
