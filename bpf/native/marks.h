/* SPDX-License-Identifier: Apache-2.0 */
/* Marks: how many a local endpoint is to set, and what came of it on both ends. */
#ifndef AETHER_MARKS_H
#define AETHER_MARKS_H

#include "engine.h"

void marks_open(struct engine *engine);

/* How pressed an endpoint is by its own queue: 0 below the wait from which it marks, 255 from that on at which it marks
 * all. */
__u8 marks_pressure(const struct engine *engine, const struct local *local, const struct aether_report *report);

/* Hands the level that follows from the endpoint's report to the kernel. */
void marks_tell(struct engine *engine, struct local *local);
void marks_forget(struct engine *engine, const struct local *local);

/* Says that this agent lives; more often than AETHER_LEVEL_VALID_NS. */
void marks_beat(struct engine *engine, __u64 now);

/* The ecn group of the PEER slots, and of the LOCAL ones. */
void marks_peers(struct engine *engine, __u64 now);
void marks_locals(struct engine *engine, __u64 now);

/* What the applications say, into the local endpoints. */
void marks_listen(struct engine *engine, __u64 now);

#endif /* AETHER_MARKS_H */
