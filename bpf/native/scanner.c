// SPDX-License-Identifier: Apache-2.0
/*
 * Once a second over the processes of the watched cgroups. A library is known by the file it is, not by its name:
 * netty unpacks one per JVM and deletes it at once, so that only the mapping leads to it.
 */
#define _GNU_SOURCE
#include "scanner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "library.h"
#include "privileges.h"
#include "processes.h"
#include "uprobes.h"

#define PERIOD_MS 1000
/* However many processes there are, looking at them takes about 1 % of a CPU at most. */
#define SHARE 100
#define LONGEST_PAUSE_MS 5000
#define MAX_PROCESSES 4096
#define PLACES (2 * MAX_PROCESSES)
#define MAX_LIBRARIES 256
#define LIBRARIES_EACH 4
/* A JVM loads its library with the first connection; other processes have theirs from the start, or never. */
#define LONGEST_REST 64
#define JVM_REST 16
/* A library with a name may be used again by the next short-lived process. */
#define KEEP_NS (60 * NSEC_PER_SEC)

/* To read the mappings of others and to open what is behind them, and to attach to it. */
#define SCANNER_PRIVILEGES                                                                                             \
	(PRIVILEGE(CAP_SYS_PTRACE) | PRIVILEGE(CAP_CHECKPOINT_RESTORE) | PRIVILEGE(CAP_DAC_READ_SEARCH) |              \
	 PRIVILEGE(CAP_BPF) | PRIVILEGE(CAP_PERFMON))

struct library {
	unsigned long inode; /* 0: free */
	unsigned int major, minor;
	int deleted;
	int enter, leave; /* links, -1 */
	__u32 seen;	  /* the last pass that found it in a process */
	__u64 seen_ns;
};

struct process {
	int pid; /* 0: free */
	ino_t identity;
	__u32 due, rest; /* in passes */
	int jvm;
	int library_count;
	int libraries[LIBRARIES_EACH];
};

struct scanner {
	const struct feature *tls;
	struct scan_figures *figures;
	int cgroup, stop;
	sem_t ready;
	pthread_t thread;
	__u32 pass;
	__u64 now;
	struct process *before, *after; /* hash tables of the last pass and of this one */
	int process_count;
	__u32 jvms;
	struct process *current;
	struct library libraries[MAX_LIBRARIES];
	struct library_cache cache;
};

static struct process *place_of(struct process *table, int pid)
{
	__u32 at = (__u32)pid * 2654435761U;

	while (table[at % PLACES].pid && table[at % PLACES].pid != pid)
		at++;
	return &table[at % PLACES];
}

static void fail(struct scanner *scanner, int error)
{
	__atomic_store_n(&scanner->figures->error, error, __ATOMIC_RELAXED);
	__atomic_fetch_add(&scanner->figures->failures, 1, __ATOMIC_RELAXED);
}

/* Through the mapping, which needs CAP_CHECKPOINT_RESTORE; what still has a name can also be reached by that. */
static int open_library(int pid, const struct mapping *mapping)
{
	char path[4200];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/map_files/%lx-%lx", pid, mapping->start, mapping->end);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 || mapping->deleted)
		return fd;
	snprintf(path, sizeof(path), "/proc/%d/root%s", pid, mapping->path);
	return open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
}

static int attach(struct scanner *scanner, const char *program, int fd, const struct library_offsets *offsets,
		  int returns)
{
	struct bpf_program *found = bpf_object__find_program_by_name(scanner->tls->object, program);
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return uprobes_attach(bpf_program__fd(found), path, returns ? offsets->leave : offsets->enter,
			      returns ? NULL : offsets->cookies, returns ? offsets->leave_count : offsets->enter_count,
			      returns);
}

static void detach(struct library *library)
{
	if (library->enter >= 0)
		close(library->enter);
	if (library->leave >= 0)
		close(library->leave);
	library->enter = library->leave = -1;
}

