/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The general LDPC decoder on a CUDA device: the system of the document (one launch for code blocks
 * of different base graph, Zc and rate), for all other codes, too. doc/ldpc.md describes it.
 *
 *   group   threads that decode one code block: whole warps, ceil(Zc/32)*32 of them or fewer, which
 *           then take several rows each; they wait for nobody but each other
 *   layer   lifted rows that share no column: taken at once, a thread a row. NR: a base row
 *   bin     the code blocks of one thread block
 *
 * Numbers are 16 bits wide: half, or fixed point with FRACTION bits behind the point. Two of them
 * are a word. Check messages of a row of weight w (without NR's column of degree 1):
 *
 *   w <= threshold   plain, two a word
 *   w <= 22          two words: both minima; from bit 15 and from bit 31 down the signs of even and
 *                    of odd places, below them the place of the minimum
 *   w <= 32          the same, but the place has a word of its own
 *   else             minima, place, then signs, 32 a word
 *
 * Here is what the host plans (plan.c) and the kernels read; launch.c holds
 * memory and queues launches.
 */
#ifndef LDPC_CUDA_GENERAL_PLAN_H
#define LDPC_CUDA_GENERAL_PLAN_H

#include <fecrun/sdk/cuda.h>

#include "plugins/ldpc/decode.h"

#ifdef __cplusplus
extern "C" {
#endif

enum ldpc_general_arithmetic { LDPC_GENERAL_HALF, LDPC_GENERAL_I16 };

/* Where a group's memory is. */
enum ldpc_general_home {
    LDPC_GENERAL_AUTO,
    LDPC_GENERAL_SHARED, /* all of it in shared memory */
    LDPC_GENERAL_GLOBAL, /* check messages in global memory */
    LDPC_GENERAL_FAR     /* LLRs, too */
};

enum {
    LDPC_GENERAL_MOST_THREADS = 768,  /* of a thread block */
    LDPC_GENERAL_ROOMY_THREADS = 384, /* with as many registers as there are */
    LDPC_GENERAL_MOST_PLAIN = 8,      /* largest threshold */
    LDPC_GENERAL_INDEXED = 22,        /* messages whose signs and index fit into one word, */
    LDPC_GENERAL_PAIRED = 32,         /* whose signs do */
    LDPC_GENERAL_MOST_Z = 65534,      /* of codes with tables: 16 bits, and one value for "none" */
    LDPC_GENERAL_FRACTION = 3,
    LDPC_GENERAL_HALF_MOST = 0x77ff, /* 32752: twice as much is still a half */
    LDPC_GENERAL_I16_MOST = 10922    /* three times as much is an int16 */
};

/* ---- Tables of the device ---- */

enum {
    LDPC_GENERAL_SETS = 8,
    LDPC_GENERAL_BG1_EDGES = 316,
    LDPC_GENERAL_BG2_EDGES = 197,
    LDPC_GENERAL_MOST_ROWS = 46
};

/* All base graphs of NR, for constant memory: position of the circulant in its row, and its shift
   for the largest z of the set, in the upper half. */
struct ldpc_general_graphs {
    uint32_t edge[LDPC_GENERAL_SETS * (LDPC_GENERAL_BG1_EDGES + LDPC_GENERAL_BG2_EDGES)];
    uint16_t first[2][LDPC_GENERAL_MOST_ROWS + 2]; /* of a row's edges, counted from the set's */
};

struct ldpc_general_pair {
    uint32_t x, y;
} __attribute__((aligned(8)));

/* Other codes have their tables in global memory. */
struct ldpc_general_layer {
    uint32_t first; /* row, or place in list[] if listed */
    uint32_t count; /* lifted rows */
    uint32_t words; /* of messages of each */
    uint32_t listed;
};

/* One class of frames. */
struct ldpc_general_class {
    uint32_t z, reciprocal; /* ceil(2^32/z), or 0 for z = 1 */
    uint32_t layers, core_rows, reverse;
    uint32_t lifted;           /* LLRs of a code block */
    uint32_t items, punctured; /* of the word, that are read; lifted columns in front of them */
    uint32_t bits, k;          /* information bits without and with fillers */
    uint32_t n;                /* LLRs of a word */
    uint32_t graph, edges;     /* NR: BG - 1, and where its edges begin */
    uint32_t threads;          /* of a group */
    uint32_t threshold;
    uint32_t llr_words, sign_words, message_words; /* one behind the other; multiples of 4 */
    /* These may change from point to point. */
    uint32_t iterations, early_stop, offset; /* offset: OMS */
    uint32_t shift;                          /* of an iteration's place in factor[]: alphas.h */
    uint32_t
        factor[LDPC_ALPHAS]; /* alpha, or beta if `offset`: a half, or fixed point (of alpha: 15
                                     bits behind the point) */
    const struct ldpc_general_pair *edge; /* first lifted column, shift | skip << 16 */
    const struct ldpc_general_pair *row;  /* first edge, weight */
    const struct ldpc_general_layer *layer;
    const struct ldpc_general_pair *list; /* row, lane */
    const uint32_t *place, *info;         /* as in struct ldpc_code */
};

/* Frame of a batch whose frames differ. */
struct ldpc_general_frame {
    uint64_t in, out, soft[2]; /* bytes */
    uint32_t class_number;
    uint32_t thread;    /* first one of the group */
    uint32_t near, far; /* words in front of it in shared memory and in scratch memory */
};

/* What a kernel gets. */
struct ldpc_general_work {
    const void *in;
    void *out;
    void *soft[2]; /* ports `llr` and `code_llr`: floats; NULL: nobody reads them */
    struct fecrun_frame_info *info;
    const struct ldpc_general_class *classes; /* of the device */
    uint32_t in_type, out_type;
    uint64_t frames;
    uint32_t bins;
    /* equal frames: */
    uint64_t in_stride, out_stride, soft_stride[2];
    uint32_t class_number, blocks; /* code blocks a bin */
    uint32_t near, far;            /* words of a group */
    /* others: */
    const struct ldpc_general_frame *frame; /* NULL: equal */
    const uint32_t *bin;                    /* bins + 1 places in frame[] */
    uint32_t *scratch;
    uint64_t scratch_words; /* of a thread block */
};

/* ---- Plans ---- */

struct ldpc_general_config {
    unsigned threads;   /* most of a thread block; 0 chooses */
    unsigned threshold; /* 0..LDPC_GENERAL_MOST_PLAIN */
    unsigned blocks;    /* most code blocks of a thread block; 0 chooses */
    enum ldpc_general_arithmetic arithmetic;
    enum ldpc_general_home home;
    bool per_class; /* a launch for each run of equal frames */
    struct fecrun_cuda_limits limits;
};

/* Host side of a class's tables; NULL where the kernels need none. */
struct ldpc_general_tables {
    struct ldpc_general_pair *edge, *row, *list;
    struct ldpc_general_layer *layer;
    size_t edges, rows, lists, layers;
};

/* How a launch is laid out. */
struct ldpc_general_shape {
    enum ldpc_general_home home;
    uint32_t threads; /* of a thread block */
    uint32_t blocks;  /* most code blocks of one */
    uint32_t near;    /* words of shared memory of one */
    uint64_t far;     /* words of scratch memory of one */
    uint32_t limit;   /* thread blocks of a grid that has scratch memory */
    bool roomy;       /* memory leaves room for one thread block a multiprocessor, of few threads */
};

struct ldpc_general_place {
    uint32_t bin, thread, near, far, blocks;
};

/* Fills graphs from the codes of the largest z of each set. -1: reason in err. */
int ldpc_general_graphs_make(struct ldpc_general_graphs *graphs, struct fecrun_error *err);

/* Device pointers of c stay NULL; code's place and info are to be uploaded as they are. */
int ldpc_general_class_make(struct ldpc_general_class *c, struct ldpc_general_tables *tables,
                            const struct ldpc_decode *code,
                            const struct ldpc_general_config *config, struct fecrun_error *err);
void ldpc_general_tables_free(struct ldpc_general_tables *tables);

/* What may change from point to point. */
void ldpc_general_class_set(struct ldpc_general_class *c, const struct ldpc_decode *code,
                            enum ldpc_general_arithmetic arithmetic);

/* Layout for frames of any of n classes in one launch; n = 1: equal ones. Errors name an option. */
int ldpc_general_shape_make(struct ldpc_general_shape *shape,
                            const struct ldpc_general_class *classes, size_t n, bool nr,
                            const struct ldpc_general_config *config, uint64_t frames,
                            struct fecrun_error *err);

/* Words of shared memory and of scratch memory of a group. */
uint32_t ldpc_general_near(const struct ldpc_general_class *c, enum ldpc_general_home home);
uint32_t ldpc_general_far(const struct ldpc_general_class *c, enum ldpc_general_home home);

/*
 * Puts the next frame of class c behind those that are placed already: into their bin if it has
 * room, else into the next one. *place is all 0 at first. True: it begins a bin.
 */
bool ldpc_general_pack(struct ldpc_general_place *place, struct ldpc_general_frame *frame,
                       const struct ldpc_general_class *c, const struct ldpc_general_shape *shape);

/* ---- The decoder, for backends; launch.c ---- */

/* For struct fecrun_backend; backend.c. */
int ldpc_general_takes(const struct fecrun_create *args, struct fecrun_error *err);

#ifdef FECRUN_CUDA

struct ldpc_general;

/* args->tune is not read. The form: LLRs as i8, f16 or f32; bits as packed or u8; LLRs out as f32. */
int ldpc_general_create(const struct fecrun_create *args, const struct ldpc_general_config *config,
                        struct ldpc_general **general, struct fecrun_error *err);
size_t ldpc_general_scratch(const struct ldpc_general *general, uint64_t frames);
/* out: of all ports of ldpc.decode, as run() of a backend gets them. */
int ldpc_general_run(struct ldpc_general *general, const struct fecrun_call *call,
                     const struct fecrun_view *in, struct fecrun_view *const out[],
                     struct fecrun_error *err);
void ldpc_general_destroy(struct ldpc_general *general);

/* For ldpc_cuda_probe(). */
const void *ldpc_cuda_kernel(void);

#endif

#ifdef __cplusplus
}
#endif

#endif
