/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of bench.c: frames, timing on the host, timing on a device, loads, the check. */
#ifndef FECRUN_TOOL_BENCH_BENCH_IMPL_H
#define FECRUN_TOOL_BENCH_BENCH_IMPL_H

#include "core/batch/exec.h"
#include "core/batch/line.h"
#include "tools/fecrun/bench/bench.h"

/* Batches that calls go round; on the host for each thread, on a device at least. */
#define BENCH_SLOTS 3

struct bench {
    const struct session *session;
    const struct bench_options *options;
    const struct bench_load *load; /* NULL: batches back to back */
    size_t stage;
    struct session_plan plan;
    struct exec exec;
    bool open;
    bool on_device;     /* the stage computes there */
    unsigned threads;   /* that call the stage at once; 1 on a device */
    unsigned in_flight; /* on a device: streams of the end-to-end rate */
    struct slot base;   /* on a device: what the slots share */
    struct slot *slots; /* one a thread and BENCH_SLOTS, or those of a device */
    unsigned n_slots, made;
};

/* ---- bench_slots.c ---- */

/* Slots with the frames that the stages before the stage make. */
int bench_slots_make(struct bench *bench, struct diag *diag);
void bench_slots_free(struct bench *bench);
/* Frees all but the first n: the others were not called. */
void bench_slots_keep(struct bench *bench, unsigned n);
/* Bytes of a whole batch in this buffer. */
size_t bench_bytes(const struct bench *bench, const struct buffer *buffer);
/* A buffer's bytes, wherever it lies, to or from host memory; waits. */
int bench_fetch(struct bench *bench, const struct buffer *buffer, size_t offset, void *to,
                size_t bytes, struct diag *diag);
int bench_fill(struct bench *bench, const struct memory *memory, struct diag *diag);
/* What a call leaves behind must be its own work, not an earlier call's. */
int bench_poison(struct bench *bench, struct diag *diag);
/* Errors in what the timed calls left behind in every slot, whichever instance made it. */
int bench_count(struct bench *bench, struct bench_result *result, struct diag *diag);

/* ---- bench_host.c, bench_device.c ---- */

/* Each fills speeds, latency and the check's results; *bits: information bits of one batch. */
int bench_host(struct bench *bench, double bits, struct bench_result *result, struct diag *diag);
int bench_device(struct bench *bench, double bits, struct bench_result *result, struct diag *diag);
/* The same of the frames of a load. */
int bench_latency_host(struct bench *bench, struct bench_result *result, struct diag *diag);
int bench_latency_device(struct bench *bench, struct bench_result *result, struct diag *diag);

/* bench_ends.c: from pinned host memory to pinned host memory; device_gbps is known already. */
int bench_ends(struct bench *bench, double bits, struct bench_result *result, struct diag *diag);
/* The latter by single frames of a load; the slots have the output that was checked before. */
int bench_ends_load(struct bench *bench, struct bench_result *result, struct diag *diag);

/* ---- bench_reference.c ---- */

/* Compares what lies in the slots with the reference's output, if the backend claims equality. */
int bench_reference(struct bench *bench, struct bench_result *result, struct diag *diag);

/* ---- bench_time.c ---- */

/* Seconds that `calls` calls take; negative: an error. */
typedef double bench_time_fn(void *data, unsigned calls, struct diag *diag);

/* Median seconds of one call: warm-up, then BENCH_REPEATS repeats of at least `least` seconds.
   spread, calls (in a repeat): may be NULL. Negative: an error. */
double bench_median(bench_time_fn *fn, void *data, double least, double *spread, unsigned *calls,
                    struct diag *diag);
/* p50, p90, p99 and max of single calls: 200, but fewer, at least 20, after `most` seconds. */
int bench_latency(bench_time_fn *fn, void *data, double most, struct bench_result *result,
                  struct diag *diag);

/* ---- latency.c ---- */

/* Serves the frames of bench->load by single calls, and fills what the result has of a load. */
int bench_serve(struct bench *bench, bench_time_fn *fn, void *data, struct bench_result *result,
                struct diag *diag);

#endif
