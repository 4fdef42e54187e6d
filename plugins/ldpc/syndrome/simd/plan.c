/* SPDX-License-Identifier: BSD-2-Clause */
/* The lists that an instance of `simd` has. */
#include "plugins/ldpc/syndrome/simd/simd.h"

enum place { BEGINS, GOES_ON, ENDS, ALONE, PLACES };

/* Where in its column's sum the k-th edge of the column stands. */
static enum place place_of(const struct ldpc_syndrome *d, uint32_t col, uint32_t k)
{
    const uint32_t first = d->col_first[col], last = d->col_first[col + 1] - 1;

    return first == last ? ALONE : k == first ? BEGINS : k == last ? ENDS : GOES_ON;
}

static void list_row(struct ldpc_syndrome_simd *s, uint32_t r, uint32_t *next)
{
    const struct ldpc_syndrome *d = s->d;
    struct ldpc_syndrome_row *row = &s->row[r];
    uint32_t count[PLACES] = {0}, at = d->row_first[r];

    row->first = at;
    for (unsigned place = 0; place < PLACES; place++)
        for (uint32_t e = d->row_first[r]; e < d->row_first[r + 1]; e++)
            if (place_of(d, d->col[e], next[d->col[e]]) == (enum place)place) {
                s->by_col[e] = at - row->first;
                s->col[at++] = d->col[e];
                count[place]++;
            }
    for (uint32_t e = d->row_first[r]; e < d->row_first[r + 1]; e++)
        next[d->col[e]]++;
    row->begins = count[BEGINS];
    row->goes_on = count[GOES_ON];
    row->ends = count[ENDS];
    row->alone = count[ALONE];
    s->widest = at - row->first > s->widest ? at - row->first : s->widest;
}

static void list(struct ldpc_syndrome_simd *s, uint32_t *next)
{
    const struct ldpc_syndrome *d = s->d;

    for (uint32_t j = 0; j < d->cols; j++) {
        next[j] = d->col_first[j];
        if (d->col_first[j] == d->col_first[j + 1])
            s->empty[s->n_empty++] = j;
    }
    for (uint32_t r = 0; r < d->rows; r++)
        list_row(s, r, next);
}

/* Decodes the syndrome 0 for one iteration and keeps what comes out, if that meets it. */
static int answer_zero(struct ldpc_syndrome_simd *s, struct fecrun_error *err)
{
    struct ldpc_syndrome once = *s->d;
    struct ldpc_syndrome_simd with = *s;
    uint8_t *syndrome = calloc(1, s->d->rows);
    struct fecrun_frame_info info = {0};
    struct fecrun_view in = {
        .size = sizeof in, .type = FECRUN_U8, .data = syndrome, .frames = 1, .items = s->d->rows};
    struct fecrun_view error = {.size = sizeof error,
                                .type = FECRUN_U8,
                                .data = s->zero_error,
                                .frames = 1,
                                .items = s->d->cols};
    struct fecrun_view llr = {.size = sizeof llr,
                              .type = FECRUN_F32,
                              .data = s->zero_llr,
                              .frames = 1,
                              .items = s->d->cols};
    const struct ldpc_syndrome_batch batch = {
        .syndrome = &in, .error = &error, .llr = &llr, .info = &info, .frames = 1};
    void *scratch;

    once.osd = LDPC_OSD_NONE;
    once.iterations = 1;
    once.legs = 0;
    once.solutions = 1;
    with.d = &once;
    scratch = aligned_alloc(64, s->kernel->scratch(&with));
    if (scratch && syndrome)
        s->kernel->decode(&with, &batch, scratch);
    s->zero_met = !(info.flags & FECRUN_FRAME_FAILED);
    free(syndrome);
    free(scratch);
    return scratch && syndrome ? 0 : fecrun_no_memory(err);
}

static int make(struct ldpc_syndrome_simd *s, struct fecrun_error *err)
{
    const struct ldpc_syndrome *d = s->d;
    uint32_t *next = malloc(d->cols * sizeof *next);

    s->row = calloc(d->rows, sizeof *s->row);
    s->col = calloc((size_t)d->edges + 1, sizeof *s->col);
    s->by_col = calloc((size_t)d->edges + 1, sizeof *s->by_col);
    s->empty = calloc(d->cols, sizeof *s->empty);
    s->zero_llr = calloc(d->cols, sizeof *s->zero_llr);
    s->zero_error = calloc(d->cols, 1);
    if (next && s->row && s->col && s->by_col && s->empty && s->zero_llr && s->zero_error) {
        list(s, next);
        free(next);
        if (s->kernel->alone && d->rule == LDPC_SYNDROME_MIN_SUM && ldpc_syndrome_alone_make(s))
            return fecrun_no_memory(err);
        return answer_zero(s, err);
    }
    free(next);
    return fecrun_no_memory(err);
}

struct ldpc_syndrome_simd *ldpc_syndrome_simd_new(const struct ldpc_syndrome *d,
                                                  const struct ldpc_syndrome_kernel *kernel,
                                                  struct fecrun_error *err)
{
    struct ldpc_syndrome_simd *s = calloc(1, sizeof *s);

    if (!s) {
        fecrun_no_memory(err);
        return NULL;
    }
    s->d = d;
    s->kernel = kernel;
    if (!make(s, err))
        return s;
    ldpc_syndrome_simd_free(s);
    return NULL;
}

void ldpc_syndrome_simd_free(struct ldpc_syndrome_simd *s)
{
    if (!s)
        return;
    free(s->row);
    free(s->col);
    free(s->by_col);
    free(s->empty);
    free(s->zero_llr);
    free(s->zero_error);
    ldpc_syndrome_alone_free(&s->alone);
    free(s);
}
