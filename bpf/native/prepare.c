// SPDX-License-Identifier: Apache-2.0
#include "prepare.h"

#include <string.h>

#include "clock.h"
#include "inspect.h"
#include "rodata.h"
#include "uprobes.h"

static void set_constants(struct bpf_object *object, const struct settings *settings, const struct watched *watched)
{
	const __u64 tick = clock_tick();

	rodata_set(object, "tick_ns", &tick, sizeof(tick));
	rodata_set(object, "watched_cgroup", &watched->id, sizeof(watched->id));
	rodata_set(object, "watched_level", &watched->level, sizeof(watched->level));
	rodata_set(object, "congested_rtt_us", &settings->congested_rtt_us, 4);
	rodata_set(object, "congested_floor_us", &settings->congested_floor_us, 4);
	rodata_set(object, "congested_factor", &settings->congested_factor, 4);
	rodata_set(object, "delayed_ack_us", &settings->delayed_ack_us, 4);
	rodata_set(object, "stall_after_ns", &settings->stall_after_ns, 8);
	rodata_set(object, "ack_delay_us", &settings->ack_delay_us, 4);
	rodata_set(object, "ask_ecn", &settings->ask_ecn, 1);
}

int prepare_in_library(const struct bpf_program *program)
{
	return bpf_program__type(program) == BPF_PROG_TYPE_KPROBE;
}

/* Wakeups are watched for one thing only, which kernels that throttle single tasks (6.18) do not do. */
static int is_needless(const struct bpf_program *program)
{
	return !strncmp(bpf_program__name(program), "aether_wakeup", strlen("aether_wakeup")) &&
	       inspect_field("task_struct", "throttled");
}

static void prepare_programs(struct bpf_object *object)
{
	struct bpf_program *program;

	bpf_object__for_each_program (program, object) {
		if (prepare_in_library(program))
			uprobes_prepare(program);
		if (is_needless(program))
			bpf_program__set_autoload(program, false);
	}
}

void prepare_object(struct bpf_object *object, const struct settings *settings, const struct watched *watched)
{
	prepare_programs(object);
	set_constants(object, settings, watched);
}
