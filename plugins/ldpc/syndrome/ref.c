/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The definition of ldpc.syndrome's result: belief propagation with a flooding schedule, in floats.
 *
 * An iteration: for each column, L = prior + the sum of its messages, in the order of rows; of each row, with
 * q = L less its message, the messages become f(all q but this one), negative where the syndrome's bit is 1.
 * All messages are 0 at first. After each iteration L is made again, and bit = L <= 0.
 */
#include <fecrun/sdk/carve.h>
#include <fecrun/sdk/stage.h>
#include <math.h>

#include "plugins/ldpc/syndrome/syndrome.h"

struct ref {
    const struct ldpc_syndrome *d;
    const volatile int *cancel;
    float *llr;     /* of columns */
    float *message; /* of edges */
    float *q;       /* of a row's edges */
    double *left, *right;
    uint8_t *syndrome, *error;
    void *osd;
};

static uint32_t widest_row(const struct ldpc_syndrome *d)
{
    uint32_t most = 0;

    for (uint32_t r = 0; r < d->rows; r++)
        if (d->row_first[r + 1] - d->row_first[r] > most)
            most = d->row_first[r + 1] - d->row_first[r];
    return most;
}

static size_t lay_out(struct ref *ref, const struct ldpc_syndrome *d, void *base)
{
    const size_t row = widest_row(d) + 1;
    size_t used = 0;

    ref->d = d;
    ref->llr = fecrun_carve(base, &used, d->cols * sizeof *ref->llr);
    ref->message = fecrun_carve(base, &used, d->edges * sizeof *ref->message);
    ref->q = fecrun_carve(base, &used, row * sizeof *ref->q);
    ref->left = fecrun_carve(base, &used, row * sizeof *ref->left);
    ref->right = fecrun_carve(base, &used, row * sizeof *ref->right);
    ref->syndrome = fecrun_carve(base, &used, d->rows);
    ref->error = fecrun_carve(base, &used, d->cols);
    ref->osd = fecrun_carve(base, &used, d->osd ? ldpc_syndrome_osd_scratch(d) : 0);
    return used;
}

static float limited(float x)
{
    return fminf(fmaxf(x, -LDPC_SYNDROME_LIMIT), LDPC_SYNDROME_LIMIT);
}

/* Messages become the least |q| of the others, times alpha. */
static void min_sum(const struct ref *ref, float *message, uint32_t n, bool odd)
{
    float least = LDPC_SYNDROME_LIMIT, second = LDPC_SYNDROME_LIMIT;

    for (uint32_t j = 0; j < n; j++) {
        const float magnitude = fabsf(ref->q[j]);

        second = fminf(second, fmaxf(least, magnitude));
        least = fminf(least, magnitude);
        odd ^= ref->q[j] < 0;
    }
    for (uint32_t j = 0; j < n; j++) {
        const float others = fabsf(ref->q[j]) > least ? least : second;
        const float magnitude = ref->d->alpha * others;

        message[j] = odd != (ref->q[j] < 0) ? -magnitude : magnitude;
    }
}

/* With x = exp(-|q|), that of two edges together: no term cancels another. */
static double boxplus(double x1, double x2)
{
    return (x1 + x2) / (1 + x1 * x2);
}

static void sum_product(const struct ref *ref, float *message, uint32_t n, bool odd)
{
    ref->left[0] = ref->right[n] = 0;
    for (uint32_t j = 0; j < n; j++)
        odd ^= ref->q[j] < 0;
    for (uint32_t j = 1; j < n; j++)
        ref->left[j] = boxplus(ref->left[j - 1], exp(-fabs((double)ref->q[j - 1])));
    for (uint32_t j = n; j-- > 1;)
        ref->right[j] = boxplus(ref->right[j + 1], exp(-fabs((double)ref->q[j])));
    for (uint32_t j = 0; j < n; j++) {
        const double x = boxplus(ref->left[j], ref->right[j + 1]);
        const float magnitude = x < 1 ? limited((float)-log(x)) : 0;

        message[j] = odd != (ref->q[j] < 0) ? -magnitude : magnitude;
    }
}

