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

/* One of the kernel's ticks, ns: its coarse clocks advance by them. */
static inline __u64 clock_tick(void)
{
	struct timespec resolution;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &resolution))
		return 4 * NSEC_PER_MSEC;
	return (__u64)resolution.tv_sec * NSEC_PER_SEC + resolution.tv_nsec;
}

/*
 * Time from then to now; zero when then is later, as a time that the kernel took after this thread looked at
 * its clock may be.
 */
static inline __u64 clock_since(__u64 then, __u64 now)
{
	return now > then ? now - then : 0;
}

#endif /* AETHER_CLOCK_H */
