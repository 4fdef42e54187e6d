/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rate matching of NR LDPC, TS 38.212 5.4.2: which bit of the word stands where in what is sent.
 * The arithmetic is for the CPU and, one item a thread, for CUDA.
 *
 * The word's first Ncb bits lie in a circular buffer; fillers are skipped. What is left has ranks
 * 0..sent-1. Bit k of the e selected ones has rank (first + k) mod sent, and the interleaver, which
 * writes qm rows and reads e / qm columns, puts it into place k % columns * qm + k / columns of the
 * output.
 */
#ifndef LDPC_RATE_RATE_H
#define LDPC_RATE_RATE_H

#include <fecrun/plugin.h>
#include <fecrun/sdk/device.h>

#include "plugins/common/recover/recover.h"

#define LDPC_MAX_E (1u << 28)

/* Plain numbers, to be copied to a device as they are. */
struct ldpc_rate {
    uint32_t n;          /* N: items of the word, 66z or 50z */
    uint32_t ncb;        /* Ncb, 1..N */
    uint32_t fill_begin; /* the word's items fill_begin..fill_end-1 are fillers; some may lie */
    uint32_t fill_end;   /* behind Ncb */
    uint32_t sent;       /* items of the buffer that are no fillers; 1 at least */
    uint32_t first;      /* rank of the first bit that is sent, 0..sent-1 */
    uint32_t e;          /* items that are sent, 1..LDPC_MAX_E, a multiple of qm */
    uint32_t qm;         /* Qm, bits a symbol; 1: no interleaving */
    uint32_t columns;    /* e / qm */
    uint32_t
        rows; /* parity rows, core rows included, that reach all that is received; 0: bg is 0 */
};

/* Code object of ldpc.rate_match. */
struct ldpc_match {
    struct ldpc_rate rate;
};

/*
 * Code object of ldpc.rate_recover. Item i of the output is, as a sum in double,
 *
 *     clean(harq_in[i]) + clean(LLR of bit k) for each k that item i was sent as, k ascending
 *
 * clamped to +-limit in the end; where i is a filler, it is the limit instead.
 */
struct ldpc_recover {
    struct recover common;
    struct ldpc_rate rate;
};

/* What the parameters of both stages say; ncb 0: N. bg 0: a code of k information bits and n bits of the word,
   without fillers; of others k and n are not read. */
struct ldpc_rate_params {
    uint32_t bg, z, fillers, e, rv, qm, ncb, k, n;
};

/* Returns -1 and a reason which names the parameter at fault. */
int ldpc_rate_make(struct ldpc_rate *rate, const struct ldpc_rate_params *params,
                   struct fecrun_error *err);

/* What both ends have to agree on; e is what comes in. */
void ldpc_rate_identity(struct fecrun_plan *plan, const struct ldpc_rate *rate,
                        const struct ldpc_rate_params *params);

/* Which columns of the base graph are sent, each at least for a half: received[column]. */
enum { LDPC_MAX_COLUMNS = 68 };
void ldpc_rate_columns(const struct ldpc_rate *rate, uint32_t z, bool received[LDPC_MAX_COLUMNS]);

/* ---- Arithmetic of one item ---------------------------------------------------------------- */

/* Item of the word that has this rank. */
FECRUN_INLINE uint32_t ldpc_rate_item(const struct ldpc_rate *r, uint32_t rank)
{
    return rank < r->fill_begin ? rank : rank + (r->fill_end - r->fill_begin);
}

FECRUN_INLINE bool ldpc_rate_is_filler(const struct ldpc_rate *r, uint32_t item)
{
    return item >= r->fill_begin && item < r->fill_end;
}

/* Item of the word that stands in place x of what is sent, x < e. */
FECRUN_INLINE uint32_t ldpc_rate_source(const struct ldpc_rate *r, uint32_t x)
{
    uint32_t k = r->qm == 1 ? x : x % r->qm * r->columns + x / r->qm;
    uint32_t rank = (r->first + k) % r->sent;

    return ldpc_rate_item(r, rank);
}

/*
 * The first k < e that this item of the word is sent as; e or more: never. Further ones follow at a
 * distance of `sent`. No filler.
 */
FECRUN_INLINE uint32_t ldpc_rate_first(const struct ldpc_rate *r, uint32_t item)
{
    uint32_t rank;

    if (item >= r->ncb)
        return r->e;
    rank = item < r->fill_begin ? item : item - (r->fill_end - r->fill_begin);
    return rank >= r->first ? rank - r->first : rank + r->sent - r->first;
}

/* Place of selected bit k in what is sent. */
FECRUN_INLINE uint32_t ldpc_rate_place(const struct ldpc_rate *r, uint32_t k)
{
    return r->qm == 1 ? k : k % r->columns * r->qm + k / r->columns;
}

/*
 * One item of rate_recover's output that is no filler. prior: of the soft buffer, clean; 0: there
 * is none. `one` is the type of the LLRs.
 */
#define LDPC_RATE_RECOVER(name, one) \
    FECRUN_INLINE double name(const struct ldpc_rate *r, double limit, double prior, \
                              const one *in, uint32_t item) \
    { \
        double sum = prior; \
        for (uint32_t k = ldpc_rate_first(r, item); k < r->e; k += r->sent) \
            sum += recover_clean((double)in[ldpc_rate_place(r, k)], limit); \
        return recover_clean(sum, limit); \
    }

LDPC_RATE_RECOVER(ldpc_rate_recover_i8, int8_t)
LDPC_RATE_RECOVER(ldpc_rate_recover_i16, int16_t)
LDPC_RATE_RECOVER(ldpc_rate_recover_f32, float)

#endif
