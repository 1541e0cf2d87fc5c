// SPDX-License-Identifier: Apache-2.0
/* Attaching to one interface, and telling who is in the way. */
#include "guard_port.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/if_link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "guard_pins.h"

struct holder {
	__u32 program; /* id, 0: nobody */
	__u32 link;    /* id, 0: attached by netlink, or not known */
	int hidden;    /* neither links nor names may be looked at, for want of CAP_SYS_ADMIN */
	int generic;
	char name[BPF_OBJ_NAME_LEN];
};

/* The interface of a link; 0 when it went away. */
static __u32 link_ifindex(int link, __u32 *program)
{
	struct bpf_link_info info = {};
	__u32 length = sizeof(info);

	if (bpf_obj_get_info_by_fd(link, &info, &length) || info.type != BPF_LINK_TYPE_XDP)
		return 0;
	if (program)
		*program = info.prog_id;
	return info.xdp.ifindex;
}

/* The link that keeps this program on the interface. */
static __u32 find_link(__u32 ifindex, __u32 program, int *hidden)
{
	__u32 id = 0;

	errno = 0;
	while (!bpf_link_get_next_id(id, &id)) {
		int link = bpf_link_get_fd_by_id(id);
		__u32 of = 0, at = link < 0 ? 0 : link_ifindex(link, &of);

		if (link >= 0)
			close(link);
		if (at == ifindex && of == program)
			return id;
	}
	*hidden = errno == EPERM;
	return 0;
}

static struct holder find_holder(int ifindex)
{
	LIBBPF_OPTS(bpf_xdp_query_opts, query);
	struct bpf_prog_info info = {};
	struct holder holder = {};
	__u32 length = sizeof(info);
	int program;

	if (bpf_xdp_query(ifindex, 0, &query))
		return holder;
	holder.program = query.drv_prog_id ?: query.hw_prog_id ?: query.skb_prog_id;
	holder.generic = !query.drv_prog_id && !query.hw_prog_id;
	if (!holder.program)
		return holder;
	holder.link = find_link(ifindex, holder.program, &holder.hidden);
	program = bpf_prog_get_fd_by_id(holder.program);
	if (program >= 0 && !bpf_obj_get_info_by_fd(program, &info, &length))
		snprintf(holder.name, sizeof(holder.name), "%s", info.name);
	if (program >= 0)
		close(program);
	return holder;
}

static void conflict(struct guard_port *port, const struct holder *holder, int err)
{
	const char *mode = holder->generic ? "generic" : "native";
	/* A link that is there answers EBUSY, a program of netlink's EEXIST. */
	int by_link = holder->link || (holder->hidden && err == EBUSY);
	char link[16] = "a link";

	if (holder->link)
		snprintf(link, sizeof(link), "link %u", holder->link);
	port->state = CONFLICT;
	error_set(&port->error, "the XDP hook of %s (%s) is held by %s (program %u), attached by %s", port->name, mode,
		  holder->name[0] ? holder->name : "a program whose name needs CAP_SYS_ADMIN", holder->program,
		  by_link ? link : "netlink");
	if (by_link)
		error_fix(&port->error, "stop the process that holds %s (see: bpftool link show), or leave %s to it",
			  link, port->name);
	else
		error_fix(&port->error, "ip link set dev %s %s off, if nobody needs it, or leave %s to it", port->name,
			  holder->generic ? "xdpgeneric" : "xdpdrv", port->name);
}

static void refuse(struct guard_port *port, int ifindex, int err)
{
	struct holder holder = err == EBUSY || err == EEXIST ? find_holder(ifindex) : (struct holder){};

	if (holder.program) {
		conflict(port, &holder, err);
		return;
	}
	port->state = err == EPERM ? DENIED : err == EBUSY || err == EEXIST ? CONFLICT : UNSUPPORTED;
	error_set(&port->error, "cannot attach to %s: %s", port->name, strerror(err));
	if (err == EPERM)
		error_fix(&port->error, "run the agent as root or with CAP_BPF, CAP_PERFMON and CAP_NET_ADMIN");
	else if (port->state == CONFLICT)
		error_fix(&port->error, "another program holds its XDP hook: see bpftool net show dev %s", port->name);
	else
		error_fix(&port->error,
			  "this kernel or this kind of interface has no XDP; Linux 5.9 or newer has links for it");
}

static int create_link(int program, int ifindex, __u32 mode)
{
	LIBBPF_OPTS(bpf_link_create_opts, options, .flags = mode);
	int link = bpf_link_create(program, ifindex, BPF_XDP, &options);

	return link < 0 ? -errno : link;
}

static int is_attached(struct guard_port *port, int ifindex)
{
	if (port->link < 0)
		return 0;
	if (ifindex && link_ifindex(port->link, NULL) == (__u32)ifindex)
		return 1;
	close(port->link);
	port->link = -1;
	return 0;
}

/* The link that an earlier agent left: what it runs is exchanged in one step, so that no packet passes unjudged. */
static int take_over(const struct guard *guard, struct guard_port *port, int program, int ifindex)
{
	LIBBPF_OPTS(bpf_xdp_query_opts, query);
	int link = guard_pins_take(guard, ifindex);

	if (link < 0)
		return -1;
	if (link_ifindex(link, NULL) != (__u32)ifindex || bpf_link_update(link, program, NULL)) {
		close(link);
		return -1;
	}
	port->link = link;
	port->interface = ifindex;
	port->state = ATTACHED;
	port->taken = 1;
	port->native = !bpf_xdp_query(ifindex, 0, &query) && query.drv_prog_id;
	if (!port->native)
		error_set(&port->error, "generic mode, which costs more, as before");
	return 0;
}

void guard_port_attach(const struct guard *guard, struct guard_port *port, int program)
{
	int ifindex = if_nametoindex(port->name), link, err;

	if (is_attached(port, ifindex))
		return;
	port->error = (struct error){};
	if (!ifindex) {
		port->state = UNSUPPORTED;
		error_set(&port->error, "there is no interface %s", port->name);
		error_fix(&port->error,
			  "correct aether.agent.guard.interfaces (see: ip link), or add it: it is looked for again");
		return;
	}
	if (!take_over(guard, port, program, ifindex))
		return;
	link = err = create_link(program, ifindex, XDP_FLAGS_DRV_MODE);
	if (link < 0 && err != -EPERM && err != -EBUSY && err != -EEXIST)
		link = create_link(program, ifindex, XDP_FLAGS_SKB_MODE);
	if (link < 0) {
		refuse(port, ifindex, -link);
		return;
	}
	port->link = link;
	port->interface = ifindex;
	port->native = link == err;
	port->state = ATTACHED;
	guard_pins_put(guard, ifindex, link);
	if (!port->native)
		error_set(&port->error, "generic mode, which costs more: the driver refused native mode (%s)",
			  strerror(-err));
}
