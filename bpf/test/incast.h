/* SPDX-License-Identifier: GPL-2.0-only */
/* The bottleneck of the incast benchmark; io.aether.bench.incast.Stage sets the same with tc. */
#ifndef INCAST_H
#define INCAST_H

#define INCAST_BYTES_PER_US 25 /* 200 Mbit/s */
#define INCAST_BURST 6000
#define INCAST_LIMIT 64000
/* 20 segments: 1.2 ms at this rate. */
#define INCAST_THRESHOLD 30000

#endif /* INCAST_H */
