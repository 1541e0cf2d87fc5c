/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the TLS libraries of the watched processes and keeps the programs of tls attached to them. */
#ifndef AETHER_SCANNER_H
#define AETHER_SCANNER_H

#include "loader.h"

/* Written by the scanner's thread, read by any. */
struct scan_figures {
	__u32 libraries; /* attached to now */
	__u32 jvms;	 /* watched Java processes */
	__u64 failures;	 /* libraries that could not be attached to */
	int error;	 /* of the last one, 0 */
};

struct scanner;

/* What the privileges of this process do not let it see, in the feature's reason. */
void scanner_check(struct feature *tls);

/* A thread of its own; NULL when there is nothing to do. */
struct scanner *scanner_start(const struct feature *tls, int cgroup, struct scan_figures *figures);
void scanner_stop(struct scanner *scanner);

#endif /* AETHER_SCANNER_H */
