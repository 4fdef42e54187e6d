/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes of NR rate matching, TS 38.212 5.4.2. */
#include "plugins/ldpc/rate/rate.h"

#include <fecrun/sdk/facts.h>
#include <fecrun/sdk/stage.h>

#include "plugins/ldpc/code/split.h"
#include "plugins/ldpc/plugin.h"
#include "plugins/ldpc/rate/params.h"

/* What does not hang on the code. */
static int check(const struct ldpc_rate_params *p, struct fecrun_error *err)
{
    if (p->rv > 3)
        return fecrun_fail(err, "rv", "is %u; there are redundancy versions 0 to 3", p->rv);
    if (p->qm != 1 && (p->qm < 2 || p->qm > 12 || p->qm % 2))
        return fecrun_fail(err, "qm",
                           "is %u; 1 (no interleaving), 2, 4, 6, 8, 10 or 12 bits a symbol "
                           "are possible",
                           p->qm);
    if (p->e < 1 || p->e > LDPC_MAX_E)
        return fecrun_fail(err, "e", "is %u; 1 to %u bits can be sent", p->e, LDPC_MAX_E);
    if (p->e % p->qm)
        return fecrun_fail(err, "e", "is %u, which is no multiple of qm = %u", p->e, p->qm);
    return 0;
}

/* Table 5.4.2.1-2. A code of no standard starts at the parts of its buffer that base graph 1 starts at. */
static uint32_t start_of(const struct ldpc_rate_params *p, uint32_t ncb)
{
    static const uint32_t columns[2][4] = {{0, 17, 33, 56}, {0, 13, 25, 43}};
    const uint32_t all = p->bg == 2 ? 50 : 66;

    return columns[p->bg == 2][p->rv] * ncb / (all * p->z) * p->z;
}

uint32_t ldpc_rate_rows(uint32_t bg, uint32_t z, uint32_t item)
{
    const uint32_t column = item / z + 2, information = bg == 1 ? 22 : 10;
    const uint32_t rows = column < information ? 0 : column - information + 1;

    return rows < 4 ? 4 : rows;
}

/* Size and fillers of the word. */
static int read_code(struct ldpc_rate *rate, const struct ldpc_rate_params *p,
                     struct fecrun_error *err)
{
    struct ldpc_code *code;

    *rate = (struct ldpc_rate){.n = p->n};
    if (!p->bg)
        return 0;
    code = ldpc_code_nr(p->bg, p->z, p->fillers, err);
    if (!code)
        return -1;
    rate->n = code->n;
    /* Fewer fillers than information bits in the word: item 0 is none, and can always be sent. */
    rate->fill_end = code->k - code->punctured;
    rate->fill_begin = rate->fill_end - p->fillers;
    ldpc_code_free(code);
    return 0;
}

int ldpc_rate_make(struct ldpc_rate *rate, const struct ldpc_rate_params *p,
                   struct fecrun_error *err)
{
    uint32_t start, end;

    if (read_code(rate, p, err) || check(p, err))
        return -1;
    rate->ncb = p->ncb ? p->ncb : rate->n;
    rate->e = p->e;
    rate->qm = p->qm;
    rate->columns = p->e / p->qm;
    if (rate->ncb > rate->n)
        return fecrun_fail(err, "ncb", "is %u; with %s %u and z = %u the code word has %u bits",
                           p->ncb, p->bg ? "bg" : "K =", p->bg ? p->bg : p->k, p->z, rate->n);
    end = rate->ncb < rate->fill_end ? rate->ncb : rate->fill_end;
    rate->sent = rate->ncb - (end > rate->fill_begin ? end - rate->fill_begin : 0);
    start = start_of(p, rate->ncb);
    if (start > rate->fill_begin)
        start = start < rate->fill_end ? rate->fill_begin
                                       : start - (rate->fill_end - rate->fill_begin);
    rate->first = start % rate->sent;
    end = rate->e < rate->sent - rate->first ? rate->first + rate->e : rate->sent;
    rate->rows = p->bg ? ldpc_rate_rows(p->bg, p->z, ldpc_rate_item(rate, end - 1)) : 0;
    return 0;
}

void ldpc_rate_identity(struct fecrun_plan *plan, const struct ldpc_rate *rate,
                        const struct ldpc_rate_params *p)
{
    if (!p->bg)
        fecrun_identity(plan, "K = %u, N = %u with z = %u, rv = %u, qm = %u, ncb = %u", p->k, p->n,
                        p->z, p->rv, p->qm, rate->ncb);
    else
        fecrun_identity(plan,
                        "base graph %u with z = %u and %u fillers, rv = %u, qm = %u, ncb = %u",
                        p->bg, p->z, p->fillers, p->rv, p->qm, rate->ncb);
}

void ldpc_rate_columns(const struct ldpc_rate *rate, uint32_t z, bool received[LDPC_MAX_COLUMNS])
{
    for (uint32_t column = 0; column < LDPC_MAX_COLUMNS; column++) {
        const uint32_t first = (column - 2) * z; /* the first two are in no word */
        uint32_t sent = 0;

        for (uint32_t i = first; column >= 2 && i < first + z && i < rate->n; i++)
            sent += ldpc_rate_is_filler(rate, i) || ldpc_rate_first(rate, i) < rate->e;
        received[column] = 2 * sent >= z;
    }
}

static uint32_t number(const struct fecrun_values *values, size_t i)
{
    return (uint32_t)fecrun_value(values, i)->i;
}

int ldpc_rate_read(struct ldpc_rate_params *p, const struct fecrun_values *values,
                   const struct fecrun_frame *in, struct fecrun_error *err)
{
    struct ldpc_split split;

    values = ldpc_split_values(&split, values, LDPC_RATE_N_PARAMS, LDPC_RATE_P_BG, in, err);
    if (!values)
        return -1;
    *p = (struct ldpc_rate_params){.bg = number(values, LDPC_RATE_P_BG),
                                   .z = number(values, LDPC_RATE_P_Z),
                                   .fillers = number(values, LDPC_RATE_P_FILLERS),
                                   .e = number(values, LDPC_RATE_P_E),
                                   .rv = number(values, LDPC_RATE_P_RV),
                                   .qm = number(values, LDPC_RATE_P_QM),
                                   .ncb = number(values, LDPC_RATE_P_NCB)};
    if (p->bg && p->z)
        return 0;
    if (!p->bg && !p->z && !p->fillers && fecrun_fact_get(in, LDPC_FACT_N, 0) > 0) {
        p->k = (uint32_t)fecrun_fact_get(in, LDPC_FACT_K, 0);
        p->n = (uint32_t)fecrun_fact_get(in, LDPC_FACT_N, 0);
        p->z = (uint32_t)fecrun_fact_get(in, LDPC_FACT_Z, 1);
        return 0;
    }
    return fecrun_fail(
        err, p->bg ? "z" : "bg",
        "missing: neither ldpc.encode nor seg.split before it says which code it is");
}