/* One that cannot be attached to keeps its place too, so that it is not tried again at every pass. */
static void attach_library(struct scanner *scanner, struct library *library, const struct mapping *mapping)
{
	int fd = open_library(scanner->current->pid, mapping);
	struct library_offsets offsets;

	if (fd < 0) {
		fail(scanner, errno);
		return;
	}
	if (library_offsets(fd, &scanner->cache, &offsets)) {
		fail(scanner, ENOEXEC);
	} else {
		library->enter = attach(scanner, "aether_tls_enter", fd, &offsets, 0);
		library->leave = library->enter < 0 ? -1 : attach(scanner, "aether_tls_leave", fd, &offsets, 1);
		if (library->leave < 0) {
			fail(scanner, errno);
			detach(library);
		}
	}
	close(fd);
}

static int find_library(struct scanner *scanner, const struct mapping *mapping)
{
	int vacant = -1;

	for (int i = 0; i < MAX_LIBRARIES; i++) {
		struct library *library = &scanner->libraries[i];

		if (library->inode == mapping->inode && library->major == mapping->major &&
		    library->minor == mapping->minor)
			return i;
		if (!library->inode && vacant < 0)
			vacant = i;
	}
	if (vacant < 0) {
		fail(scanner, ENOSPC);
		return -1;
	}
	scanner->libraries[vacant] = (struct library){.inode = mapping->inode,
						      .major = mapping->major,
						      .minor = mapping->minor,
						      .deleted = mapping->deleted,
						      .enter = -1,
						      .leave = -1};
	attach_library(scanner, &scanner->libraries[vacant], mapping);
	return vacant;
}

static void on_mapping(void *context, const struct mapping *mapping)
{
	struct scanner *scanner = context;
	struct process *process = scanner->current;
	const char *slash = strrchr(mapping->path, '/');
	int index;

	if (slash && !strcmp(slash, "/libjvm.so"))
		process->jvm = 1;
	if (!library_is_tls(mapping->path) || process->library_count == LIBRARIES_EACH)
		return;
	index = find_library(scanner, mapping);
	if (index >= 0)
		process->libraries[process->library_count++] = index;
}

static void look_into(struct scanner *scanner, struct process *process)
{
	process->library_count = 0;
	processes_mappings(process->pid, on_mapping, scanner);
	if (!process->jvm)
		process->rest = process->rest < LONGEST_REST ? 2 * process->rest : LONGEST_REST;
	else
		process->rest = process->library_count ? JVM_REST : 1;
	process->due = scanner->pass + process->rest;
}

static void on_process(void *context, int pid)
{
	struct scanner *scanner = context;
	struct process *process = place_of(scanner->after, pid), *known;
	struct stat stat_;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", pid);
	if (process->pid || scanner->process_count == MAX_PROCESSES || stat(path, &stat_))
		return;
	scanner->process_count++;
	known = place_of(scanner->before, pid);
	if (known->pid && known->identity == stat_.st_ino)
		*process = *known;
	else
		*process = (struct process){.pid = pid, .identity = stat_.st_ino, .due = scanner->pass, .rest = 1};
	scanner->current = process;
	if ((__s32)(scanner->pass - process->due) >= 0)
		look_into(scanner, process);
	scanner->jvms += process->jvm;
	for (int i = 0; i < process->library_count; i++) {
		scanner->libraries[process->libraries[i]].seen = scanner->pass;
		scanner->libraries[process->libraries[i]].seen_ns = scanner->now;
	}
}

static void release_unused(struct scanner *scanner)
{
	__u32 attached = 0;

	for (int i = 0; i < MAX_LIBRARIES; i++) {
		struct library *library = &scanner->libraries[i];

		if (!library->inode)
			continue;
		if (library->seen != scanner->pass &&
		    (library->deleted || library->enter < 0 || scanner->now - library->seen_ns > KEEP_NS)) {
			detach(library);
			library->inode = 0;
		}
		attached += library->inode && library->enter >= 0;
	}
	__atomic_store_n(&scanner->figures->libraries, attached, __ATOMIC_RELAXED);
	__atomic_store_n(&scanner->figures->jvms, scanner->jvms, __ATOMIC_RELAXED);
}

