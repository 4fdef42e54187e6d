/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * NR LDPC in registers: the kernels of the backend `cuda`, and what the host tells them.
 *
 * A thread block decodes 2 G code blocks at a time, G = floor(lanes / z), `lanes` of the kernel: G
 * pairs, the codes' lanes interleaved, so that lane j of pair g is lane j G + g of one code of size
 * m = z G <= lanes with shifts s G. A thread has a lane of all base rows; the halves of a 32-bit
 * word are the two code blocks of a pair. LLRs of the columns are in shared memory, [column][lane],
 * messages in registers (of some rows in shared memory, or two in a word with 8 bits each: see
 * row.cuh).
 *
 * A base row may be turned: thread t takes lane t + turn of it. Rows are turned so that column 0
 * (and column 1, in rows from 20 on, which have only one of both) is always at lane t, and stays in
 * a register.
 */
#ifndef LDPC_CUDA_REGISTERS_PLAN_H
#define LDPC_CUDA_REGISTERS_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "plugins/ldpc/cuda/registers/work.h"
#include "plugins/ldpc/decode.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Template arguments of an NR kernel's decoder: row.cuh. */
struct ldpc_registers_layout {
    uint8_t pack0, pack1, shared0, shared1, kept, span;
    uint8_t own; /* LDPC_REGISTERS_HALVES and so on */
};

/* One kernel: a base graph, up to so many rows. */
struct ldpc_registers_kernel {
    uint32_t bg, rows; /* bg 0: a code that is not NR's */
    uint32_t z;        /* the only lifting size, or 0: any */
    uint32_t lanes;    /* m is at most this */
    const void *function;
    size_t shared; /* bytes of shared memory without the staging area */
    void (*set)(struct ldpc_registers_work *work, const struct ldpc_code *code); /* shifts; NULL:
                                                                                    in the code */
    uint32_t blocks; /* thread blocks that share a multiprocessor; 0: one */
    struct ldpc_registers_layout layout;
    uint8_t unstaged; /* without a staging area: place.cuh */
    uint8_t halved;   /* one code block at a time, half as many threads as lanes: row.cuh */
    uint8_t soft;     /* LLRs come out, too: soft.cuh */
};

/*
 * Rows that this build's kernels of base graphs 1 and 2 have, after the core rows. A decoder has the kernel with the
 * fewest rows that will do, so that rows up to those of the one before are in use.
 */
#define LDPC_REGISTERS_ROWS_1 4, 5, 9, 13, 18, 24, 34, 46
#define LDPC_REGISTERS_ROWS_2 4, 6, 12, 20, 30, 42

/* Code blocks that a thread block decodes at a time, and its threads. */
static inline uint32_t ldpc_registers_at_once(const struct ldpc_registers_kernel *kernel,
                                              const struct ldpc_registers_work *work)
{
    return kernel->halved ? 1 : 2 * work->pairs;
}

static inline uint32_t ldpc_registers_threads(const struct ldpc_registers_kernel *kernel,
                                              const struct ldpc_registers_work *work)
{
    return ((kernel->halved ? work->lanes / 2 : work->lanes) + 31) / 32 * 32;
}

/*
 * Those of a base graph, a table a file, up to that many rows; the last one has no function. _fixed: of
 * one lifting size, with its shifts.
 */
extern const struct ldpc_registers_kernel ldpc_registers_bg1_9[], ldpc_registers_bg1_18[],
    ldpc_registers_bg1_24[], ldpc_registers_bg1_34[], ldpc_registers_bg1_46_256[],
    ldpc_registers_bg1_46_352[], ldpc_registers_bg1_46_384[];
extern const struct ldpc_registers_kernel ldpc_registers_bg1_fixed_18[],
    ldpc_registers_bg1_fixed_34[], ldpc_registers_bg1_fixed_46[];
extern const struct ldpc_registers_kernel ldpc_registers_bg2_20[], ldpc_registers_bg2_42[],
    ldpc_registers_bg2_fixed[];
extern const struct ldpc_registers_kernel ldpc_registers_bg1_halved_18[],
    ldpc_registers_bg1_halved_46[], ldpc_registers_bg2_halved[];

/* Bytes of shared memory that a thread block may have on devices of compute capability 9.0, which this build's kernels
   are for. */
enum { LDPC_REGISTERS_SHARED = 227 << 10 };

/*
 * The kernel for a code and its rows, with all of *work set but pointers, strides, frames,
 * iterations, alpha, early_stop and quads. NULL: none. most_shared: bytes that a block may have.
 */
const struct ldpc_registers_kernel *ldpc_registers_choose(const struct ldpc_code *code,
                                                          uint32_t rows, size_t most_shared,
                                                          struct ldpc_registers_work *work);

