// SPDX-License-Identifier: Apache-2.0
#include "inspect.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cgroup.h"

/* Since 6.6; newer than the headers of some distributions. */
#define TRACE_UPROBE_MULTI 48

/* The part of union bpf_attr that makes such a link. */
struct uprobe_multi_attr {
	__u32 program, target, attach_type, flags;
	__u64 path, offsets, ref_counters, cookies;
	__u32 count, probe_flags, pid, pad;
};

static int quiet(enum libbpf_print_level level, const char *format, va_list args)
{
	return 0;
}

static void judge(struct finding *finding, const char *hook, int err)
{
	*finding = (struct finding){.topic = "hook"};
	snprintf(finding->subject, sizeof(finding->subject), "%s", hook);
	snprintf(finding->state, sizeof(finding->state), "%s",
		 !err				 ? "available"
		 : err == EPERM || err == EACCES ? "denied"
						 : "unsupported");
	if (err)
		snprintf(finding->detail, sizeof(finding->detail), "%s", strerror(err));
}

/* A program that returns a value and does nothing else; its descriptor or -errno. */
static int load(enum bpf_prog_type type, enum bpf_attach_type attach, int btf_id, int result)
{
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = attach, .attach_btf_id = btf_id);
	const struct bpf_insn program[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = result},
		{.code = BPF_JMP | BPF_EXIT},
	};
	int fd = bpf_prog_load(type, "aether_doctor", "GPL", program, 2, &options);

	return fd < 0 ? -errno : fd;
}

static int try(enum bpf_prog_type type, enum bpf_attach_type attach, int btf_id, int result)
{
	int fd = btf_id < 0 ? -ENOENT : load(type, attach, btf_id, result);

	if (fd >= 0)
		close(fd);
	return fd < 0 ? -fd : 0;
}

/* A kernel that knows such links looks at the file first, and the root directory is none. */
static int try_uprobe_multi(void)
{
	const unsigned long offset = 0;
	struct uprobe_multi_attr attr = {
		.attach_type = TRACE_UPROBE_MULTI,
		.path = (unsigned long)"/",
		.offsets = (unsigned long)&offset,
		.count = 1,
	};
	int fd = load(BPF_PROG_TYPE_KPROBE, TRACE_UPROBE_MULTI, 0, 0), err;

	if (fd < 0)
		return -fd;
	attr.program = fd;
	err = syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr)) < 0 ? errno : 0;
	close(fd);
	return err == EBADF ? 0 : err ?: EINVAL;
}

static int member(const struct btf *btf, int id, const char *name)
{
	const struct btf_type *type = id < 0 ? NULL : btf__type_by_id(btf, id);

	for (int i = 0; type && i < btf_vlen(type); i++) {
		if (!strcmp(btf__name_by_offset(btf, btf_members(type)[i].name_off), name))
			return i;
	}
	return -1;
}

static int try_struct_ops(const struct btf *btf)
{
	int id = btf__find_by_name_kind(btf, "tcp_congestion_ops", BTF_KIND_STRUCT);

	return try(BPF_PROG_TYPE_STRUCT_OPS, member(btf, id, "ssthresh"), id, 2);
}

int inspect_field(const char *type, const char *field)
{
	struct btf *btf = btf__load_vmlinux_btf();
	int id = btf ? btf__find_by_name_kind(btf, type, BTF_KIND_STRUCT) : -1;
	int found = id > 0 && member(btf, id, field) >= 0;

	btf__free(btf);
	return found;
}

int inspect_hooks(struct finding *findings, int capacity)
{
	struct btf *btf = btf__load_vmlinux_btf();
	int count = 0;

	libbpf_set_print(quiet);
	if (capacity < 7)
		return 0;
	judge(&findings[count++], "sockops", try(BPF_PROG_TYPE_SOCK_OPS, BPF_CGROUP_SOCK_OPS, 0, 1));
	judge(&findings[count++], "cgroup_skb", try(BPF_PROG_TYPE_CGROUP_SKB, BPF_CGROUP_INET_EGRESS, 0, 1));
	judge(&findings[count++], "xdp", try(BPF_PROG_TYPE_XDP, BPF_XDP, 0, XDP_PASS));
	judge(&findings[count++], "tp_btf",
	      btf ? try(BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP,
			btf__find_by_name_kind(btf, "btf_trace_sched_switch", BTF_KIND_TYPEDEF), 0)
		  : ENOENT);
	judge(&findings[count++], "iter_tcp",
	      btf ? try(BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER,
			btf__find_by_name_kind(btf, "bpf_iter_tcp", BTF_KIND_FUNC), 0)
		  : ENOENT);
	judge(&findings[count++], "struct_ops", btf ? try_struct_ops(btf) : ENOENT);
	judge(&findings[count++], "uprobe_multi", try_uprobe_multi());
	btf__free(btf);
	return count;
}

int inspect_cgroup(const char *cgroup, struct finding *findings, int capacity)
{
	static const struct {
		enum bpf_attach_type type;
		const char *name;
	} points[] = {{BPF_CGROUP_SOCK_OPS, "sockops"},
		      {BPF_CGROUP_INET_INGRESS, "cgroup_skb/ingress"},
		      {BPF_CGROUP_INET_EGRESS, "cgroup_skb/egress"}};
	int count = 0;

	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]) && count + 2 <= capacity; i++) {
		struct finding *alone = &findings[count];

		*alone = (struct finding){.topic = "cgroup", .state = "alone"};
		snprintf(alone->subject, sizeof(alone->subject), "%s", points[i].name);
		cgroup_holders(cgroup, points[i].type, alone->detail, sizeof(alone->detail));
		count += alone->detail[0] != '\0';
		findings[count] = (struct finding){.topic = "cgroup", .state = "shared"};
		snprintf(findings[count].subject, sizeof(findings[count].subject), "%s", points[i].name);
		cgroup_sharers(cgroup, points[i].type, findings[count].detail, sizeof(findings[count].detail));
		count += findings[count].detail[0] != '\0';
	}
	return count;
}

static const char *mode_of(int mode)
{
	switch (mode) {
	case XDP_ATTACHED_DRV:
		return "native";
	case XDP_ATTACHED_SKB:
		return "generic";
	case XDP_ATTACHED_HW:
		return "offloaded";
	default:
		return "several";
	}
}

int inspect_xdp(struct finding *findings, int capacity)
{
	struct if_nameindex *interfaces = if_nameindex();
	int count = 0;

	for (int i = 0; interfaces && interfaces[i].if_index && count < capacity; i++) {
		LIBBPF_OPTS(bpf_xdp_query_opts, query);

		if (bpf_xdp_query(interfaces[i].if_index, 0, &query) || !query.prog_id)
			continue;
		findings[count] = (struct finding){.topic = "xdp"};
		snprintf(findings[count].subject, sizeof(findings[count].subject), "%s", interfaces[i].if_name);
		snprintf(findings[count].state, sizeof(findings[count].state), "%s", mode_of(query.attach_mode));
		cgroup_name_program(query.prog_id, findings[count].detail, sizeof(findings[count].detail));
		count++;
	}
	if_freenameindex(interfaces);
	return count;
}
