/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the vector code of ldpc.decode shares. Both layouts run the same row update
 * (simd/row.h), on vectors along the lanes of one block, or with 64 blocks side by side.
 *
 * Leaves: a column with one edge has q = L = channel LLR (nothing saturates there), so it needs
 * neither a message nor an update. It is kept as it came in, and only the sign of what would be
 * its L is noted for the check. At most one a row, the row's last edge, no information bit. Where LLRs of
 * all columns are wanted (`whole`), none is a leaf, which changes no bit.
 */
#ifndef LDPC_SIMD_SIMD_H
#define LDPC_SIMD_SIMD_H

#include <fecrun/sdk/simd.h>
#include <fecrun/sdk/stage.h>

#include "plugins/ldpc/simd/fixed.h"

enum {
    LDPC_LANES = 64,           /* blocks side by side */
    LDPC_PLACE = 8,            /* bytes of a column's signs, which an index is made for */
    LDPC_UNROLLED = 30,        /* rows with more edges, leaf aside, go through loops: simd/row.h */
    LDPC_TWINS = 12,           /* rows with more twins, too */
    LDPC_PACKED = 24,          /* edges of packed rows, at most: simd/packed.h */
    LDPC_POOLS = 10,           /* of blocks that take longer than those beside them: simd/pools.h */
    LDPC_POOL_BYTES = 2 << 20, /* of all of them: they are to stay near */
    LDPC_ALONE = 128,          /* calls of up to so many blocks have no pools */
    LDPC_NEAR_BYTES = 7 << 20, /* of 64 blocks: more take longer */
    LDPC_SLACK = 64            /* bytes behind an array that vectors may touch */
};

#define LDPC_NO_LEAF UINT32_MAX
#define LDPC_NO_SKIP UINT32_MAX

/* One base row, for vectors along its lanes. */
struct ldpc_along_row {
    uint32_t first;  /* in along_edge[] */
    uint32_t degree; /* edges but the leaf */
    uint32_t leaf;   /* byte of the frame at which the leaf's lane 0 is, or LDPC_NO_LEAF */
    unsigned kind;   /* of the row's messages: LDPC_FIXED_CORE ... */
    uint32_t skip;   /* edge that lane skip_lane does not have, or LDPC_NO_SKIP */
    uint32_t skip_lane;
    size_t skip_message; /* where its message is, in those of the row */
    uint32_t steps;      /* vectors, one after the other */
    size_t from;         /* in from[]: `degree` a step */
    /* simd/double_edges.h */
    uint32_t twins; /* the last so many edges are to columns that the row has several edges to */
    size_t step;    /* in step[]; rows without twins have none: lanes 0 on, width on, ... */
    bool
        parts; /* not all steps are whole: from[] has two a step and edge where a vector has two parts */
};

/* The lanes of a vector of a row with twins. */
struct ldpc_along_step {
    uint32_t first[2]; /* of its parts */
    uint8_t lanes[64]; /* 255: the lane belongs to it */
};

/*
 * Columns are kept rotated as their last edge in the schedule wants them, so that an edge reads at
 * a fixed distance from where the column's edge before it wrote.
 */
struct ldpc_along_edge {
    uint32_t col;   /* in column[] */
    uint32_t turn;  /* lanes from the rotation before to this edge's */
    uint32_t check; /* lanes from the rotation at the end of an iteration to this edge's */
};

struct ldpc_along_column {
    uint32_t col;      /* of the code */
    uint32_t rotation; /* at the end of an iteration: lane i is bit (i + rotation) mod z */
};

/*
 * Short columns, each in a slot, and rows that have several slots in a vector: simd/packed.h. Edges are in the order
 * of ldpc_simd.edge[].
 */
struct ldpc_packed {
    uint32_t slot;    /* bytes: 16, 32 or 64; 0: rows are not packed */
    uint16_t *column; /* of an edge: byte at which its column's slot is */
    uint16_t *order;  /* of a vector of edges: byte at which its order is in orders[] */
    uint8_t *orders;  /* of a vector: its lanes turned as the edges want them, within their slots */
    uint8_t *turns;   /* of one slot: its lanes turned by 0 to z - 1 */
};

/* Rows one after the other of one kind that have as many edges, for blocks side by side. */
struct ldpc_lanes_run {
    uint32_t rows;
    uint32_t degree; /* but the leaf */
    bool leaf;
    unsigned kind;
};

/* Lifted columns, one after the other, of which one check each knows, all of one kind. */
struct ldpc_lone {
    uint32_t first, count;
    unsigned kind;
};

struct ldpc_kernel;

struct ldpc_simd {
    const struct ldpc_decode *decode;
    struct ldpc_fixed fixed;
    const struct ldpc_kernel *kernel; /* blocks side by side, */
    const struct ldpc_kernel *along;  /* and one along its lanes */
    bool whole;                       /* no leaves */
    uint32_t along_few;               /* fewer blocks than this go one by one, along their lanes; */
    uint32_t along_rest;              /* of calls with pools: fewer than this of the last group */
    double along_share;  /* of the time of 64 blocks side by side: that of one along its lanes */
    uint32_t used;       /* lifted columns below this are of interest */
    uint32_t max_degree; /* of a row, leaf aside */
    uint32_t edges;      /* of the base graph, leaves aside */
    /* along */
    uint32_t n_rows, n_columns, max_leaves;
    struct ldpc_along_row *row;
    struct ldpc_along_edge *edge;
    uint16_t *from; /* byte of its column at which an edge's vector begins: [row][vector][edge] */
    struct ldpc_along_step *step;
    size_t n_steps;
    struct ldpc_packed packed;
    size_t messages;   /* bytes */
    uint32_t straight; /* so many of the first items of a frame lie where their columns do */
    struct ldpc_along_column *column;
    uint32_t *column_of; /* of a column of the code; UINT32_MAX: none */
    /* side by side */
    uint32_t n_runs, n_lifted;
    struct ldpc_lanes_run *run;
    uint32_t *index; /* LDPC_PLACE times the lifted columns of the rows' edges, a row's leaf last */
    size_t lanes_edges; /* lifted, leaves aside */
    uint32_t n_pools;
    /* columns with one edge */
    uint32_t n_lone;
    struct ldpc_lone *lone;
};

