/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures one stage on frames that the rest of the pipeline makes, and checks its output. */
#ifndef FECRUN_TOOL_BENCH_BENCH_H
#define FECRUN_TOOL_BENCH_BENCH_H

#include "run/session/session.h"

#define BENCH_REPEATS 11 /* medians of these */

struct bench_options {
    size_t point;           /* of the sweep */
    uint64_t batch;         /* frames in one call */
    bool stage_only;        /* neither end_to_end_gbps nor latency, which are 0 then */
    double check_seconds;   /* of the reference at most */
    double latency_seconds; /* fewer calls where they would take longer */
    bool brief; /* on a device: repeats of a millisecond, of one result after many others */
};

/* A load of single frames, of one rate. */
struct bench_load {
    size_t point;               /* of the sweep */
    double rate;                /* frames that arrive in a second; 0: share says it */
    double share;               /* of what calls that follow each other serve */
    double seconds;             /* how long frames arrive */
    double check_seconds;       /* of the reference at most */
    const volatile int *cancel; /* ends the load early; may be NULL */
};

#define BENCH_LOAD_FRAMES 10000000 /* of one load at most */

struct bench_result {
    const char *stage, *backend;
    char device[64];        /* "host" or "cuda:0" */
    uint64_t batch;         /* frames in one call */
    unsigned threads;       /* 1 on a device */
    unsigned in_flight;     /* batches under way in end_to_end_gbps; 0: one a thread */
    uint64_t info_bits;     /* of one frame: what the stage puts out */
    double device_gbps;     /* input and output where the backend computes */
    double end_to_end_gbps; /* host memory to host memory */
    double spread;          /* (largest - smallest) / median of device_gbps */
    uint64_t scratch_bytes; /* working memory of one call */
    double compute_gbps;    /* what the backend's operation count allows; 0: unknown */
    double latency_us[4];   /* one batch alone, host to host: p50, p90, p99, max */
    unsigned latency_calls;
    /* Of bench_load_run(), which gives no rates and no latency_us. Latencies of a frame from its planned arrival to its
       result: p50, p90, p99, p99.9, max; NAN: of too few frames, or of a load that is not served. */
    double load_us[5];
    double rate;       /* frames that arrive in a second */
    uint64_t arrivals; /* planned */
    uint64_t served;   /* fewer than arrivals: the load ended early */
    double service_us; /* mean time of a frame without its waiting */
    double load;       /* service time / time between arrivals */
    bool overloaded;   /* frames take longer than they arrive, so that latency has no bound */
    /* Only of a device: 10^9 bytes a second between pinned memory and device in copies of the
       batch's size, each direction alone and the sum of both at once; 0: host. */
    double h2d_gbs, d2h_gbs, both_gbs;
    double bound_gbps; /* what device_gbps and the copies alone allow end to end */
    bool counted;      /* the sink counts errors: ber and fer are valid */
    double ber, fer;
    uint64_t frames;         /* that ber and fer were taken from */
    bool compared;           /* with the reference; else it is that, or claims no exact agreement */
    uint64_t checked_frames; /* equal to the reference's bit for bit */
    double iterations_mean;  /* 0: not iterative */
    uint64_t device_bytes;   /* of device memory in use; 0: unknown */
    uint64_t device_total;   /* and in all */
    bool unmade; /* after an error: there was no memory, or no instance, for the batch */
};

/* Index of the stage to time: `id`, or without one the last that is called *.decode. -1: none. */
int bench_stage(const struct session *session, const char *id, struct diag *diag);

/*
 * Times one batch size. An output with errors that cannot be from noise is still reported with its
 * ber: judging it is the reader's part. One that is not the reference's, where the backend claims
 * that, is an error.
 */
int bench_run(const struct session *session, size_t stage, const struct bench_options *options,
              struct bench_result *result, struct diag *diag);

/*
 * Measures the latency of single frames that arrive at a rate, one frame at a time in one thread or one stream, from
 * host memory to host memory. The output is checked as that of bench_run(). An error (DIAG_USAGE): the load has no
 * frame, or more than BENCH_LOAD_FRAMES.
 */
int bench_load_run(const struct session *session, size_t stage, const struct bench_load *load,
                   struct bench_result *result, struct diag *diag);

/* Quantile q (0..1) of n sorted values, linear between neighbours; 0 if n is 0. */
double bench_quantile(const double *sorted, uint64_t n, double q);

#endif
