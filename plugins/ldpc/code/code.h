/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An LDPC code as a lifted base graph: what encoders, decoders and rate matching share.
 *
 * The parity-check matrix H has rows * z rows and cols * z columns. Edge (row r, col c, shift s)
 * puts a 1 into row r z + i and column c z + (i + s) mod z for each lane i = 0..z-1. A matrix
 * without structure (alist) has z = 1. Columns of H are numbered v = 0..cols z - 1 ("lifted
 * columns"); what is sent of them, and where, is the word of n bits that ldpc.encode puts out.
 */
#ifndef LDPC_CODE_CODE_H
#define LDPC_CODE_CODE_H

#include <fecrun/plugin.h>
#include <stdbool.h>
#include <stdint.h>

enum ldpc_family { LDPC_NR, LDPC_WIFI, LDPC_WIMAX, LDPC_DVBS2, LDPC_ALIST, LDPC_QC, LDPC_CCSDS };

/* No lane is left out. */
#define LDPC_NO_LANE UINT32_MAX

struct ldpc_edge {
    uint32_t col;
    uint32_t shift; /* 0..z-1 */
    uint32_t skip;  /* lane i that does not have this edge (DVB-S2's first parity bit), or
                       LDPC_NO_LANE */
};

/*
 * Any matrix, of single bits. First the few bits that no sparse row gives: number j is the sum of
 * the information bits in its mask. Then one step after the other: the sum of the row's others.
 */
struct ldpc_solution {
    uint32_t n_dense, words; /* words of 64 bits a mask */
    uint32_t *dense;         /* lifted columns */
    uint64_t *mask;
    uint32_t n_steps;
    uint32_t *result; /* lifted column of each step */
    uint32_t *first;  /* n_steps + 1 places in term[] */
    uint32_t *term;   /* lifted columns */
};

struct ldpc_code {
    enum ldpc_family family;
    uint32_t bg;         /* NR: base graph 1 or 2; else 0 */
    uint32_t set;        /* NR: set index i_LS of z */
    uint32_t z;          /* Zc, lifting size; 1: no structure */
    uint32_t rows, cols; /* of the base graph */
    uint32_t core_rows;  /* NR: 4, the rows without a column of their own; else rows */
    uint32_t *row_first; /* rows + 1 places: edges of row r are edge[row_first[r]] and on, in
                            ascending order of (col, shift) */
    struct ldpc_edge *edge;
    uint32_t k;         /* K: information bits of the encoder, fillers included */
    uint32_t fillers;   /* F: the last of these are known zeros; K' = k - fillers go in and out */
    uint32_t n;         /* N: bits of the word */
    double alpha;       /* DVB-S2: the first of `alpha: auto` */
    uint32_t punctured; /* NR: the first 2z lifted columns are not in the word; else 0 */
    /*
     * Both NULL for most codes, where item i of the word is lifted column i + punctured, and
     * information bit i is lifted column i.
     */
    uint32_t *place; /* lifted column of each of the n items of the word */
    uint32_t *info;  /* lifted column of each of the k information bits */
    bool twins;      /* some row has two edges to one column: its lanes share bits (DVB-S2) */
    struct ldpc_solution
        *solution;          /* codes from files, CCSDS: how the encoder finds the other bits;
                                       NULL where the base graph's structure says it */
    struct ldpc_book *book; /* of the library (library.h); else NULL */
    uint64_t digest;        /* ldpc_digest(), if it is known; else 0 */
};

static inline uint32_t ldpc_place(const struct ldpc_code *c, uint32_t item)
{
    return c->place ? c->place[item] : item + c->punctured;
}

static inline uint32_t ldpc_info(const struct ldpc_code *c, uint32_t bit)
{
    return c->info ? c->info[bit] : bit;
}

/* Edges of all rows. */
static inline uint32_t ldpc_edges(const struct ldpc_code *c)
{
    return c->row_first[c->rows];
}

/*
 * Makes a code; NULL and a reason in err (which names the parameter at fault: "z", "n", ...) if
 * there is none. Free with ldpc_code_free(), which takes NULL, too.
 */
struct ldpc_code *ldpc_code_nr(uint32_t bg, uint32_t z, uint32_t fillers, struct fecrun_error *err);
struct ldpc_code *ldpc_code_wifi(uint32_t n, const char *rate, struct fecrun_error *err);
struct ldpc_code *ldpc_code_wimax(uint32_t n, const char *rate, struct fecrun_error *err);
struct ldpc_code *ldpc_code_dvbs2(bool short_frame, const char *rate, struct fecrun_error *err);
struct ldpc_code *ldpc_code_ccsds(uint32_t n, struct fecrun_error *err);
struct ldpc_code *ldpc_code_alist(const char *path, struct fecrun_error *err);
struct ldpc_code *ldpc_code_qc(const char *path, struct fecrun_error *err);
void ldpc_code_free(struct ldpc_code *code);
void ldpc_solution_free(struct ldpc_solution *solution);

/*
 * Normalised min-sum's factor in the first and in the last iteration. by_row: rows have their own, from row_first
 * less LDPC_ALPHA_STEP times kind[row] (but at least LDPC_ALPHA_LEAST) to row_last; first and last are then for
 * decoders that have one factor for all.
 */
#define LDPC_ALPHA_STEP 0.12
#define LDPC_ALPHA_LEAST 0.1
enum { LDPC_ALPHA_KINDS = 6, LDPC_ALPHA_ROWS = 46 };

struct ldpc_alphas {
    double first, last;
    bool by_row;
    double row_first, row_last;
    uint8_t kind[LDPC_ALPHA_ROWS]; /* < LDPC_ALPHA_KINDS */
};

/*
 * `alpha: auto` for that many rows of the base graph; doc/ldpc.md says where the values come from.
 * received: NR, of each column, whether it was; NULL: all that the rows reach.
 */
struct ldpc_alphas ldpc_alpha_auto(const struct ldpc_code *code, uint32_t rows,
                                   const bool *received);

/*
 * Order in which a layered decoder takes the lifted rows: groups of rows that share no column, so
 * that those of one group may be taken in any order or at once. For codes with z > 1 a group is a
 * base row, or, where `twins` makes its lanes share bits, part of one.
 */
struct ldpc_schedule {
    uint32_t n_rows; /* lifted rows in all */
    uint32_t *row;   /* r z + i */
    uint32_t n_groups;
    uint32_t *first; /* n_groups + 1 places in row[] */
};

/*
 * The first `rows` base rows (0: all), last base row first if `reverse`. NULL: out of memory, or
 * reason in err.
 */
struct ldpc_schedule *ldpc_schedule_new(const struct ldpc_code *code, uint32_t rows, bool reverse,
                                        struct fecrun_error *err);
/*
 * The first `rows` base rows (1 to code->rows) in the order of a list of n, which has each of them once; others in it are
 * left out. NULL: out of memory, or reason in err.
 */
struct ldpc_schedule *ldpc_schedule_listed(const struct ldpc_code *code, uint32_t rows,
                                           const int64_t *list, size_t n, struct fecrun_error *err);
void ldpc_schedule_free(struct ldpc_schedule *schedule);

#endif
