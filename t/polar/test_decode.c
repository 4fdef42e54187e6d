/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reference of polar.decode: against models in double precision that take the definitions
 * literally, and what is to be equal by definition.
 */
#include "t/lib/tap.h"

#include <math.h>

#include "plugins/polar/ref/ref.h"
#include "t/polar/trial.h"

enum { MOST_N = 1024, FRAMES = 60 };

static float llr[FRAMES * MOST_N];
static int8_t rounded[FRAMES * MOST_N];
static uint8_t bits[3][FRAMES * MOST_N];
static struct fecrun_frame_info info[3][FRAMES];

static void draw(const struct polar_decode *d, float sigma, float scale)
{
    for (uint32_t f = 0; f < FRAMES; f++) {
        trial_frame(d->code, &d->crc, f, sigma, scale, llr + f * d->code->n);
        trial_round(llr + f * d->code->n, rounded + f * d->code->n, d->code->n, f);
    }
}

static void run(const struct polar_decode *d, bool integer, unsigned to)
{
    const void *in = integer ? (const void *)rounded : llr;

    trial_run(&polar_decode_ref, d, NULL, integer ? FECRUN_I8 : FECRUN_F32, in, FRAMES, bits[to],
              info[to]);
}

static unsigned different(const struct polar_decode *d, unsigned a, unsigned b)
{
    unsigned n = 0;

    for (uint32_t f = 0; f < FRAMES; f++)
        n += memcmp(bits[a] + f * d->code->k, bits[b] + f * d->code->k, d->code->k) != 0;
    return n;
}

/* ---- A list decoder, bit by bit ---------------------------------------------------------------- */

/* The LLR of bit i of u, given those in front of it: straight down the tree. */
static double bit_llr(const double *l, const uint8_t *u, uint32_t n, uint32_t i)
{
    double below[MOST_N];
    uint8_t left[MOST_N];
    const uint32_t h = n / 2;

    if (n == 1)
        return *l;
    if (i < h) {
        for (uint32_t j = 0; j < h; j++)
            below[j] = fmin(fabs(l[j]), fabs(l[j + h])) * (l[j] * l[j + h] < 0 ? -1 : 1);
        return bit_llr(below, u, h, i);
    }
    memcpy(left, u, h);
    polar_transform(left, h);
    for (uint32_t j = 0; j < h; j++)
        below[j] = l[j + h] + (left[j] ? -l[j] : l[j]);
    return bit_llr(below, u + h, h, i - h);
}

struct model_path {
    double metric;
    uint8_t u[MOST_N];
};

static int by_metric(const void *a, const void *b)
{
    const double x = ((const struct model_path *)a)->metric;
    const double y = ((const struct model_path *)b)->metric;

    return x < y ? -1 : x > y;
}

/* The best path without a CRC, and its metric. Without ties the order of equals does not matter. */
static double model(const struct polar_code *code, uint32_t list, const float *in, uint8_t *message)
{
    struct model_path *path = trial_get(2 * list * sizeof *path);
    double l[MOST_N], metric;
    uint32_t paths = 1;

    for (uint32_t i = 0; i < code->n; i++)
        l[i] = (double)in[i];
    path[0].metric = 0;
    for (uint32_t i = 0; i < code->n; i++) {
        const uint32_t before = paths;

        for (uint32_t p = 0; p < before; p++) {
            const double at = bit_llr(l, path[p].u, code->n, i);
            uint8_t known = 0;

            for (uint32_t j = 0; j < i && code->kind[i] == POLAR_PARITY; j++)
                known ^= polar_in_parity(code, i, j) && path[p].u[j];
            if (code->kind[i] == POLAR_MESSAGE) {
                path[paths] = path[p];
                path[paths].u[i] = 1;
                path[paths++].metric += at > 0 ? at : 0;
            }
            path[p].u[i] = known;
            path[p].metric += (at < 0) != known ? fabs(at) : 0;
        }
        qsort(path, paths, sizeof *path, by_metric);
        paths = paths < list ? paths : list;
    }
    for (uint32_t i = 0; i < code->k; i++)
        message[i] = path[0].u[code->position[i]];
    metric = path[0].metric;
    free(path);
    return metric;
}

