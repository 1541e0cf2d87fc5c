// SPDX-License-Identifier: Apache-2.0
#include "guard.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "guard_lists.h"
#include "guard_pins.h"
#include "guard_port.h"
#include "rodata.h"

#define LOG_SIZE (64 * 1024)

extern const char aether_guard_start[], aether_guard_end[];

struct guard *guard_open(const struct guard_settings *settings)
{
	struct guard *guard = calloc(1, sizeof(*guard));

	if (guard) {
		guard->settings = *settings;
		guard->state = UNSUPPORTED;
		guard->pins = -1;
	}
	return guard;
}

void guard_add_port(struct guard *guard, const char *name)
{
	struct guard_port *port = &guard->ports[guard->port_count];

	if (guard->port_count == GUARD_MAX_PORTS)
		return;
	guard->port_count++;
	port->link = -1;
	port->state = UNSUPPORTED;
	strncpy(port->name, name, sizeof(port->name) - 1);
}

static int quiet(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level, (void)format, (void)args;
	return 0;
}

/* The last line of the verifier's log that is not its statistics. */
static const char *last_line(char *log)
{
	const char *last = "";
	char *save = NULL;

	for (char *line = strtok_r(log, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (strncmp(line, "processed ", 10))
			last = line;
	return last;
}

static void refuse(struct guard *guard, int err, char *log)
{
	/* Without CAP_PERFMON the verifier allows no packet offsets that it does not know. */
	int denied = err == EPERM || (err == EACCES && strstr(log, "!root"));
	const char *words = last_line(log);

	guard->state = denied ? DENIED : UNSUPPORTED;
	error_set(&guard->error, "cannot load: %s%s%.200s", strerror(err), words[0] ? ": " : "", words);
	if (denied)
		error_fix(&guard->error, "run the agent as root or with CAP_BPF, CAP_PERFMON and CAP_NET_ADMIN");
	else
		error_fix(&guard->error, "this kernel lacks what the program needs; Linux 5.10 or newer has it");
}

static void size_map(struct bpf_object *object, const char *name, __u32 entries)
{
	bpf_map__set_max_entries(bpf_object__find_map_by_name(object, name), entries);
}

static void prepare(struct bpf_object *object, const struct guard_settings *settings)
{
	const __u8 enforce = settings->enforce != 0;
	__u64 secrets[GUARD_ROWS], tick = clock_tick();

	if (getrandom(secrets, sizeof(secrets), 0) == sizeof(secrets)) {
		for (int row = 0; row < GUARD_ROWS; row++)
			secrets[row] |= 1;
		rodata_set(object, "secrets", secrets, sizeof(secrets));
	}
	rodata_set(object, "enforce", &enforce, sizeof(enforce));
	rodata_set(object, "tick_ns", &tick, sizeof(tick));
	rodata_set(object, "syn_gap_ns", &settings->syn_gap_ns, sizeof(settings->syn_gap_ns));
	rodata_set(object, "cookie_gap_ns", &settings->cookie_gap_ns, sizeof(settings->cookie_gap_ns));
	rodata_set(object, "syn_credit_ns", &settings->syn_credit_ns, sizeof(settings->syn_credit_ns));
	/* The allow list is as long as the block list; the management networks come on top. */
	size_map(object, "trusted4", settings->entries + GUARD_MAX_MANAGEMENT);
	size_map(object, "trusted6", settings->entries + GUARD_MAX_MANAGEMENT);
	size_map(object, "blocked4", settings->entries);
	size_map(object, "blocked6", settings->entries);
	size_map(object, "connections4", settings->connections);
	size_map(object, "connections6", settings->connections);
}

static int open_and_load(struct guard *guard, char *log)
{
	LIBBPF_OPTS(bpf_object_open_opts, options, .object_name = "guard", .kernel_log_buf = log,
		    .kernel_log_size = LOG_SIZE);
	struct bpf_object *object;
	int err;

	object = bpf_object__open_mem(aether_guard_start, aether_guard_end - aether_guard_start, &options);
	if (!object)
		return errno;
	prepare(object, &guard->settings);
	err = -bpf_object__load(object);
	if (err) {
		bpf_object__close(object);
		return err;
	}
	guard->object = object;
	guard_lists_changed(guard);
	return 0;
}

/* Where the kernel has not all that they need. */
static int load_without_cookies(struct guard *guard, int err, char *log)
{
	const char *words = last_line(log);

	error_set(&guard->error, "without SYN cookies: %s: %.200s", strerror(err), words);
	error_fix(&guard->error, "Linux 5.18 or newer has what they need");
	guard->settings.cookie_gap_ns = 0;
	memset(log, 0, LOG_SIZE);
	return open_and_load(guard, log);
}

void guard_load(struct guard *guard)
{
	const struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
	libbpf_print_fn_t before = libbpf_set_print(quiet);
	char *log = calloc(1, LOG_SIZE), none[] = "";
	int err;

	/* Kernels before 5.11 charge maps to this limit. */
	setrlimit(RLIMIT_MEMLOCK, &unlimited);
	err = log ? open_and_load(guard, log) : ENOMEM;
	if (err && err != EPERM && log && guard->settings.cookie_gap_ns)
		err = load_without_cookies(guard, err, log);
	if (err)
		refuse(guard, err, log ? log : none);
	else
		guard->state = ATTACHED;
	free(log);
	libbpf_set_print(before);
}

static int program(const struct guard *guard)
{
	return guard->object ? bpf_program__fd(bpf_object__find_program_by_name(guard->object, "aether_guard")) : -1;
}

void guard_attach(struct guard *guard)
{
	for (int i = 0; i < guard->port_count; i++) {
		struct guard_port *port = &guard->ports[i];

		if (guard->object) {
			guard_port_attach(guard, port, program(guard));
		} else {
			port->state = guard->state;
			port->error = guard->error;
		}
	}
	guard_pins_prune(guard);
	guard_lists_pin(guard);
}

int guard_verdicts(const struct guard *guard, __u64 *values)
{
	int map = guard->object ? bpf_object__find_map_fd_by_name(guard->object, "verdicts") : -1;
	int cpus = libbpf_num_possible_cpus();
	__u64 *parts = map < 0 || cpus < 1 ? NULL : calloc(cpus, sizeof(*parts));

	memset(values, 0, GUARD_VERDICTS * sizeof(*values));
	for (__u32 verdict = 0; parts && verdict < GUARD_VERDICTS; verdict++) {
		if (bpf_map_lookup_elem(map, &verdict, parts))
			continue;
		for (int cpu = 0; cpu < cpus; cpu++)
			values[verdict] += parts[cpu];
	}
	free(parts);
	return GUARD_VERDICTS;
}

int guard_try(const struct guard *guard, const void *packet, __u32 size, __u32 repeat, __u64 *values)
{
	LIBBPF_OPTS(bpf_test_run_opts, options, .data_in = packet, .data_size_in = size, .repeat = repeat);

	if (bpf_prog_test_run_opts(program(guard), &options))
		return -errno;
	values[0] = options.retval;
	values[1] = options.duration;
	return 0;
}

void guard_program(const struct guard *guard, __u64 *values)
{
	struct bpf_prog_info info = {};
	__u32 length = sizeof(info);

	bpf_obj_get_info_by_fd(program(guard), &info, &length);
	values[0] = info.id;
	values[1] = info.verified_insns;
}

void guard_close(struct guard *guard)
{
	guard_pins_close(guard);
	for (int i = 0; i < guard->port_count; i++)
		if (guard->ports[i].link >= 0)
			close(guard->ports[i].link);
	bpf_object__close(guard->object);
	free(guard);
}
