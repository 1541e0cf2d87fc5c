// SPDX-License-Identifier: Apache-2.0
/* Once a second over the processes of the watched cgroups, for the TLS libraries that they have mapped. */
#define _GNU_SOURCE
#include "scanner.h"

#include <errno.h>
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
#include "libraries.h"
#include "privileges.h"
#include "processes.h"

#define PERIOD_MS 1000
/* However many processes there are, looking at them takes about 0.4 % of a CPU at most. */
#define SHARE 250
#define LONGEST_PAUSE_MS 5000
#define MAX_PROCESSES 4096
#define PLACES (2 * MAX_PROCESSES)
#define LIBRARIES_EACH 4
/*
 * Mappings are read when there are more or fewer of them, which is known cheaply; and in any case after so many passes,
 * ever more for what is no JVM, which loads its library with the first connection.
 */
#define LONGEST_REST 64
#define JVM_REST 16

/* To read the mappings of others and to open what is behind them, and to attach to it. */
#define SCANNER_PRIVILEGES                                                                                             \
	(PRIVILEGE(CAP_SYS_PTRACE) | PRIVILEGE(CAP_CHECKPOINT_RESTORE) | PRIVILEGE(CAP_DAC_READ_SEARCH) |              \
	 PRIVILEGE(CAP_BPF) | PRIVILEGE(CAP_PERFMON))

struct process {
	int pid; /* 0: free */
	ino_t identity;
	__u32 due, rest; /* in passes */
	long mapped;
	int jvm;
	int library_count;
	int libraries[LIBRARIES_EACH];
};

struct scanner {
	int cgroup, stop;
	sem_t ready;
	pthread_t thread;
	struct process *before, *after; /* hash tables of the last pass and of this one */
	int process_count;
	__u32 jvms;
	struct process *current;
	struct libraries libraries;
};

static struct process *place_of(struct process *table, int pid)
{
	__u32 at = (__u32)pid * 2654435761U;

	while (table[at % PLACES].pid && table[at % PLACES].pid != pid)
		at++;
	return &table[at % PLACES];
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
	index = libraries_find(&scanner->libraries, process->pid, mapping);
	if (index >= 0)
		process->libraries[process->library_count++] = index;
}

static int is_due(const struct scanner *scanner, const struct process *process, long mapped)
{
	return mapped != process->mapped || (__s32)(scanner->libraries.pass - process->due) >= 0;
}

static void look_into(struct scanner *scanner, struct process *process, long mapped)
{
	process->library_count = 0;
	process->mapped = mapped;
	processes_mappings(process->pid, on_mapping, scanner);
	if (!process->jvm)
		process->rest = process->rest < LONGEST_REST ? 2 * process->rest : LONGEST_REST;
	else
		process->rest = process->library_count || mapped >= 0 ? JVM_REST : 1;
	process->due = scanner->libraries.pass + process->rest;
}

static void on_process(void *context, int pid)
{
	struct scanner *scanner = context;
	struct process *process = place_of(scanner->after, pid), *known;
	struct stat stat_;
	char path[32];
	long mapped;

	snprintf(path, sizeof(path), "/proc/%d", pid);
	if (process->pid || scanner->process_count == MAX_PROCESSES || stat(path, &stat_))
		return;
	scanner->process_count++;
	known = place_of(scanner->before, pid);
	if (known->pid && known->identity == stat_.st_ino)
		*process = *known;
	else
		*process = (struct process){
			.pid = pid, .identity = stat_.st_ino, .due = scanner->libraries.pass, .rest = 1};
	scanner->current = process;
	mapped = processes_mapped(pid);
	if (is_due(scanner, process, mapped))
		look_into(scanner, process, mapped);
	scanner->jvms += process->jvm;
	for (int i = 0; i < process->library_count; i++)
		libraries_seen(&scanner->libraries, process->libraries[i]);
}

static void pass(struct scanner *scanner)
{
	struct process *empty = scanner->before;

	scanner->before = scanner->after;
	scanner->after = empty;
	memset(empty, 0, PLACES * sizeof(*empty));
	scanner->process_count = scanner->jvms = 0;
	scanner->libraries.pass++;
	scanner->libraries.now = clock_now();
	processes_visit(scanner->cgroup, on_process, scanner);
	libraries_settle(&scanner->libraries);
	__atomic_store_n(&scanner->libraries.figures->jvms, scanner->jvms, __ATOMIC_RELAXED);
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
	libraries_close(&scanner->libraries);
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
	scanner->libraries.tls = tls;
	scanner->libraries.figures = figures;
	scanner->cgroup = cgroup;
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