static void check_model(const struct polar_code *code, const struct polar_decode *d, uint32_t list,
                        unsigned got, const char *what)
{
    const struct fecrun_view in = {.data = llr,
                                   .type = FECRUN_F32,
                                   .frames = FRAMES,
                                   .items = code->n,
                                   .stride = code->n * sizeof *llr};
    const struct fecrun_view out = {
        .data = bits[got], .type = FECRUN_U8, .frames = FRAMES, .stride = code->k};
    float metric[FRAMES];
    const struct fecrun_view values = {
        .data = metric, .type = FECRUN_F32, .frames = FRAMES, .stride = sizeof *metric};
    uint8_t word[2 * MOST_N];
    unsigned wrong = 0, far = 0;

    polar_put_metrics(d, &in, &out, &values, word);
    for (uint32_t f = 0; f < FRAMES; f++) {
        uint8_t message[MOST_N];
        const double want = model(code, list, llr + f * code->n, message);

        wrong += memcmp(message, bits[got] + f * d->code->k, code->k) != 0;
        far += fabs((double)metric[f] - want) > 1e-4 * (1 + want);
    }
    is_int(wrong, 0, "N = %u, K = %u, %s, L = %u: as the model", code->n, code->k, what, list);
    is_int(far, 0, "the metric is that of the model's path");
}

/* In floats, where nothing ties: pruned, not pruned and the model agree. */
static void check_floats(uint32_t stages, uint32_t k, uint32_t e, uint32_t list, bool model_too)
{
    struct polar_code *code = trial_code(stages, k, e);
    const enum polar_algorithm algorithm = list ? POLAR_SCL : POLAR_SC;
    struct polar_decode fast = trial_decode(code, algorithm, list, true, CRC_NONE);
    struct polar_decode slow = trial_decode(code, algorithm, list, false, CRC_NONE);

    draw(&fast, 0.9f, 1);
    run(&fast, false, 0);
    run(&slow, false, 1);
    is_int(different(&fast, 0, 1), 0, "N = %u, K = %u, L = %u: pruned equals unpruned", code->n, k,
           list);
    if (model_too)
        check_model(code, &fast, list ? list : 1, 0, list ? "scl" : "sc");
    trial_free(&fast);
    trial_free(&slow);
    free(code);
}

/* ---- Equal by definition ----------------------------------------------------------------------- */

static void check_single_path(uint32_t stages, uint32_t k, uint32_t e, bool pruned)
{
    struct polar_code *code = trial_code(stages, k, e);
    struct polar_decode sc = trial_decode(code, POLAR_SC, 0, pruned, CRC_NONE);
    struct polar_decode scl = trial_decode(code, POLAR_SCL, 1, pruned, CRC_NONE);

    sc.limit = scl.limit = 127;
    draw(&sc, 0.9f, 4);
    run(&sc, true, 0);
    run(&scl, true, 1);
    is_int(different(&sc, 0, 1), 0, "N = %u, K = %u, pruned %d: a list of 1 is sc", code->n, k,
           pruned);
    trial_free(&sc);
    trial_free(&scl);
    free(code);
}

static void check_adaptive(uint32_t stages, uint32_t k, uint32_t list, enum crc_name crc)
{
    struct polar_code *code = trial_code(stages, k, 0);
    struct polar_decode d = trial_decode(code, POLAR_SCL, list, true, crc);
    struct polar_program *const sc = polar_program_new(code, true, false), *const list_of = d.list;
    unsigned first = 0, second = 0, wrong = 0;

    d.limit = 127;
    draw(&d, 0.82f, 4);
    run(&d, true, 1);
    d.sc = sc;
    d.adaptive = true;
    run(&d, true, 0);
    d.adaptive = false;
    d.algorithm = POLAR_SC;
    d.list = NULL;
    run(&d, true, 2);
    for (uint32_t f = 0; f < FRAMES; f++) {
        const unsigned from = info[0][f].iterations == 1 ? 2 : 1;

        first += from == 2;
        second += from == 1;
        wrong += memcmp(bits[0] + f * k, bits[from] + f * k, k) != 0;
        wrong += info[0][f].flags != info[from][f].flags;
        wrong += from == 2 && info[0][f].flags != FECRUN_FRAME_CHECKED;
        wrong += from == 1 && info[2][f].flags == FECRUN_FRAME_CHECKED;
    }
    ok(first && second, "N = %u, K = %u: sc was enough for %u, the list ran for %u", code->n, k,
       first, second);
    is_int(wrong, 0, "adaptive is sc there, and the list here, with its status");
    free(list_of);
    trial_free(&d);
    free(code);
}

/* ---- The same of codes that nobody would make --------------------------------------------------- */

