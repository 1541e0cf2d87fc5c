// SPDX-License-Identifier: Apache-2.0
/*
 * Once a second, in the network namespaces that the pump names: attaches to their interfaces by links of the kind that
 * share the place with others (TCX, Linux 6.6; its numbers stand here for older headers). A link ends with its
 * interface, or with the agent, however that ends.
 */
#define _GNU_SOURCE
#include "scrubber.h"

#include <bpf/bpf.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "privileges.h"

#define PERIOD_MS 1000
#define TCX_INGRESS 46
#define MAX_INTERFACES 256
#define SCRUBBER_PRIVILEGES                                                                                            \
	(PRIVILEGE(CAP_SYS_ADMIN) | PRIVILEGE(CAP_SYS_PTRACE) | PRIVILEGE(CAP_NET_ADMIN) | PRIVILEGE(CAP_BPF))

struct link_create {
	__u32 program;
	__u32 interface;
	__u32 attach_type;
	__u32 flags;
	__u32 relative;
	__u32 pad;
	__aligned_u64 revision;
};

struct scrubbed {
	__u32 netns; /* 0: free */
	__u32 interface;
	int link; /* -1: could not be attached to, and is not tried again */
	__u32 seen;
};

struct scrubber {
	int program;
	struct rest rest;
	struct scrub_figures *figures;
	pthread_t thread;
	int stop;
	sem_t ready;
	__u32 pass;
	__u32 done[SCRUB_NAMESPACES]; /* namespaces of this pass */
	__u32 done_count;
	struct scrubbed all[MAX_INTERFACES];
};

static struct scrubbed *place_of(struct scrubber *scrubber, __u32 netns, __u32 interface)
{
	struct scrubbed *vacant = NULL;

	for (int i = 0; i < MAX_INTERFACES; i++) {
		struct scrubbed *place = &scrubber->all[i];

		if (place->netns == netns && place->interface == interface)
			return place;
		if (!place->netns && !vacant)
			vacant = place;
	}
	return vacant;
}

/* Segments of others have no Ethernet header, which the program counts on. */
static int has_ethernet_header(int socket, const char *name)
{
	struct ifreq request = {};

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
	if (ioctl(socket, SIOCGIFHWADDR, &request))
		return 0;
	return request.ifr_hwaddr.sa_family == ARPHRD_ETHER || request.ifr_hwaddr.sa_family == ARPHRD_LOOPBACK;
}

static int attach(const struct scrubber *scrubber, __u32 interface)
{
	struct link_create create = {.program = scrubber->program, .interface = interface, .attach_type = TCX_INGRESS};

	return syscall(__NR_bpf, BPF_LINK_CREATE, &create, sizeof(create));
}

static void look_at(struct scrubber *scrubber, __u32 netns, const struct if_nameindex *interface, int socket)
{
	struct scrubbed *place = place_of(scrubber, netns, interface->if_index);

	if (!place || !has_ethernet_header(socket, interface->if_name))
		return;
	if (!place->netns) {
		*place = (struct scrubbed){.netns = netns, .interface = interface->if_index};
		place->link = attach(scrubber, interface->if_index);
		if (place->link < 0)
			__atomic_fetch_add(&scrubber->figures->failures, 1, __ATOMIC_RELAXED);
	}
	place->seen = scrubber->pass;
}

/* Of the namespace that the thread is in. */
static void look_at_interfaces(struct scrubber *scrubber, __u32 netns)
{
	int socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct if_nameindex *all = socket_ < 0 ? NULL : if_nameindex();

	for (struct if_nameindex *each = all; each && each->if_index; each++)
		look_at(scrubber, netns, each, socket_);
	if (all)
		if_freenameindex(all);
	if (socket_ >= 0)
		close(socket_);
}

static int is_wanted(struct scrubber *scrubber, __u32 netns)
{
	const struct scrub_figures *figures = scrubber->figures;
	__u32 count = __atomic_load_n(&figures->wanted_count, __ATOMIC_ACQUIRE);
	int wanted = 0;

	for (__u32 i = 0; i < count; i++)
		wanted |= __atomic_load_n(&figures->wanted[i], __ATOMIC_RELAXED) == netns;
	for (__u32 i = 0; i < scrubber->done_count; i++)
		wanted &= scrubber->done[i] != netns;
	return wanted && scrubber->done_count < SCRUB_NAMESPACES;
}

