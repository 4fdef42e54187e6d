/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * LDPC decoders with LLRs in shared memory, for codes and rules that the kernels in registers
 * (registers/plan.h) do not have: matrices without structure, circulants in one place, large lifting
 * sizes; oms, flooding, LLRs of any type. A kernel is compiled for a code when it is used.
 *
 *   column  lifted column of H. Its LLRs are halves, `slots` words side by side, of two codewords
 *           each; or, of codes too large for that, a single one
 *   step    so many rows of a layer as there are threads for them: a row has `slots` threads
 *   layer   rows that share no column: a group of the schedule. Then threads wait for each other
 *   part    threads that take one of two groups which share no column, at once
 *
 * A word of a message is always the same thread's, and words of one step lie side by side. Messages of the first
 * steps are in shared memory, as far as LLRs leave room, the others in global memory, which the L2 cache holds.
 */
#ifndef LDPC_CUDA_SHARED_PLAN_H
#define LDPC_CUDA_SHARED_PLAN_H

#include <fecrun/sdk/cuda.h>
#include <stddef.h>

#include "plugins/ldpc/cuda/shared/work.h"
#include "plugins/ldpc/decode.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers that a kernel is compiled with. */
struct ldpc_shared_form {
    bool wide, qc, oms, flooding, unpacked;
    bool soft; /* LLRs come out, too */
    uint32_t in_type;
    uint32_t slots, parts, rows, threads, blocks; /* blocks: of a multiprocessor */
    uint32_t ahead; /* circulants of the next step that registers hold */
    uint32_t columns, z;
    uint32_t spares; /* words behind the columns, a row each, for edges that are not there; or 0 */
    uint32_t words;  /* of messages of a thread */
    uint32_t near;   /* the first ones, in shared memory: those of whole steps */
};

enum { LDPC_SHARED_WEIGHTS = 12, LDPC_SHARED_MOST_WEIGHT = 32 };

/* A code's rows as a kernel takes them. */
struct ldpc_shared_plan {
    const struct ldpc_decode *d;
    struct ldpc_shared_form form;
    struct ldpc_shared_step *step;
    uint32_t steps, weights, weight[LDPC_SHARED_WEIGHTS];
    uint32_t *table;
    size_t entries;
};

/* NULL, or why no such kernel can decode this. Quick. */
const char *ldpc_shared_unfit(const struct ldpc_decode *d);

/* What is asked for, into a form with wide, slots, rows, blocks and near, of which there are at most `words`. */
void ldpc_shared_lay_out(struct ldpc_shared_form *form, const struct ldpc_decode *d,
                         uint32_t in_type, uint32_t out_type);

/* Chooses a form for batches of so many frames; NULL, or why there is none. */
const char *ldpc_shared_choose_form(struct ldpc_shared_form *form, const struct ldpc_decode *d,
                                    uint32_t in_type, uint32_t out_type,
                                    const struct fecrun_cuda_limits *limits, uint64_t frames);

/* -1: reason in err. plan->form has the number of words then. */
int ldpc_shared_plan(struct ldpc_shared_plan *plan, const struct ldpc_decode *d,
                     const struct ldpc_shared_form *form, struct fecrun_error *err);
void ldpc_shared_plan_free(struct ldpc_shared_plan *plan);

/* Bytes of shared memory of a thread block; codewords that it decodes. */
size_t ldpc_shared_bytes(const struct ldpc_shared_form *form);
uint32_t ldpc_shared_codewords(const struct ldpc_shared_form *form);

/*
 * The kernel as C++, under this number. Writes at most `size` bytes, the 0 at the end included, as snprintf() does; the
 * length of all of it.
 */
size_t ldpc_shared_source(const struct ldpc_shared_plan *plan, int number, char *text, size_t size);

/* All of *work but pointers, strides and frames. */
void ldpc_shared_describe(const struct ldpc_shared_plan *plan, struct ldpc_shared_work *work);

/* Sets those, but memory of tables and messages, and what may change from point to point. */
void ldpc_shared_take(const struct ldpc_shared_form *form, struct ldpc_shared_work *work,
                      const struct ldpc_decode *d, const struct fecrun_view *in,
                      const struct fecrun_view *out, struct fecrun_frame_info *info, uint64_t first,
                      uint64_t n);

/* Machine code, malloc()ed; as ldpc_registers_compile(). */
void *ldpc_shared_compile(const struct ldpc_shared_plan *plan, unsigned capability, int driver,
                          size_t *size, struct fecrun_error *err);

/* ---- On a device; launch.c ---- */

struct ldpc_shared;

/* Could there be such a kernel on this device? 0, or -1 and why not. Quick. */
int ldpc_shared_possible(const struct ldpc_decode *d, int device, struct fecrun_error *why);

/* Makes the kernel for one class of the form, with its memory. NULL and why not in err. */
struct ldpc_shared *ldpc_shared_new(const struct ldpc_decode *d, const struct fecrun_create *args,
                                    struct fecrun_error *err);

/* Frames first..first + n - 1, all of its class; out: of all ports. One launch at a time: they share memory. */
int ldpc_shared_launch(struct ldpc_shared *s, const struct ldpc_decode *d,
                       const struct fecrun_view *in, struct fecrun_view *const out[],
                       struct fecrun_frame_info *info, uint64_t first, uint64_t n, void *stream,
                       struct fecrun_error *err);
void ldpc_shared_free(struct ldpc_shared *s);

#ifdef __cplusplus
}
#endif

#endif