/* A good code, some of whose free positions changed places with frozen ones: all kinds of leaves. */
static struct polar_code *random_code(uint32_t number)
{
    const struct fecrun_rng rng = {.seed = 77, .stage = number};
    const uint32_t stages = 5 + number % 4, n = 1u << stages;
    const uint32_t k = 1 + fecrun_rng_block(&rng, 0, 0).v[0] % (n - 1);
    struct polar_code *code = trial_code(stages, k, 0);

    for (uint32_t i = 0; i < n / 8; i++) {
        const uint32_t which = fecrun_rng_block(&rng, 1, i).v[0] % k;
        const uint32_t to = fecrun_rng_block(&rng, 1, i).v[1] % n;

        if (code->kind[to] == POLAR_MESSAGE)
            continue;
        code->kind[code->position[which]] = POLAR_FROZEN;
        code->kind[to] = POLAR_MESSAGE;
        code->position[which] = (uint16_t)to;
    }
    return code;
}

/* Frames that two decoders of the same words decode differently. */
static unsigned disagree(const struct polar_decode *a, const struct polar_decode *b)
{
    draw(a, 0.9f, 1);
    run(a, false, 0);
    run(b, false, 1);
    return different(a, 0, 1);
}

static void check_random_codes(void)
{
    static const uint32_t lists[] = {1, 2, 3, 8};
    enum { CODES = 24, LISTS = sizeof lists / sizeof *lists };
    unsigned pruned = 0, single = 0, listed[LISTS] = {0};

    for (uint32_t number = 0; number < CODES; number++) {
        struct polar_code *code = random_code(number);
        struct polar_decode sc = trial_decode(code, POLAR_SC, 0, true, CRC_NONE);
        struct polar_decode slow_sc = trial_decode(code, POLAR_SC, 0, false, CRC_NONE);

        pruned += disagree(&sc, &slow_sc);
        for (unsigned i = 0; i < LISTS; i++) {
            struct polar_decode scl = trial_decode(code, POLAR_SCL, lists[i], true, CRC_NONE);
            struct polar_decode slow = trial_decode(code, POLAR_SCL, lists[i], false, CRC_NONE);

            listed[i] += disagree(&scl, &slow);
            single += lists[i] == 1 ? disagree(&sc, &scl) + disagree(&slow_sc, &slow) : 0;
            trial_free(&scl);
            trial_free(&slow);
        }
        trial_free(&sc);
        trial_free(&slow_sc);
        free(code);
    }
    is_int(pruned, 0, "%d random codes, sc: pruned equals unpruned", CODES);
    for (unsigned i = 0; i < LISTS; i++)
        is_int(listed[i], 0, "lists of %u: pruned equals unpruned", lists[i]);
    is_int(single, 0, "a list of 1 is sc, pruned or not");
}

/* ---- Belief propagation ------------------------------------------------------------------------ */

/* By the definition of the probabilities; long doubles hold their exponentials. */
static double exact_check(const struct polar_decode *d, double a, double b)
{
    if (d->rule == POLAR_MIN_SUM)
        return d->scale * fmin(fabs(a), fabs(b)) * (a * b < 0 ? -1 : 1);
    return (double)(logl(1 + expl((long double)a + b)) - logl(expl(a) + expl(b)));
}

/* No message is larger; a frozen bit's is it. */
static double bp_limit(const struct polar_decode *d)
{
    return d->rule == POLAR_MIN_SUM       ? (double)FECRUN_LLR_MAX_F32
           : d->rule == POLAR_SUM_PRODUCT ? 1000
                                          : 40;
}

/* The messages of all stages; each bit with its partner, at a distance of 2^s, by itself. */
struct bp_model {
    const struct polar_decode *d;
    double l[11][MOST_N], r[11][MOST_N];
};

static double within(double most, double x)
{
    return fmax(-most, fmin(most, x));
}

static void bp_pass(struct bp_model *m, bool left, uint32_t s)
{
    const double most = bp_limit(m->d);
    const uint32_t h = 1u << s;

    for (uint32_t i = 0; i < m->d->code->n; i++) {
        const uint32_t j = i ^ h;
        const double *in = left ? m->l[s + 1] : m->r[s], *side = left ? m->r[s] : m->l[s + 1];
        double *out = left ? m->l[s] : m->r[s + 1];

        if (i & h)
            out[i] = within(most, in[i] + exact_check(m->d, in[j], side[j]));
        else
            out[i] = exact_check(m->d, in[i], within(most, in[j] + side[j]));
    }
}