static void pass(struct scanner *scanner)
{
	struct process *empty = scanner->before;

	scanner->before = scanner->after;
	scanner->after = empty;
	memset(empty, 0, PLACES * sizeof(*empty));
	scanner->process_count = scanner->jvms = 0;
	scanner->pass++;
	scanner->now = clock_now();
	processes_visit(scanner->cgroup, on_process, scanner);
	release_unused(scanner);
}

/* The time this thread has worked: waiting for a busy machine, or for the kernel to put a probe in place, is free. */
static __u64 worked(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (__u64)t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

static void *run(void *argument)
{
	struct scanner *scanner = argument;
	struct pollfd stop = {.fd = scanner->stop, .events = POLLIN};
	__u64 pause_ms = 0;

	pthread_setname_np(pthread_self(), "aether-scan");
	privileges_keep(SCANNER_PRIVILEGES);
	sem_post(&scanner->ready);
	setpriority(PRIO_PROCESS, 0, 10); /* of this thread alone: nothing here is urgent */
	for (;;) {
		int told = poll(&stop, 1, (int)pause_ms);
		__u64 start = worked();

		if (told > 0 || (told < 0 && errno != EINTR))
			break;
		pass(scanner);
		pause_ms = (worked() - start) * SHARE / NSEC_PER_MSEC;
		if (pause_ms < PERIOD_MS)
			pause_ms = PERIOD_MS;
		if (pause_ms > LONGEST_PAUSE_MS)
			pause_ms = LONGEST_PAUSE_MS;
	}
	for (int i = 0; i < MAX_LIBRARIES; i++) {
		if (scanner->libraries[i].inode)
			detach(&scanner->libraries[i]);
	}
	return NULL;
}

static void release(struct scanner *scanner)
{
	if (scanner->stop >= 0)
		close(scanner->stop);
	free(scanner->before);
	free(scanner->after);
	free(scanner);
}

struct scanner *scanner_start(const struct feature *tls, int cgroup, struct scan_figures *figures)
{
	struct scanner *scanner = tls->state == ATTACHED ? calloc(1, sizeof(*scanner)) : NULL;

	if (!scanner)
		return NULL;
	scanner->tls = tls;
	scanner->cgroup = cgroup;
	scanner->figures = figures;
	scanner->before = calloc(PLACES, sizeof(*scanner->before));
	scanner->after = calloc(PLACES, sizeof(*scanner->after));
	scanner->stop = eventfd(0, EFD_CLOEXEC);
	sem_init(&scanner->ready, 0, 0);
	if (scanner->before && scanner->after && scanner->stop >= 0 &&
	    !pthread_create(&scanner->thread, NULL, run, scanner)) {
		/* Once this returns, its privileges are safe from privileges_drop(). */
		while (sem_wait(&scanner->ready) && errno == EINTR)
			;
		return scanner;
	}
	release(scanner);
	return NULL;
}

void scanner_stop(struct scanner *scanner)
{
	if (!scanner)
		return;
	eventfd_write(scanner->stop, 1);
	pthread_join(scanner->thread, NULL);
	release(scanner);
}

void scanner_check(struct feature *tls)
{
	__u64 lacking = privileges_lacking(PRIVILEGE(CAP_SYS_PTRACE) | PRIVILEGE(CAP_CHECKPOINT_RESTORE));

	if (tls->state != ATTACHED || !lacking)
		return;
	error_set(&tls->error, "the libraries of other processes%s cannot be opened",
		  lacking & PRIVILEGE(CAP_SYS_PTRACE) ? "" : " that are deleted, as netty's are,");
	error_fix(&tls->error, "give the agent CAP_SYS_PTRACE, CAP_CHECKPOINT_RESTORE and, for processes of other "
			       "users, CAP_DAC_READ_SEARCH");
}
