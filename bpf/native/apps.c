// SPDX-License-Identifier: Apache-2.0
/* Reading what applications publish: the hand-over between the thread that finds the files and the pump. */
#define _GNU_SOURCE
#include "apps.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app_files.h"
#include "clock.h"
#include "privileges.h"

#define PERIOD_MS 500
/* An application that is stopped says nothing of now. */
#define WORD_VALID_NS NSEC_PER_SEC
/* No real queue is beyond these: more is a mistake, or meant ill. */
#define MOST_REQUESTS 1000000
#define MOST_WAIT_US 60000000

struct apps {
	struct app_files files;
	char path[PATH_MAX];
	pthread_t thread;
	int running, stop;
	sem_t ready;
};

static __u32 bounded(__u32 value, __u32 most)
{
	return value < most ? value : most;
}

/* What was read last stays when this one is torn: its time says how old it is. */
static void look(struct app_file *file)
{
	struct aether_app app;
	__u32 after;

	if (pread(file->fd, &app, sizeof(app), 0) != sizeof(app) || app.magic != AETHER_APP_MAGIC || app.seq & 1 ||
	    pread(file->fd, &after, sizeof(after), offsetof(struct aether_app, seq)) != sizeof(after) ||
	    after != app.seq)
		return;
	file->words = (struct app_words){
		.time_ns = app.time_ns,
		.running = bounded(app.running, MOST_REQUESTS),
		.waiting = bounded(app.waiting, MOST_REQUESTS),
		.est_wait_us = bounded(app.est_wait_us, MOST_WAIT_US),
		.mark_from_us = bounded(app.mark_from_us, MOST_WAIT_US),
		.mark_all_us = bounded(app.mark_all_us, MOST_WAIT_US),
		.pressure = app.pressure,
	};
}

void apps_read(struct apps *apps, __u64 now,
	       void (*tell)(void *context, __u32 netns, __u64 cgroup, __u16 port, const struct app_words *words),
	       void *context)
{
	for (int i = 0, end = apps ? __atomic_load_n(&apps->files.end, __ATOMIC_ACQUIRE) : 0; i < end; i++) {
		struct app_file *file = &apps->files.all[i];
		int state = __atomic_load_n(&file->state, __ATOMIC_ACQUIRE);

		if (state == FILE_LEAVING)
			__atomic_store_n(&file->state, FILE_LEFT, __ATOMIC_RELEASE);
		if (state != FILE_READ)
			continue;
		look(file);
		/* A time to come would never grow old. */
		if (!file->words.time_ns || file->words.time_ns > now + WORD_VALID_NS ||
		    clock_since(file->words.time_ns, now) > WORD_VALID_NS)
			continue;
		for (__u32 port = 0; port < file->port_count; port++)
			tell(context, __atomic_load_n(&file->netns, __ATOMIC_RELAXED),
			     __atomic_load_n(&file->cgroup, __ATOMIC_RELAXED), file->ports[port], &file->words);
	}
}

static void *run(void *argument)
{
	struct apps *apps = argument;
	struct pollfd stop = {.fd = apps->stop, .events = POLLIN};

	pthread_setname_np(pthread_self(), "aether-apps");
	privileges_keep(PRIVILEGE(CAP_SYS_PTRACE));
	sem_post(&apps->ready);
	do
		app_files_pass(&apps->files);
	while (poll(&stop, 1, PERIOD_MS) <= 0);
	privileges_forget();
	return NULL;
}

void apps_start(struct apps *apps)
{
	if (!apps)
		return;
	sem_init(&apps->ready, 0, 0);
	apps->running = !pthread_create(&apps->thread, NULL, run, apps);
	/* Once this returns, its privileges are safe from privileges_drop(). */
	while (apps->running && sem_wait(&apps->ready) && errno == EINTR)
		;
}

void apps_stop(struct apps *apps)
{
	if (!apps || !apps->running)
		return;
	eventfd_write(apps->stop, 1);
	pthread_join(apps->thread, NULL);
	apps->running = 0;
}

struct apps *apps_open(const char *table, const char *cgroup, struct error *error)
{
	struct apps *apps = calloc(1, sizeof(*apps));
	const char *slash = strrchr(table, '/');

	if (!apps) {
		error_set(error, "out of memory");
		return NULL;
	}
	apps->stop = eventfd(0, EFD_CLOEXEC);
	snprintf(apps->path, sizeof(apps->path), "%.*s/apps", slash ? (int)(slash - table) : 1, slash ? table : ".");
	if (apps->stop >= 0 && !app_files_open(&apps->files, apps->path, cgroup, error))
		return apps;
	apps_close(apps);
	return NULL;
}

void apps_close(struct apps *apps)
{
	if (!apps)
		return;
	app_files_close(&apps->files);
	rmdir(apps->path);
	if (apps->stop >= 0)
		close(apps->stop);
	free(apps);
}

void apps_figures(const struct apps *apps, __u64 *read, __u64 *refused)
{
	*read = apps ? __atomic_load_n(&apps->files.read, __ATOMIC_RELAXED) : 0;
	*refused = apps ? __atomic_load_n(&apps->files.refused, __ATOMIC_RELAXED) : 0;
}
