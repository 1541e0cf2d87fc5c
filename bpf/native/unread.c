// SPDX-License-Identifier: Apache-2.0
/* The kernel's table of connections with unread data, mapped: a look at it is no call into the kernel. */
#include <sys/mman.h>
#include <unistd.h>

#include "engine.h"

static size_t mapped_size(void)
{
	size_t page = sysconf(_SC_PAGESIZE);

	return (sizeof(struct aether_unread_table) + page - 1) / page * page;
}

void unread_open(struct engine *engine)
{
	int map = loader_map(&engine->features[QUEUE], "unread");
	void *memory = map < 0 ? MAP_FAILED : mmap(NULL, mapped_size(), PROT_READ, MAP_SHARED, map, 0);

	engine->unread = memory == MAP_FAILED ? NULL : memory;
}

void unread_close(struct engine *engine)
{
	if (engine->unread)
		munmap((void *)engine->unread, mapped_size());
	engine->unread = NULL;
}

int unread_end(const struct engine *engine)
{
	if (!engine->unread)
		return 0;
	return __atomic_load_n(&engine->unread->far, __ATOMIC_ACQUIRE) > 0 ? AETHER_MAX_UNREAD : AETHER_NEAR_UNREAD;
}

__u32 unread_count(const struct engine *engine)
{
	__u32 count = 0;

	for (int i = 0, end = unread_end(engine); i < end; i++)
		count += engine->unread->slots[i].arrival_ns != 0;
	return count;
}
