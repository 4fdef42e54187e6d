/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes of NR rate matching, TS 38.212 5.4.2. */
#include "rate.h"

#include <fecrun/sdk/params.h>

#include "rate_params.h"

/* Table 5.3.2-1: a times a power of two, a = 2, 3, 5, ..., 15. */
static bool is_lifting_size(uint32_t z)
{
    if (z < 2 || z > 384)
        return false;
    while (z % 2 == 0)
        z /= 2;
    return z <= 15;
}

static int check_z(uint32_t z, struct fecrun_error *err)
{
    uint32_t below = z, above = z;

    if (is_lifting_size(z))
        return 0;
    if (z < 2 || z > 384)
        return fecrun_fail(err, "z", "is %u; lifting sizes go from 2 to 384", z);
    while (!is_lifting_size(below))
        below--;
    while (!is_lifting_size(above))
        above++;
    return fecrun_fail(err, "z", "is %u, which is not in TS 38.212, Table 5.3.2-1; the nearest "
                       "lifting sizes are %u and %u", z, below, above);
}

static int check(const struct ldpc_rate_params *p, struct fecrun_error *err)
{
    const uint32_t info = p->bg == 1 ? 22 * p->z : 10 * p->z;
    const uint32_t n = p->bg == 1 ? 66 * p->z : 50 * p->z;

    if (p->bg != 1 && p->bg != 2)
        return fecrun_fail(err, "bg", "is %u; there are base graphs 1 and 2", p->bg);
    if (check_z(p->z, err))
        return -1;
    if (p->fillers >= info)
        return fecrun_fail(err, "fillers", "is %u; the %u information bits of base graph %u with "
                           "z = %u take up to %u", p->fillers, info, p->bg, p->z, info - 1);
    if (p->rv > 3)
        return fecrun_fail(err, "rv", "is %u; there are redundancy versions 0 to 3", p->rv);
    if (p->qm != 1 && p->qm != 2 && p->qm != 4 && p->qm != 6 && p->qm != 8)
        return fecrun_fail(err, "qm", "is %u; 1 (no interleaving), 2, 4, 6 or 8 bits a symbol are "
                           "possible", p->qm);
    if (p->ncb > n)
        return fecrun_fail(err, "ncb", "is %u; the code word has %u bits", p->ncb, n);
    if (p->e < 1 || p->e > LDPC_MAX_E)
        return fecrun_fail(err, "e", "is %u; 1 to %u bits can be sent", p->e, LDPC_MAX_E);
    if (p->e % p->qm)
        return fecrun_fail(err, "e", "is %u, which is no multiple of qm = %u", p->e, p->qm);
    return 0;
}

/* Table 5.4.2.1-2. */
static uint32_t start_of(const struct ldpc_rate_params *p, uint32_t ncb)
{
    static const uint32_t columns[2][4] = {{0, 17, 33, 56}, {0, 13, 25, 43}};
    const uint32_t all = p->bg == 1 ? 66 : 50;

    return columns[p->bg - 1][p->rv] * ncb / (all * p->z) * p->z;
}

uint32_t ldpc_rate_rows(uint32_t bg, uint32_t z, uint32_t item)
{
    const uint32_t column = item / z + 2, information = bg == 1 ? 22 : 10;
    const uint32_t rows = column < information ? 0 : column - information + 1;

    return rows < 4 ? 4 : rows;
}

int ldpc_rate_make(struct ldpc_rate *rate, const struct ldpc_rate_params *p,
                   struct fecrun_error *err)
{
    uint32_t known, start, end;

    if (check(p, err))
        return -1;
    *rate = (struct ldpc_rate){.n = (p->bg == 1 ? 66 : 50) * p->z, .e = p->e, .qm = p->qm,
                               .columns = p->e / p->qm};
    rate->ncb = p->ncb ? p->ncb : rate->n;
    /* The first 2z information bits are not in the word; fillers among them need no place. */
    known = (p->bg == 1 ? 20 : 8) * p->z;
    rate->fill_begin = known > p->fillers ? known - p->fillers : 0;
    rate->fill_end = known;
    end = rate->ncb < rate->fill_end ? rate->ncb : rate->fill_end;
    rate->sent = rate->ncb - (end > rate->fill_begin ? end - rate->fill_begin : 0);
    if (!rate->sent)
        return fecrun_fail(err, "ncb", "is %u; the first %u bits of the word are fillers, so "
                           "nothing could be sent", rate->ncb, rate->fill_end);
    start = start_of(p, rate->ncb);
    if (start > rate->fill_begin)
        start = start < rate->fill_end ? rate->fill_begin
                                       : start - (rate->fill_end - rate->fill_begin);
    rate->first = start % rate->sent;
    end = rate->e < rate->sent - rate->first ? rate->first + rate->e : rate->sent;
    rate->rows = ldpc_rate_rows(p->bg, p->z, ldpc_rate_item(rate, end - 1));
    return 0;
}

static uint32_t number(const struct fecrun_values *values, size_t i)
{
    return (uint32_t)fecrun_value(values, i)->i;
}

void ldpc_rate_read(struct ldpc_rate_params *p, const struct fecrun_values *values)
{
    *p = (struct ldpc_rate_params){.bg = number(values, LDPC_RATE_P_BG),
                                   .z = number(values, LDPC_RATE_P_Z),
                                   .fillers = number(values, LDPC_RATE_P_FILLERS),
                                   .e = number(values, LDPC_RATE_P_E),
                                   .rv = number(values, LDPC_RATE_P_RV),
                                   .qm = number(values, LDPC_RATE_P_QM),
                                   .ncb = number(values, LDPC_RATE_P_NCB)};
}