static void bp_model_run(struct bp_model *m, const float *in)
{
    const struct polar_code *code = m->d->code;

    memset(m->l, 0, sizeof m->l);
    memset(m->r, 0, sizeof m->r);
    for (uint32_t i = 0; i < code->n; i++) {
        m->l[code->stages][i] = (double)in[i];
        m->r[0][i] = code->kind[i] == POLAR_FROZEN ? bp_limit(m->d) : 0;
    }
    for (uint32_t n = 0; n < m->d->iterations; n++) {
        for (uint32_t s = code->stages; s-- > 0;)
            bp_pass(m, true, s);
        for (uint32_t s = 0; s < code->stages; s++)
            bp_pass(m, false, s);
    }
}

/* The messages at u of the first frames: how far from the model at most, in units of 1 + |LLR|. */
static void check_bp(uint32_t stages, uint32_t k, enum polar_rule rule, uint32_t iterations)
{
    struct polar_code *code = trial_code(stages, k, 0);
    struct polar_decode d = trial_decode(code, POLAR_BP, 0, true, CRC_NONE);
    struct bp_model *m = trial_get(sizeof *m);
    uint8_t *x = trial_get(2 * code->n), *message = trial_get(k);
    double far = 0;
    float *work;
    bool met;

    d.rule = rule;
    d.iterations = iterations;
    work = trial_get(polar_ref_bp_carve(&work, &d, NULL));
    draw(&d, 0.85f, 1);
    m->d = &d;
    for (uint32_t f = 0; f < 5; f++) {
        const float *in = llr + f * code->n;

        polar_ref_bp(&d, work, in, x, message, &met);
        bp_model_run(m, in);
        for (uint32_t i = 0; i < code->n; i++) {
            const double got = rule == POLAR_SUM_PRODUCT_LR ? log((double)work[i])
                                                            : (double)work[i];

            far = fmax(far, fabs(got - m->l[0][i]) / (1 + fabs(m->l[0][i])));
        }
    }
    ok(far < 1e-3, "N = %u, K = %u, rule %d, %u iterations: bp is within %.2g of the model",
       code->n, k, (int)rule, iterations, far);
    free(m);
    free(x);
    free(message);
    free(work);
    trial_free(&d);
    free(code);
}

/* Frames that a rule stops are those that are right, and stop earlier. */
static void check_stops(void)
{
    struct polar_code *code = trial_code(8, 128, 0);
    struct polar_decode d = trial_decode(code, POLAR_BP, 0, true, CRC_16);
    unsigned early = 0, wrong = 0;

    d.iterations = 30;
    draw(&d, 0.8f, 1);
    run(&d, false, 0);
    for (d.stop = POLAR_GMATRIX; d.stop <= POLAR_CRC; d.stop++) {
        run(&d, false, 1);
        for (uint32_t f = 0; f < FRAMES; f++) {
            wrong += info[0][f].iterations != 30 || info[1][f].iterations > 30;
            wrong += d.stop == POLAR_CRC && info[1][f].flags != FECRUN_FRAME_CHECKED &&
                     info[1][f].iterations < 30;
            early += info[1][f].flags == FECRUN_FRAME_CHECKED && info[1][f].iterations < 30;
        }
    }
    is_int(wrong, 0, "bp stops where its rule is met, and says so");
    ok(early > FRAMES, "it stops early in %u of %d frames", early, 2 * FRAMES);
    trial_free(&d);
    free(code);
}

int main(void)
{
    check_floats(6, 32, 0, 0, true);
    check_floats(7, 64, 0, 4, true);
    check_floats(6, 20, 40, 8, true);
    check_floats(8, 25, 600, 4, true);
    check_floats(9, 191, 320, 8, false);
    check_floats(10, 512, 0, 0, true);
    check_floats(10, 512, 0, 2, false);
    check_floats(10, 700, 0, 8, false);
    check_single_path(7, 64, 0, true);
    check_single_path(10, 512, 0, true);
    check_single_path(10, 512, 0, false);
    check_single_path(9, 22, 300, true);
    check_single_path(9, 191, 320, true);
    check_random_codes();
    check_adaptive(8, 128, 4, CRC_11);
    check_adaptive(10, 512, 8, CRC_24C);
    for (int rule = POLAR_MIN_SUM; rule <= POLAR_SUM_PRODUCT_LR; rule++) {
        check_bp(6, 32, (enum polar_rule)rule, 1);
        check_bp(8, 128, (enum polar_rule)rule, 6);
    }
    check_stops();
    return done_testing();
}