/* One call's frames. */
struct ldpc_batch {
    const int8_t *llr;
    size_t llr_stride;
    uint8_t *bits;
    size_t bits_stride;
    bool packed;
    struct fecrun_frame_info *info;
    uint8_t *
        soft[2]; /* LLRs of the information bits; of the word, where simd.whole; NULL: not wanted */
    size_t soft_stride[2]; /* bytes */
};

/* Iterations after which blocks leave for pool i of n; the sooner most groups are nearly done, the denser. */
static inline uint32_t ldpc_pool_leaves(uint32_t i, uint32_t n)
{
    static const uint32_t leave[LDPC_POOLS] = {4, 5, 6, 7, 8, 10, 12, 16, 24, 32};

    return leave[(i + 1) * LDPC_POOLS / n - 1];
}

/* A frame's verdict for whoever comes behind. */
static inline void ldpc_report(const struct ldpc_verdict *verdict, struct fecrun_frame_info *info)
{
    info->iterations = verdict->iterations;
    fecrun_frame_checked(info, verdict->converged);
}

/* LLRs of a frame that is done to where the batch wants them. L: of its lifted columns below `used`, so
   many bytes apart. */
void ldpc_put_soft(const struct ldpc_simd *simd, const struct ldpc_batch *batch, uint64_t frame,
                   const int8_t *L, size_t step);

static inline bool ldpc_wants_soft(const struct ldpc_batch *batch)
{
    return batch->soft[0] || batch->soft[1];
}

struct ldpc_kernel {
    const char *name;
    uint32_t width; /* bytes of a vector */
    uint32_t slots; /* sizes of ldpc_packed.slot that it knows, added up */
    void (*along)(const struct ldpc_simd *simd, const struct ldpc_batch *batch, uint64_t frame,
                  void *scratch);
    void (*lanes)(const struct ldpc_simd *simd, const struct ldpc_batch *batch, uint64_t first,
                  uint64_t frames, void *scratch);
};

/* NULL: not in this build. */
const struct ldpc_kernel *ldpc_kernel_generic(void);
const struct ldpc_kernel *ldpc_kernel_avx2(void);
const struct ldpc_kernel *ldpc_kernel_avx512(void);
const struct ldpc_kernel *ldpc_kernel_vbmi(void); /* AVX-512 with VBMI */

enum ldpc_layout { LDPC_LAYOUT_AUTO, LDPC_LAYOUT_ALONG, LDPC_LAYOUT_LANES };

/* NULL and a reason. `decode` has to live as long. whole: LLRs of words may be wanted. */
struct ldpc_simd *ldpc_simd_new(const struct ldpc_decode *decode, uint32_t isa,
                                enum ldpc_layout layout, bool whole, struct fecrun_error *err);
/* The same with a kernel that the machine has to have. */
struct ldpc_simd *ldpc_simd_with(const struct ldpc_decode *decode, const struct ldpc_kernel *kernel,
                                 enum ldpc_layout layout, bool whole, struct fecrun_error *err);
/* For ldpc_simd_with(): fills in the tables. */
int ldpc_simd_plan(struct ldpc_simd *simd, enum ldpc_layout layout, struct fecrun_error *err);
/* For ldpc_simd_plan(), where all other tables are made: packs the rows where that is possible. -1: no memory. */
int ldpc_simd_pack(struct ldpc_simd *simd);
void ldpc_simd_free(struct ldpc_simd *simd);
/* Bytes for any number of frames; 64-byte aligned memory. */
size_t ldpc_simd_scratch(const struct ldpc_simd *simd);
void ldpc_simd_decode(const struct ldpc_simd *simd, const struct ldpc_batch *batch, uint64_t frames,
                      void *scratch);

/* Kernels, the width of messages, and why, in a line. */
void ldpc_simd_explain(const struct ldpc_simd *simd, char *text, size_t text_size);

/* Where things are in scratch memory; base NULL only counts. Returns the bytes used. */
struct ldpc_along_work {
    int8_t *frame;    /* all lifted columns below `used`, in order */
    int8_t **current; /* of each column[] */
    int8_t **spare;   /* buffers that are free, max_degree of them */
    int8_t *message;
    uint8_t *leaf_sign; /* width bytes' sign bits for each vector of each row */
    size_t leaf_step;   /* bytes of a row */
    size_t buffer;      /* bytes of a column's buffer */
    int8_t *buffers;    /* of columns; slots of packed ones */
    int8_t *leaf;       /* a vector of each packed row: its leaf */
    int8_t *long_row;   /* q of a row that is not unrolled */
};
size_t ldpc_along_carve(struct ldpc_along_work *work, const struct ldpc_simd *simd, void *base);

struct ldpc_lanes_work {
    int8_t *L; /* [lifted column][block] */
    int8_t *message;
    uint64_t *leaf_sign; /* a row; bit = block */
    uint64_t *sign;      /* a lifted column's; bit = block */
    uint64_t *decided;   /* an information bit; bit = block */
    int8_t *long_row;
    int8_t *pools; /* L and message of each */
};
size_t ldpc_lanes_carve(struct ldpc_lanes_work *work, const struct ldpc_simd *simd, void *base);

#endif
