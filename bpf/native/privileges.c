// SPDX-License-Identifier: Apache-2.0
/*
 * The kernel knows capabilities per thread and lets no thread change another's. So each thread gets a signal, in whose
 * handler it gives up its own; new threads have what their creator had, so that is repeated until none is left over.
 */
#define _GNU_SOURCE
#include "privileges.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"

#define KEEPERS 8
#define PASSES 400
#define PASS_NS (5 * NSEC_PER_MSEC)

struct keeper {
	pid_t thread;
	__u64 privileges;
};

/* Written by each thread for itself, read in the handler: no lock. */
static struct keeper keepers[KEEPERS];
static __u64 kept_by_all;

static pid_t thread_id(void)
{
	return syscall(SYS_gettid);
}

static int get(struct __user_cap_data_struct *data)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};

	return syscall(SYS_capget, &header, data);
}

static void reduce(__u64 keep)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2];

	if (get(data))
		return;
	for (int i = 0; i < 2; i++) {
		data[i].permitted &= keep >> (32 * i);
		data[i].effective &= keep >> (32 * i);
		data[i].inheritable &= keep >> (32 * i);
	}
	syscall(SYS_capset, &header, data);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

__u64 privileges_held(void)
{
	struct __user_cap_data_struct data[2] = {};

	get(data);
	return data[0].effective | (__u64)data[1].effective << 32;
}

__u64 privileges_lacking(__u64 wanted)
{
	__u64 held = privileges_held();

	return held & PRIVILEGE(CAP_SYS_ADMIN) ? 0 : wanted & ~held;
}

void privileges_name(__u64 privileges, char *text, size_t size)
{
	static const struct {
		int capability;
		const char *name;
	} names[] = {{CAP_BPF, "CAP_BPF"},
		     {CAP_PERFMON, "CAP_PERFMON"},
		     {CAP_NET_ADMIN, "CAP_NET_ADMIN"},
		     {CAP_SYS_ADMIN, "CAP_SYS_ADMIN"},
		     {CAP_SYS_PTRACE, "CAP_SYS_PTRACE"}};

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t used = strlen(text);

		if (privileges & PRIVILEGE(names[i].capability))
			snprintf(text + used, size - used, "%s%s", used ? ", " : "", names[i].name);
	}
}

void privileges_explain(struct error *error)
{
	char lacking[128];

	privileges_name(privileges_lacking(PRIVILEGES_TO_ATTACH), lacking, sizeof(lacking));
	if (lacking[0])
		error_fix(error, "run the agent as root or with CAP_BPF, CAP_PERFMON and CAP_NET_ADMIN; it lacks %s",
			  lacking);
	else
		error_fix(error, "it has the capabilities: look for a seccomp filter, a security module or lockdown");
}

void privileges_keep(__u64 privileges)
{
	for (int i = 0; i < KEEPERS; i++) {
		pid_t free_ = 0;

		if (!__atomic_compare_exchange_n(&keepers[i].thread, &free_, -1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			continue;
		keepers[i].privileges = privileges;
		__atomic_store_n(&keepers[i].thread, thread_id(), __ATOMIC_RELEASE);
		return;
	}
}

void privileges_forget(void)
{
	for (int i = 0; i < KEEPERS; i++) {
		if (__atomic_load_n(&keepers[i].thread, __ATOMIC_ACQUIRE) == thread_id())
			__atomic_store_n(&keepers[i].thread, 0, __ATOMIC_RELEASE);
	}
}

static __u64 kept_by(pid_t thread)
{
	for (int i = 0; i < KEEPERS; i++) {
		if (__atomic_load_n(&keepers[i].thread, __ATOMIC_ACQUIRE) == thread)
			return keepers[i].privileges | kept_by_all;
	}
	return kept_by_all;
}

static void on_signal(int signal_)
{
	int err = errno;

	(void)signal_;
	reduce(kept_by(thread_id()));
	errno = err;
}

/* What a thread is permitted, as the kernel says; nothing when it has just ended. */
static __u64 permitted(const char *thread)
{
	char path[64], line[256];
	unsigned long long privileges = 0;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/self/task/%.20s/status", thread);
	status = fopen(path, "re");
	while (status && fgets(line, sizeof(line), status)) {
		if (sscanf(line, "CapPrm: %llx", &privileges) == 1)
			break;
	}
	if (status)
		fclose(status);
	return privileges;
}

/* Signals every thread that has too much; the number of them, or -1. */
static int pass(int signal_)
{
	DIR *threads = opendir("/proc/self/task");
	struct dirent *entry;
	int count = 0;

	if (!threads)
		return -1;
	while ((entry = readdir(threads))) {
		pid_t thread = atoi(entry->d_name);

		if (thread <= 0 || !(permitted(entry->d_name) & ~kept_by(thread)))
			continue;
		count++;
		syscall(SYS_tgkill, getpid(), thread, signal_);
	}
	closedir(threads);
	return count;
}

/* The last real-time signal that nobody uses; 0 when there is none. */
static int free_signal(void)
{
	for (int candidate = SIGRTMAX; candidate >= SIGRTMIN; candidate--) {
		struct sigaction now;

		if (!sigaction(candidate, NULL, &now) && now.sa_handler == SIG_DFL)
			return candidate;
	}
	return 0;
}

int privileges_drop(__u64 keep, struct error *error)
{
	const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | SA_ONSTACK};
	const struct timespec pause = {.tv_nsec = PASS_NS};
	int signal_ = free_signal(), left = 1;

	if (!signal_ || sigaction(signal_, &action, NULL))
		return error_set(error, "no signal is free for it");
	/* The handler stays: by default a signal that is still on its way would end the process. */
	kept_by_all = keep;
	for (int i = 0; i < PASSES && left > 0; i++) {
		left = pass(signal_);
		if (left > 0)
			nanosleep(&pause, NULL);
	}
	if (left < 0)
		return error_set(error, "cannot list the threads: /proc is not there");
	return left ? error_set(error, "%d threads do not react", left) : 0;
}

struct trial {
	__u64 privileges;
	int (*work)(void *);
	void *context;
	int result;
};

static void *try(void *argument)
{
	struct trial *trial = argument;

	reduce(trial->privileges);
	trial->result = trial->work(trial->context);
	return NULL;
}

int privileges_try(__u64 privileges, int (*work)(void *), void *context)
{
	struct trial trial = {privileges, work, context, -1};
	pthread_t thread;

	if (pthread_create(&thread, NULL, try, &trial))
		return -1;
	pthread_join(thread, NULL);
	return trial.result;
}