/*
 * The one whose twin is compiled, for any device: that of compute capability 9.0. Bits depend on which messages have 8
 * bits.
 */
const struct ldpc_registers_kernel *
ldpc_registers_choose_for_twin(const struct ldpc_code *code, uint32_t rows,
                               struct ldpc_registers_work *work);

/* Are this build's kernels of such decoders, of NR? Others have twins. */
static inline bool ldpc_registers_prebuilt(const struct ldpc_decode *d)
{
    return d->algorithm == LDPC_NMS && d->rule == LDPC_LAYERED && d->reverse;
}

/*
 * Is the twin for this code and its rows alone faster than the kernel of this build on a device of compute capability 9.0?
 * With 6 to 12 rows not for sizes between those measured.
 */
static inline bool ldpc_registers_twin_is_faster(const struct ldpc_registers_kernel *kernel,
                                                 const struct ldpc_code *code, uint32_t rows)
{
    return (!kernel->z || kernel->rows > rows) &&
           (rows >= 13 || rows <= 5 || code->z <= 192 || (code->z >= 256 && code->z % 32 == 0));
}

/*
 * The one that decodes what this one of those decodes, with the same bits, but a code block on half as many
 * threads: sooner done, where each code block can have a multiprocessor. NULL: none.
 */
const struct ldpc_registers_kernel *
ldpc_registers_halved(const struct ldpc_registers_kernel *kernel);

/* What ldpc_registers_choose() sets of *work, for one that has been chosen in another way. pairs: 0: as many
 * as it takes; fewer only for kernels of any lifting size. */
void ldpc_registers_describe(const struct ldpc_registers_kernel *kernel,
                             const struct ldpc_code *code, uint32_t rows, uint32_t pairs,
                             struct ldpc_registers_work *work);

/* LLRs of a frame that are read if so many rows are used. */
uint32_t ldpc_registers_read(const struct ldpc_code *code, uint32_t rows);

/*
 * The twin of a kernel of NR for flooding, for this code alone, with so many lanes: flood.cuh.
 * Its function is that of `kernel`, until it has been compiled. NULL, or why there is none.
 */
const char *ldpc_registers_flood(const struct ldpc_registers_kernel *kernel,
                                 const struct ldpc_code *code, uint32_t rows, uint32_t lanes,
                                 size_t most_shared, struct ldpc_registers_kernel *twin);

/*
 * The twin of a kernel of NR for this code alone, with so many lanes, and what it keeps in `most_shared` bytes of
 * shared memory; with flooding as above. exact: it has the decoder's rows, no others that change nothing. Its function
 * is that of `kernel`, until it has been compiled. NULL, or why there is none.
 */
const char *ldpc_registers_twin(const struct ldpc_decode *d,
                                const struct ldpc_registers_kernel *kernel, bool exact,
                                uint32_t lanes, size_t most_shared,
                                struct ldpc_registers_kernel *twin);

/*
 * The same with as many lanes, and thread blocks that share a multiprocessor, as are fastest. most_shared: bytes of a
 * multiprocessor and of a thread block. Bits are the same.
 */
const char *ldpc_registers_best_twin(const struct ldpc_decode *d,
                                     const struct ldpc_registers_kernel *kernel, bool exact,
                                     uint32_t lanes, const size_t most_shared[2],
                                     struct ldpc_registers_kernel *twin);

/* Bytes of shared memory of a kernel for one code with this layout, without the staging area: in layers, and for
   flooding. */
size_t ldpc_registers_layered_shared(const struct ldpc_registers_kernel *kernel,
                                     const struct ldpc_code *code, uint32_t lanes);
size_t ldpc_registers_flood_shared(const struct ldpc_registers_kernel *kernel,
                                   const struct ldpc_code *code, uint32_t lanes);

/* Sets those for frames first..first + n - 1, all of this code. */
void ldpc_registers_take(struct ldpc_registers_work *work,
                         const struct ldpc_registers_kernel *kernel, const struct ldpc_decode *code,
                         const struct fecrun_view *in, const struct fecrun_view *out,
                         struct fecrun_frame_info *info, uint64_t first, uint64_t n);

/* Writes to device memory where the shared memory of a block begins; cudaError_t. */
int ldpc_registers_base(uint32_t *base);

/* Bytes of device memory of a multiprocessor's thread blocks, for what is there of columns of degree 1: work.own has
   those of all. */
size_t ldpc_registers_away(const struct ldpc_registers_kernel *kernel);

/* Bytes of shared memory of a block. */
size_t ldpc_registers_shared(const struct ldpc_registers_kernel *kernel,
                             const struct ldpc_registers_work *work);

#ifdef __cplusplus
}
#endif

#endif
