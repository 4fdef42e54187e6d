/* SPDX-License-Identifier: BSD-2-Clause */
/* Handles SIGINT, SIGTERM and SIGHUP in verbs that run frames. */
#ifndef FECRUN_TOOL_SIGNALS_H
#define FECRUN_TOOL_SIGNALS_H

/*
 * Catches them from now on, but for those that are ignored already. What is pointed at is not 0 after the first, which asks for an end in
 * order; see fecrun_cancelled. More within a second are the same request; one after that ends the
 * program at once, with a line that says so.
 */
volatile int *signals_catch(void);
/* The same flag; before signals_catch() it stays 0. */
const volatile int *signals_flag(void);

#endif
