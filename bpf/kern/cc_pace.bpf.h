/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Part of cc: how fast a connection may send. The kernel paces by itself below the highest rate that a socket is
 * allowed, with no queueing discipline that helps; so all that is done here is to set that rate.
 */
#ifndef AETHER_CC_PACE_BPF_H
#define AETHER_CC_PACE_BPF_H

#include "cc_maps.bpf.h"

#define ALPHA_ALL 1024
#define SHARE_VALID_NS NSEC_PER_SEC
#define UNLIMITED 0xffffffffU
/*
 * While the queue on the way is empty, a sender takes a fifth more than its share, else the receiver would never see
 * that there is more; with QUEUE_US of it the share, and with more of it less, down to three fifths. Some queue has to
 * stay: where it is empty the way is idle.
 */
#define GAIN 1024
#define GAIN_MORE (GAIN / 5)
#define QUEUE_US 1500
#define MOST_QUEUE_US (3 * QUEUE_US)

static __always_inline bool pace_shared(const struct cc_socket *socket, __u64 now)
{
	return socket->share && aether_since(socket->heard_ns, now) < SHARE_VALID_NS;
}

/* Bytes a second that the socket may send, or 0 for what the window gives; `yielding` is less than that, or 0. */
static __always_inline __u64 pace_of(const struct cc_socket *socket, __u64 yielding, __u64 now)
{
	__u32 queue = socket->queue_us > MOST_QUEUE_US ? MOST_QUEUE_US : socket->queue_us;
	__u32 gain = GAIN + GAIN_MORE - GAIN_MORE * queue / QUEUE_US;
	__u64 rate;

	if (!pace_shared(socket, now))
		return yielding;
	/* As DCTCP cuts its window. */
	gain -= gain * socket->alpha / (2 * ALPHA_ALL);
	rate = aether_share_rate(socket->share) * gain / GAIN;
	return yielding && yielding < rate ? yielding : rate;
}

/* Of a socket, in whatever form. Small changes are not worth the call. */
static __always_inline void pace_set(void *sk, struct cc_socket *socket, __u64 rate)
{
	__u32 before = socket->pace, pace = rate < UNLIMITED ? rate : 0, limit = pace ?: UNLIMITED;
	__u32 change = pace > before ? pace - before : before - pace;

	if (change <= before / 32 && !pace == !before)
		return;
	if (!bpf_setsockopt(sk, SOL_SOCKET, SO_MAX_PACING_RATE, &limit, sizeof(limit)))
		socket->pace = pace;
}

#endif /* AETHER_CC_PACE_BPF_H */
