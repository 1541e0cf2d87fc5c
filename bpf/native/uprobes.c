// SPDX-License-Identifier: Apache-2.0
/*
 * A link of one program to many places of one file. Unlike probes that go through perf_event_open() it needs no
 * CAP_SYS_ADMIN. It came with Linux 6.6; headers and libbpf of distributions that are older do not know it, so the
 * numbers of the kernel's interface stand here.
 */
#define _GNU_SOURCE
#include "uprobes.h"

#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TRACE_UPROBE_MULTI 48
#define UPROBE_MULTI_RETURN 1

struct link_create {
	__u32 program;
	__u32 target;
	__u32 attach_type;
	__u32 flags;
	__aligned_u64 path;
	__aligned_u64 offsets;
	__aligned_u64 counters;
	__aligned_u64 cookies;
	__u32 count;
	__u32 probe_flags;
	__u32 pid; /* 0: all */
	__u32 pad;
};

int uprobes_prepare(struct bpf_program *program)
{
	return bpf_program__set_expected_attach_type(program, TRACE_UPROBE_MULTI);
}

int uprobes_attach(int program, const char *path, const __u64 *offsets, const __u64 *cookies, __u32 count, int returns)
{
	struct link_create create = {
		.program = program,
		.attach_type = TRACE_UPROBE_MULTI,
		.path = (__u64)path,
		.offsets = (__u64)offsets,
		.cookies = (__u64)cookies,
		.count = count,
		.probe_flags = returns ? UPROBE_MULTI_RETURN : 0,
	};

	return syscall(__NR_bpf, BPF_LINK_CREATE, &create, sizeof(create));
}