/* Of one process, by whose namespace the thread gets into it. */
static void visit(struct scrubber *scrubber, const char *process)
{
	char path[300];
	struct stat stat_;
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/ns/net", process);
	if (stat(path, &stat_) || !is_wanted(scrubber, stat_.st_ino))
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	scrubber->done[scrubber->done_count++] = stat_.st_ino;
	if (setns(fd, CLONE_NEWNET))
		__atomic_fetch_add(&scrubber->figures->failures, 1, __ATOMIC_RELAXED);
	else
		look_at_interfaces(scrubber, stat_.st_ino);
	close(fd);
}

static void release_unseen(struct scrubber *scrubber)
{
	__u64 count = 0;

	for (int i = 0; i < MAX_INTERFACES; i++) {
		struct scrubbed *place = &scrubber->all[i];

		if (place->netns && place->seen != scrubber->pass) {
			if (place->link >= 0)
				close(place->link);
			*place = (struct scrubbed){};
		}
		count += place->netns && place->link >= 0;
	}
	__atomic_store_n(&scrubber->figures->interfaces, count, __ATOMIC_RELAXED);
}

static void pass(struct scrubber *scrubber)
{
	int home = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	DIR *proc = NULL;
	struct dirent *entry;

	scrubber->pass++;
	scrubber->done_count = 0;
	if (home >= 0 && __atomic_load_n(&scrubber->figures->wanted_count, __ATOMIC_ACQUIRE))
		proc = opendir("/proc");
	while (proc && (entry = readdir(proc))) {
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			visit(scrubber, entry->d_name);
	}
	if (proc)
		closedir(proc);
	release_unseen(scrubber);
	/* A thread that stayed would keep a namespace alive that everybody else has left. */
	if (home >= 0) {
		setns(home, CLONE_NEWNET);
		close(home);
	}
}

static void *run(void *argument)
{
	struct scrubber *scrubber = argument;
	struct pollfd stop = {.fd = scrubber->stop, .events = POLLIN};

	pthread_setname_np(pthread_self(), "aether-scrub");
	privileges_keep(SCRUBBER_PRIVILEGES);
	sem_post(&scrubber->ready);
	do {
		if (rest_look(&scrubber->rest, __atomic_load_n(&scrubber->figures->connections, __ATOMIC_RELAXED)))
			__atomic_fetch_add(&scrubber->figures->failures, 1, __ATOMIC_RELAXED);
		pass(scrubber);
	} while (poll(&stop, 1, PERIOD_MS) <= 0);
	scrubber->pass++;
	release_unseen(scrubber);
	privileges_forget();
	return NULL;
}

struct scrubber *scrubber_start(const struct rest *ecn, struct scrub_figures *figures)
{
	struct bpf_object *object = ecn->feature->state == ATTACHED ? ecn->feature->object : NULL;
	struct bpf_program *program = object ? bpf_object__find_program_by_name(object, "aether_ecn_scrub") : NULL;
	struct scrubber *scrubber = program ? calloc(1, sizeof(*scrubber)) : NULL;

	if (!scrubber)
		return NULL;
	scrubber->program = bpf_program__fd(program);
	scrubber->rest = *ecn;
	scrubber->figures = figures;
	scrubber->stop = eventfd(0, EFD_CLOEXEC);
	sem_init(&scrubber->ready, 0, 0);
	if (scrubber->stop >= 0 && !pthread_create(&scrubber->thread, NULL, run, scrubber)) {
		/* Once this returns, its privileges are safe from privileges_drop(). */
		while (sem_wait(&scrubber->ready) && errno == EINTR)
			;
		return scrubber;
	}
	if (scrubber->stop >= 0)
		close(scrubber->stop);
	free(scrubber);
	return NULL;
}

void scrubber_stop(struct scrubber *scrubber)
{
	if (!scrubber)
		return;
	eventfd_write(scrubber->stop, 1);
	pthread_join(scrubber->thread, NULL);
	close(scrubber->stop);
	free(scrubber);
}
