// SPDX-License-Identifier: Apache-2.0
/* Visits the TCP sockets of every network namespace: to adopt what is older than the agent. */
#define _GNU_SOURCE
#include "survey.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "privileges.h"

#define MAX_NAMESPACES 1024

struct visit {
	struct bpf_object *object;
	const char *program;
	ino_t seen[MAX_NAMESPACES];
	int count;
	int failed;
	int hidden; /* there are processes whose namespace may not be known */
};

/*
 * Reading the iterator to its end runs its program once for each socket of the thread's namespace. One that writes a
 * byte has seen enough.
 */
static void visit_sockets(struct visit *visit)
{
	struct bpf_program *program = bpf_object__find_program_by_name(visit->object, visit->program);
	struct bpf_link *link = program ? bpf_program__attach_iter(program, NULL) : NULL;
	int fd = link ? bpf_iter_create(bpf_link__fd(link)) : -1;
	char byte;

	if (fd < 0)
		visit->failed++;
	/* A million sockets in, the kernel lets others run before it goes on. */
	while (fd >= 0 && read(fd, &byte, sizeof(byte)) < 0 && (errno == EAGAIN || errno == EINTR))
		;
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
}

static int is_new(struct visit *visit, ino_t inode)
{
	for (int i = 0; i < visit->count; i++) {
		if (visit->seen[i] == inode)
			return 0;
	}
	if (visit->count == MAX_NAMESPACES)
		return 0;
	visit->seen[visit->count++] = inode;
	return 1;
}

static void visit_process(struct visit *visit, const char *pid)
{
	char path[300];
	struct stat stat_;
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/ns/net", pid);
	if (stat(path, &stat_)) {
		/* With the capability, what is still refused is not a container of this node. */
		if ((errno == EACCES || errno == EPERM) && !(privileges_held() & PRIVILEGE(CAP_SYS_PTRACE)))
			visit->hidden = 1;
		return;
	}
	if (!is_new(visit, stat_.st_ino))
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (setns(fd, CLONE_NEWNET))
		visit->failed++;
	else
		visit_sockets(visit);
	close(fd);
}

/* Leaves the thread in the namespace that it visited last. */
static void *visit_all(void *argument)
{
	struct visit *visit = argument;
	DIR *proc;
	struct dirent *entry;
	struct stat stat_;

	if (!stat("/proc/thread-self/ns/net", &stat_) && is_new(visit, stat_.st_ino))
		visit_sockets(visit);
	proc = opendir("/proc");
	while (proc && (entry = readdir(proc))) {
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			visit_process(visit, entry->d_name);
	}
	if (proc)
		closedir(proc);
	return NULL;
}

static int run(struct bpf_object *object, const char *program, int here)
{
	struct visit *visit = calloc(1, sizeof(*visit));
	struct bpf_program *wanted = bpf_object__find_program_by_name(object, program);
	pthread_t thread;
	int failed = -1;

	if (visit && wanted && bpf_program__fd(wanted) >= 0) {
		visit->object = object;
		visit->program = program;
		if (here) {
			visit_all(visit);
			failed = visit->failed + visit->hidden;
		} else if (!pthread_create(&thread, NULL, visit_all, visit)) {
			pthread_join(thread, NULL);
			failed = visit->failed + visit->hidden;
		}
	}
	free(visit);
	return failed;
}

int survey(struct bpf_object *object, const char *program)
{
	return run(object, program, 0);
}

int survey_here(struct bpf_object *object, const char *program)
{
	int home = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	int failed = run(object, program, 1);

	/* A thread that stayed would keep a namespace alive that everybody else has left. */
	if (home >= 0) {
		setns(home, CLONE_NEWNET);
		close(home);
	}
	return failed;
}
