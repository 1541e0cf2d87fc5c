/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that visits the listeners once a second: nothing else tells how many connections wait for accept(). */
#ifndef AETHER_SURVEYOR_H
#define AETHER_SURVEYOR_H

#include "loader.h"
#include "privileges.h"

struct surveyor;

/* To enter the network namespaces of others. Kept on its thread alone, as far as the agent has them. */
#define SURVEYOR_PRIVILEGES (PRIVILEGE(CAP_SYS_ADMIN) | PRIVILEGE(CAP_SYS_PTRACE))

/* NULL when the queue programs are not attached; both functions then do nothing. */
struct surveyor *surveyor_start(const struct feature *queue);
void surveyor_stop(struct surveyor *surveyor);

#endif /* AETHER_SURVEYOR_H */
