/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* What flood.c and flood.bpf.c say to each other. */
#ifndef AETHER_FLOOD_H
#define AETHER_FLOOD_H

#define FLOOD_ETHERNET 14
#define FLOOD_IP 20
#define FLOOD_TCP 20
#define FLOOD_SIZE (FLOOD_ETHERNET + FLOOD_IP + FLOOD_TCP)
#define FLOOD_FIRST_PORT 1024
#define FLOOD_PORTS 60000

#endif /* AETHER_FLOOD_H */
