/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AETHER_CLOCK_H
#define AETHER_CLOCK_H

#include <linux/types.h>
#include <time.h>

#define NSEC_PER_SEC 1000000000ULL
#define NSEC_PER_MSEC 1000000ULL
#define NSEC_PER_USEC 1000ULL

/* The clock of bpf_ktime_get_ns(). */
static inline __u64 clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (__u64)t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

#endif /* AETHER_CLOCK_H */
