/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AETHER_PROCESSES_H
#define AETHER_PROCESSES_H

/* Visits the processes of a cgroup (its directory) and of those below it, as far as this pid namespace shows them. */
void processes_visit(int cgroup, void (*visit)(void *context, int pid), void *context);

/* One file that a process maps as code. */
struct mapping {
	unsigned long start, end;
	unsigned int major, minor;
	unsigned long inode;
	int deleted;
	const char *path; /* without the mark of a deleted one */
};

/* Visits the files that it maps as code; -1 and errno when they cannot be read. */
int processes_mappings(int pid, void (*visit)(void *context, const struct mapping *mapping), void *context);

/*
 * How much the process has mapped besides its data, pages, or -1: a library that comes or goes changes it, and one line
 * is read for it instead of the thousands that a JVM's mappings are.
 */
long processes_mapped(int pid);

#endif /* AETHER_PROCESSES_H */
