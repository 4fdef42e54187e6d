/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Orders of items: a period of P items, and for each place of it the item that goes there. It may come
 * from another period, so that delays of convolutional interleavers are orders, too:
 *
 *     out[q P + i] = in[q P + from[i]],  0 <= i < P, from[i] mod P all different
 */
#ifndef FRAME_CODE_ORDER_H
#define FRAME_CODE_ORDER_H

#include <fecrun/plugin.h>
#include <stdbool.h>

enum {
    ORDER_MOST = 1 << 24,  /* items of a period */
    ORDER_REACH = 1 << 28, /* |from[i]| is no larger */
};

struct order {
    uint64_t block;  /* the shortest period that was given ... */
    uint64_t period; /* ... and a multiple of it, once the order is complete */
    int32_t *from;
    int32_t least, most;             /* of from[] */
    int32_t block_least, block_most; /* of those of the first block */
    uint64_t before;                 /* items in front of out[n] that it may be, and behind it */
    uint64_t after;
    unsigned cell;  /* items that move together: a power of two that divides the period ... */
    int32_t *cells; /* ... and from[] of the first item of each cell */
};

/* Memory for the given period; -1 and *err without. */
int order_make(struct order *order, uint64_t period, struct fecrun_error *err);
void order_free(struct order *order);

/* Turns it round: then it takes back what it did. */
int order_invert(struct order *order, struct fecrun_error *err);

/* Once from[] is complete: the other members. */
int order_finish(struct order *order, struct fecrun_error *err);

/* 0: each item comes from another place. 1: place *again takes one that is taken already. -1: *err. */
int order_check(const struct order *order, uint64_t *again, struct fecrun_error *err);

/* ---- Making orders; each fills from[] ------------------------------------------------------- */

/* Written row by row, read column by column. */
int order_block(struct order *order, uint64_t rows, uint64_t columns, struct fecrun_error *err);

/* Forney: branch j of `branches` delays its cells by j x depth x branches cells. */
int order_forney(struct order *order, uint64_t branches, uint64_t depth, uint64_t cell,
                 struct fecrun_error *err);

/* Of a text file of numbers: line by line the item that goes to the next place. */
int order_read(struct order *order, const char *path, struct fecrun_error *err);

/* IEEE 802.11-2020 17.3.5.7: `bits` of a subcarrier, 48 subcarriers. */
int order_wifi(struct order *order, unsigned bits, struct fecrun_error *err);

/* EN 300 744 4.3.4: `bits` of a carrier; the period is an even and an odd OFDM symbol. */
int order_dvbt(struct order *order, unsigned bits, bool is_8k, struct fecrun_error *err);

/* EN 300 401 12: logical frames of so many bits. */
int order_dab(struct order *order, uint64_t frame, struct fecrun_error *err);

/* 3GPP TS 45.003 4.1.4 (four bursts of one block), and 3.1.3, where a block spreads over eight bursts. */
int order_gsm(struct order *order, bool is_traffic, struct fecrun_error *err);

/* M17 specification, quadratic permutation polynomial of 368 bits. */
int order_m17(struct order *order, struct fecrun_error *err);

/* TS 38.212 7.1.1: 24 bits of the master information block, four lowest bits of the frame number, half frame, three bits
   of the block's number. */
int order_pbch(struct order *order, struct fecrun_error *err);

/* ---- Moving -------------------------------------------------------------------------------- */

/*
 * n items of `bytes` bytes each. `before` items in front of `in` and `after` items behind its n are
 * readable; what would come from further away is 0. The first item has place `phase` in its block.
 */
void order_run(const struct order *order, const void *in, void *out, uint64_t n, unsigned bytes,
               uint64_t phase, uint64_t before, uint64_t after);

#endif
