/* SPDX-License-Identifier: Apache-2.0 */
/* Where the functions of a TLS library are. */
#ifndef AETHER_LIBRARY_H
#define AETHER_LIBRARY_H

#include <linux/types.h>

#define LIBRARY_CALLS 5
#define LIBRARY_BUILDS 32

struct library_offsets {
	__u64 enter[LIBRARY_CALLS], cookies[LIBRARY_CALLS];
	__u32 enter_count;
	__u64 leave[LIBRARY_CALLS];
	__u32 leave_count;
};

/* Found before, by build id: every JVM unpacks a file of its own, and all are alike. */
struct library_cache {
	struct {
		__u8 id[32];
		__u32 length; /* 0: free */
		struct library_offsets offsets;
	} builds[LIBRARY_BUILDS];
	__u32 next;
};

/* Does the name look like one? */
int library_is_tls(const char *path);

/* Of an open ELF file. Whatever is in there, it is only read. -1 when it has not both a read and a write. */
int library_offsets(int fd, struct library_cache *cache, struct library_offsets *offsets);

#endif /* AETHER_LIBRARY_H */
