/* SPDX-License-Identifier: Apache-2.0 */
/* Capabilities: which ones this process lacks, and giving up those that running does not need. */
#ifndef AETHER_PRIVILEGES_H
#define AETHER_PRIVILEGES_H

#include <linux/capability.h>
#include <linux/types.h>
#include <stddef.h>

#include "error.h"

/* Younger than some headers. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#define CAP_BPF 39
#endif
#ifndef CAP_CHECKPOINT_RESTORE
#define CAP_CHECKPOINT_RESTORE 40
#endif

#define PRIVILEGE(capability) (1ULL << (capability))

/* What loading and attaching takes; CAP_SYS_ADMIN stands for all of them. */
#define PRIVILEGES_TO_ATTACH (PRIVILEGE(CAP_BPF) | PRIVILEGE(CAP_PERFMON) | PRIVILEGE(CAP_NET_ADMIN))

/* What the calling thread has in effect. */
__u64 privileges_held(void);

/* Those of the wanted ones that the calling thread does not have, nor one that stands for them. */
__u64 privileges_lacking(__u64 wanted);

/* "CAP_BPF, CAP_PERFMON"; empty for none. */
void privileges_name(__u64 privileges, char *text, size_t size);

/* What to do about a refusal for want of privileges. */
void privileges_explain(struct error *error);

/* The calling thread, which runs until privileges_forget(), keeps these when the others are given up. */
void privileges_keep(__u64 privileges);
void privileges_forget(void);

/*
 * Gives up, on every thread of the process, all but `keep` and what a thread wants to keep for itself; none of them can
 * get any back, by executing another program neither. Returns 0, or -1 and why.
 */
int privileges_drop(__u64 keep, struct error *error);

/* Tries work on a thread of its own that has these privileges only; returns what it returns, or -1. */
int privileges_try(__u64 privileges, int (*work)(void *), void *context);

#endif /* AETHER_PRIVILEGES_H */
