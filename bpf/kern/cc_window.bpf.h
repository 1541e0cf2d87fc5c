/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of cc: how many segments may be on their way. */
#ifndef AETHER_CC_WINDOW_BPF_H
#define AETHER_CC_WINDOW_BPF_H

#include "cc_pace.bpf.h"

#define LEAST_WINDOW 2
#define MOST_WINDOW 65535 /* segments: 100 MB and more */
/* The kernel sends half a window at once, so that this is one segment: the openings of all senders have to fit. */
#define LEAST_PACED_WINDOW 3
#define NO_THRESHOLD 0x7fffffff /* the kernel's, before the first cut */

/* Segments: what the pace sends in a round trip with twice the queue that it aims at. */
static __always_inline __u32 window_paced(const struct tcp_sock *tp, const struct cc_socket *socket)
{
	__u64 time = tp->rtt_min.s[0].v + 2 * QUEUE_US;
	__u64 window = socket->pace * time / 1000000 / (tp->mss_cache ?: 1) + 1;

	return window < LEAST_PACED_WINDOW ? LEAST_PACED_WINDOW : window > MOST_WINDOW ? MOST_WINDOW : window;
}

/*
 * Slow start at most doubles what it was when last looked at, and an undone cut restores what was before it; what is
 * more than that is put right. It has been seen with Linux 6.18: about one reduction in a thousand began with a
 * threshold of two billion segments and no trace of `ssthresh` and `set_state` having run here. Why is not known.
 */
static __always_inline void window_bound(struct tcp_sock *tp, struct cc_socket *socket)
{
	__u32 most = 2 * socket->window;

	if (most < socket->window_before)
		most = socket->window_before;
	if (tp->snd_ssthresh > most && tp->snd_ssthresh != NO_THRESHOLD) {
		most = socket->window;
		tp->snd_ssthresh = most;
	}
	if (tp->snd_cwnd > most)
		tp->snd_cwnd = most < LEAST_WINDOW ? LEAST_WINDOW : most;
	socket->window = tp->snd_cwnd;
}

static __always_inline __u32 window_halved(__u32 window)
{
	return window / 2 < LEAST_WINDOW ? LEAST_WINDOW : window / 2;
}

#endif /* AETHER_CC_WINDOW_BPF_H */
