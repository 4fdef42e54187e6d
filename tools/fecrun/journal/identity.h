/* SPDX-License-Identifier: BSD-2-Clause */
/* The identity of a pipeline: everything that its counts depend on. See doc/journal.md. */
#ifndef FECRUN_TOOL_JOURNAL_IDENTITY_H
#define FECRUN_TOOL_JOURNAL_IDENTITY_H

#include "run/session/session.h"
#include "tools/fecrun/journal/sha256.h"

#include <jansson.h>

/*
 * run: the first line of a result file. Left out of it: stop rules, batch, in_flight, latency, threads,
 * backends with their settings, and the values of swept parameters, which are the points'. Files
 * that are read stand there by what they hold. A new object; NULL with a diagnostic.
 */
json_t *identity_of(const struct session *session, const json_t *run, struct diag *diag);
/* -1: out of memory. */
int identity_hash(const json_t *identity, char text[SHA256_TEXT]);

/* Where two of them differ first, as "pipeline[3].channel.awgn.ebn0_db: 1, here 2". */
const char *identity_difference(const json_t *a, const json_t *b, char *text, size_t size);

/*
 * {"ID": "BACKEND"} of stages where another backend may give other counts: it is only near its
 * reference, or it decides on real LLRs. NULL: out of memory.
 */
json_t *identity_near(const struct session *session, const struct session_plan *plan);

/* Names of all backends that run, each once, as "ref+simd". */
const char *identity_backends(const struct session_plan *plan, char *text, size_t size);

#endif
