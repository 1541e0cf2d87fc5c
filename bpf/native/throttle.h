/* SPDX-License-Identifier: Apache-2.0 */
/* How long a cgroup was kept from the CPUs for want of quota, as the cpu controller counts it. */
#ifndef AETHER_THROTTLE_H
#define AETHER_THROTTLE_H

#include <linux/types.h>

/*
 * Opens the statistics of the version 2 cgroup with this id; where the cpu controller lives in version 1, those of the
 * group that its first process is in. mount is any directory of the version 2 tree. -1 when there are none.
 */
int throttle_open(int mount, __u64 cgroup);

/* Total throttled time in ns. */
int throttle_read(int stat, __u64 *ns);

#endif /* AETHER_THROTTLE_H */