static void sum_columns(const struct ref *ref)
{
    const struct ldpc_syndrome *d = ref->d;

    for (uint32_t j = 0; j < d->cols; j++) {
        float sum = d->prior[j];

        for (uint32_t k = d->col_first[j]; k < d->col_first[j + 1]; k++)
            sum += ref->message[d->edge_of_col[k]];
        ref->llr[j] = limited(sum);
        ref->error[j] = ref->llr[j] <= 0;
    }
}

static void iterate(const struct ref *ref)
{
    const struct ldpc_syndrome *d = ref->d;

    for (uint32_t r = 0; r < d->rows; r++) {
        const uint32_t first = d->row_first[r], n = d->row_first[r + 1] - first;

        for (uint32_t j = 0; j < n; j++)
            ref->q[j] = ref->llr[d->col[first + j]] - ref->message[first + j];
        if (d->rule == LDPC_SYNDROME_MIN_SUM)
            min_sum(ref, ref->message + first, n, ref->syndrome[r]);
        else
            sum_product(ref, ref->message + first, n, ref->syndrome[r]);
    }
    sum_columns(ref);
}

static bool is_met(const struct ref *ref)
{
    const struct ldpc_syndrome *d = ref->d;

    for (uint32_t r = 0; r < d->rows; r++) {
        unsigned sum = ref->syndrome[r];

        for (uint32_t e = d->row_first[r]; e < d->row_first[r + 1]; e++)
            sum ^= ref->error[d->col[e]];
        if (sum)
            return false;
    }
    return true;
}

static void decode(const struct ref *ref, struct fecrun_frame_info *info)
{
    const struct ldpc_syndrome *d = ref->d;
    bool met = false;
    uint32_t done = 0;

    memset(ref->message, 0, d->edges * sizeof *ref->message);
    sum_columns(ref);
    while (!met && done < d->iterations && !fecrun_cancelled(ref->cancel)) {
        iterate(ref);
        done++;
        met = is_met(ref);
    }
    if (!met && d->osd)
        met = ldpc_syndrome_osd(d, ref->llr, ref->syndrome, ref->error, ref->osd);
    info->iterations = done;
    fecrun_frame_checked(info, met);
}

static void load(const struct ref *ref, const uint8_t *row, uint32_t type)
{
    for (uint32_t r = 0; r < ref->d->rows; r++)
        ref->syndrome[r] = type == FECRUN_PACKED ? row[r / 8] >> (7 - r % 8) & 1 : row[r] & 1;
}

static void store(const struct ref *ref, uint8_t *row, uint32_t type)
{
    if (type != FECRUN_PACKED) {
        memcpy(row, ref->error, ref->d->cols);
        return;
    }
    memset(row, 0, fecrun_bytes(type, ref->d->cols));
    for (uint32_t j = 0; j < ref->d->cols; j++)
        row[j / 8] |= (uint8_t)(ref->error[j] << (7 - j % 8));
}

static size_t scratch(const void *instance, uint64_t frames)
{
    struct ref ref;

    (void)frames;
    return lay_out(&ref, instance, NULL);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    struct ref ref;

    (void)instance;
    (void)err;
    lay_out(&ref, call->codes[0], call->scratch);
    ref.cancel = call->cancel;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        load(&ref, fecrun_row(in[0], f), in[0]->type);
        decode(&ref, &call->info[f]);
        if (fecrun_cancelled(call->cancel))
            return FECRUN_CANCELLED;
        store(&ref, fecrun_row(out[LDPC_SYNDROME_ERROR], f), out[LDPC_SYNDROME_ERROR]->type);
        if (out[LDPC_SYNDROME_LLR])
            memcpy(fecrun_row(out[LDPC_SYNDROME_LLR], f), ref.llr, ref.d->cols * sizeof(float));
    }
    return 0;
}

const struct fecrun_backend ldpc_syndrome_ref = {
    .size = sizeof(struct fecrun_backend),
    FECRUN_REF(run),
    .summary = "the definition of the result, in plain C and floats",
    .forms = LDPC_SYNDROME_FORMS,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .scratch = scratch,
};
