// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "surveyor.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "clock.h"
#include "privileges.h"
#include "survey.h"

/* A visit walks the listeners of every namespace: however many there are, it takes at most 0.05 % of a CPU. */
#define SHARE 2000
#define PERIOD_MS 1000

struct surveyor {
	const struct feature *queue;
	pthread_t thread;
	int stop;
	sem_t ready;
};

static void *run(void *argument)
{
	struct surveyor *surveyor = argument;
	struct pollfd stop = {.fd = surveyor->stop, .events = POLLIN};
	__u64 pause_ms = PERIOD_MS;

	pthread_setname_np(pthread_self(), "aether-survey");
	privileges_keep(SURVEYOR_PRIVILEGES);
	sem_post(&surveyor->ready);
	for (;;) {
		int told = poll(&stop, 1, (int)pause_ms);
		__u64 start = clock_now();

		if (told > 0 || (told < 0 && errno != EINTR))
			break;
		survey_here(surveyor->queue->object, "aether_backlog");
		pause_ms = (clock_now() - start) * SHARE / NSEC_PER_MSEC;
		if (pause_ms < PERIOD_MS)
			pause_ms = PERIOD_MS;
	}
	privileges_forget();
	return NULL;
}

struct surveyor *surveyor_start(const struct feature *queue)
{
	struct surveyor *surveyor = queue->state == ATTACHED ? calloc(1, sizeof(*surveyor)) : NULL;

	if (!surveyor)
		return NULL;
	surveyor->queue = queue;
	surveyor->stop = eventfd(0, EFD_CLOEXEC);
	sem_init(&surveyor->ready, 0, 0);
	if (surveyor->stop >= 0 && !pthread_create(&surveyor->thread, NULL, run, surveyor)) {
		/* Once this returns, its privileges are safe from privileges_drop(). */
		while (sem_wait(&surveyor->ready) && errno == EINTR)
			;
		return surveyor;
	}
	if (surveyor->stop >= 0)
		close(surveyor->stop);
	free(surveyor);
	return NULL;
}

void surveyor_stop(struct surveyor *surveyor)
{
	if (!surveyor)
		return;
	eventfd_write(surveyor->stop, 1);
	pthread_join(surveyor->thread, NULL);
	close(surveyor->stop);
	free(surveyor);
}
