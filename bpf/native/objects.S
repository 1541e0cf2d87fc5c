/* SPDX-License-Identifier: Apache-2.0 */
/* The compiled kernel programs, carried inside the library. */
	.macro object name, file
	.globl	aether_\name\()_start, aether_\name\()_end
	.hidden	aether_\name\()_start, aether_\name\()_end
	.balign	8
aether_\name\()_start:
	.incbin	"\file"
aether_\name\()_end:
	.endm

	.section .rodata
	object	flow, "flow.bpf.o"
	object	queue, "queue.bpf.o"
	object	sched, "sched.bpf.o"
	object	health, "health.bpf.o"
	object	guard, "guard.bpf.o"
	object	http, "http.bpf.o"
	object	tls, "tls.bpf.o"
	object	ecn, "ecn.bpf.o"
	object	cc, "cc.bpf.o"
	.section .note.GNU-stack, "", @progbits
