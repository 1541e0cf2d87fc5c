/* SPDX-License-Identifier: Apache-2.0 */
/* The TLS libraries in use: each file once, however many processes have it mapped. Of the scanner's thread alone. */
#ifndef AETHER_LIBRARIES_H
#define AETHER_LIBRARIES_H

#include "library.h"
#include "processes.h"
#include "scanner.h"

#define MAX_LIBRARIES 256

struct library {
	unsigned long inode; /* 0: free */
	unsigned int major, minor;
	int deleted;
	int enter, leave; /* links, -1 */
	__u32 seen;	  /* the last pass that found it in a process */
	__u64 seen_ns;
};

struct libraries {
	const struct feature *tls;
	struct scan_figures *figures;
	__u32 pass; /* the present one, and its time */
	__u64 now;
	struct bpf_link *sockets; /* of the program that sees reads of sockets, NULL while no library is attached to */
	struct library all[MAX_LIBRARIES];
	struct library_cache cache;
};

/* The place of the library behind a mapping of a process; attached to when it is new. -1 when there is no room. */
int libraries_find(struct libraries *libraries, int pid, const struct mapping *mapping);

/* A process has it. */
void libraries_seen(struct libraries *libraries, int index);

/* At the end of a pass: lets go of those that no process has any more. */
void libraries_settle(struct libraries *libraries);

void libraries_close(struct libraries *libraries);

#endif /* AETHER_LIBRARIES_H */
