/* SPDX-License-Identifier: BSD-2-Clause */
/* Speed of one stage on frames that the rest of the pipeline makes, with its output checked. */
#ifndef FECRUN_BENCH_H
#define FECRUN_BENCH_H

#include "session.h"

#define BENCH_REPEATS 11 /* medians of these */

struct bench_result {
    const char *stage, *backend;
    char device[64];        /* "host" or "cuda:0" */
    uint64_t batch;         /* frames in one call */
    unsigned threads;
    uint64_t info_bits;     /* of one frame: what the stage puts out */
    double device_gbps;     /* input and output where the backend computes */
    double end_to_end_gbps; /* host memory to host memory, conversions and copies included */
    double spread;          /* (largest - smallest) / median of device_gbps */
    double latency_us[4];   /* one batch alone, host to host: p50, p90, p99, max */
    bool counted;           /* the sink counts errors: ber and fer are valid */
    double ber, fer;
    uint64_t frames;        /* that ber and fer were taken from */
    double iterations_mean; /* 0: not iterative */
};

/* Index of the stage to time: `id`, or without one the last that is called *.decode. -1: none. */
int bench_stage(const struct session *session, const char *id, struct diag *diag);

/* Times one batch size. An output with errors that cannot be from noise is still reported with its
   ber: judging it is the reader's part. */
int bench_run(const struct session *session, size_t stage, uint64_t batch,
              struct bench_result *result, struct diag *diag);

#endif
