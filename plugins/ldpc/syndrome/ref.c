/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The definition of ldpc.syndrome's result: belief propagation with a flooding schedule, in floats.
 *
 * An iteration: for each column, L = prior + the sum of its messages, in the order of rows; of each row, with
 * q = L less its message, the messages become f(all q but this one), negative where the syndrome's bit is 1.
 * All messages are 0 at first. After each iteration L is made again, and bit = L <= 0.
 *
 * With memory, L after an iteration begins with prior + gamma (L of the iteration before - prior) instead of the prior.
 * A leg is a number of such iterations. It ends when the syndrome is met. The next one begins with messages of 0 and q of
 * the priors again, and has its own gammas; what it remembers are the L that the last leg ended with. After `solutions`
 * legs that met the syndrome, or after the last one, the lightest of their errors is taken; of equal ones the first.
 */
#include <fecrun/sdk/carve.h>
#include <fecrun/sdk/stage.h>
#include <math.h>

#include "plugins/ldpc/syndrome/exact.h"
#include "plugins/ldpc/syndrome/syndrome.h"

struct ref {
    const struct ldpc_syndrome *d;
    const volatile int *cancel;
    float *llr;     /* of columns: what q is made of */
    float *last;    /* memory: LLRs of the iteration before */
    float *gamma;   /* memory: of columns */
    float *message; /* of edges */
    float *q;       /* of a row's edges */
    double *left, *right;
    uint8_t *syndrome, *error;
    uint8_t *best; /* legs: the lightest solution so far */
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
    ref->last = fecrun_carve(base, &used, d->memory ? d->cols * sizeof *ref->last : 0);
    ref->gamma = fecrun_carve(base, &used, d->memory ? d->cols * sizeof *ref->gamma : 0);
    ref->best = fecrun_carve(base, &used, d->legs ? d->cols : 0);
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

/* The exact sum of the others. */
static void sum_product(const struct ref *ref, float *message, uint32_t n, bool odd)
{
    ref->left[0] = ref->right[n] = 0;
    for (uint32_t j = 0; j < n; j++)
        odd ^= ref->q[j] < 0;
    for (uint32_t j = 1; j < n; j++)
        ref->left[j] = exact_join(ref->left[j - 1], exact_exp_minus(fabs((double)ref->q[j - 1])));
    for (uint32_t j = n; j-- > 1;)
        ref->right[j] = exact_join(ref->right[j + 1], exact_exp_minus(fabs((double)ref->q[j])));
    for (uint32_t j = 0; j < n; j++) {
        const double x = exact_join(ref->left[j], ref->right[j + 1]);
        const float magnitude = !(x < 1) ? 0
                                : x > 0  ? limited((float)exact_minus_log(x))
                                         : LDPC_SYNDROME_LIMIT;

        message[j] = odd != (ref->q[j] < 0) ? -magnitude : magnitude;
    }
}

static void sum_columns(const struct ref *ref)
{
    const struct ldpc_syndrome *d = ref->d;

    for (uint32_t j = 0; j < d->cols; j++) {
        float sum = d->memory ? ldpc_syndrome_remembered(d->prior[j], ref->gamma[j], ref->last[j])
                              : d->prior[j];

        for (uint32_t k = d->col_first[j]; k < d->col_first[j + 1]; k++)
            sum += ref->message[d->edge_of_col[k]];
        ref->llr[j] = limited(sum);
        ref->error[j] = ref->llr[j] <= 0;
    }
    if (d->memory)
        memcpy(ref->last, ref->llr, d->cols * sizeof *ref->last);
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

static void start_leg(const struct ref *ref, uint32_t leg)
{
    const struct ldpc_syndrome *d = ref->d;

    memset(ref->message, 0, d->edges * sizeof *ref->message);
    memcpy(ref->llr, d->prior, d->cols * sizeof *ref->llr);
    if (d->memory)
        ldpc_syndrome_gammas(d, leg, ref->gamma);
    if (d->memory && !leg)
        memcpy(ref->last, d->prior, d->cols * sizeof *ref->last);
}

/* Is the syndrome met? Adds to done. */
static bool run_leg(const struct ref *ref, uint32_t leg, uint32_t *done)
{
    const uint32_t most = leg ? ref->d->leg_iterations : ref->d->iterations;
    bool met = false;

    start_leg(ref, leg);
    for (uint32_t i = 0; !met && i < most && !fecrun_cancelled(ref->cancel); i++) {
        iterate(ref);
        ++*done;
        met = is_met(ref);
    }
    return met;
}

/* Several legs: leaves the lightest solution in ref->error. Returns how many there are. */
static uint32_t run_legs(const struct ref *ref, uint32_t *done)
{
    const struct ldpc_syndrome *d = ref->d;
    uint32_t found = 0;
    int64_t least = INT64_MAX;

    for (uint32_t leg = 0; leg <= d->legs && found < d->solutions; leg++) {
        int64_t weight;

        if (!run_leg(ref, leg, done))
            continue;
        weight = ldpc_syndrome_weigh(d, ref->error);
        if (!found++ || weight < least) {
            memcpy(ref->best, ref->error, d->cols);
            least = weight;
        }
    }
    if (found)
        memcpy(ref->error, ref->best, d->cols);
    return found;
}

static void decode(const struct ref *ref, struct fecrun_frame_info *info)
{
    const struct ldpc_syndrome *d = ref->d;
    uint32_t done = 0;
    bool met = d->legs ? run_legs(ref, &done) > 0 : run_leg(ref, 0, &done);

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
