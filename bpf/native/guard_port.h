/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AETHER_GUARD_PORT_H
#define AETHER_GUARD_PORT_H

#include "guard.h"

/* Attaches to the interface unless that is done; afterwards the port's state says what became of it. */
void guard_port_attach(const struct guard *guard, struct guard_port *port, int program);

#endif /* AETHER_GUARD_PORT_H */
