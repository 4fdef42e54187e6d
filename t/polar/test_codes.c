/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What polar codes are made of: the tables of the standard, the order that constructions give to
 * positions, and the steps of successive cancellation.
 */
#include "t/lib/tap.h"

#include <math.h>

#include "t/polar/trial.h"

/* ---- Tables ---------------------------------------------------------------------------------- */

/* The second column of a table; returns its length. */
static unsigned column(const char *name, unsigned *value, unsigned most)
{
    const char *dir = getenv("T_DATA");
    char path[4096], line[64];
    unsigned i, n = 0;
    FILE *file;

    snprintf(path, sizeof path, "%s/tables/%s", dir ? dir : "t/data", name);
    file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file))
        bail("cannot read %s", path);
    while (n < most && fscanf(file, "%u,%u", &i, &value[n]) == 2 && i == n)
        n++;
    fclose(file);
    return n;
}

static void check_tables(void)
{
    static unsigned value[2000];
    unsigned wrong = 0;

    is_int(column("nr_polar_sequence.csv", value, 2000), POLAR_NR_MOST_N, "1024 positions");
    for (unsigned i = 0; i < POLAR_NR_MOST_N; i++)
        wrong += polar_nr_sequence[i] != value[i];
    is_int(column("nr_polar_interleaver.csv", value, 2000), POLAR_NR_MOST_INTERLEAVED,
           "164 of the input interleaver");
    for (unsigned i = 0; i < POLAR_NR_MOST_INTERLEAVED; i++)
        wrong += polar_nr_interleaver[i] != value[i];
    is_int(column("nr_polar_subblock.csv", value, 2000), POLAR_NR_SUBBLOCKS, "32 sub-blocks");
    for (unsigned i = 0; i < POLAR_NR_SUBBLOCKS; i++)
        wrong += polar_nr_subblock[i] != value[i];
    is_int(wrong, 0, "the tables are the standard's");
}

/* ---- Constructions --------------------------------------------------------------------------- */

/*
 * Whatever the channel: a position with more ones is better, and so is one whose ones stand higher.
 * It is enough to look at neighbours in this order: a 0 turned to 1, and 01 to 10.
 */
static unsigned against_order(const uint16_t *order, uint32_t stages)
{
    static uint16_t rank[POLAR_MOST_N];
    unsigned wrong = 0;

    for (uint32_t i = 0; i < 1u << stages; i++)
        rank[order[i]] = (uint16_t)i;
    for (uint32_t i = 0; i < 1u << stages; i++)
        for (uint32_t bit = 0; bit < stages; bit++) {
            const uint32_t more = i | 1u << bit, higher = (i & ~(1u << bit)) | 2u << bit;

            wrong += more != i && rank[more] < rank[i];
            wrong += bit + 1 < stages && (i >> bit & 3) == 1 && rank[higher] < rank[i];
        }
    return wrong;
}

/* ln phi of the Gaussian approximation in its three pieces, and what it is of, found by halving. */
static double ga_ln_phi(double x)
{
    return x < 0.867861 ? x * (0.0564 * x - 0.4856)
           : x < 10     ? 0.0218 - 0.4527 * pow(x, 0.86)
                        : 0.5 * log(3.141592653589793 / x) + log1p(-10 / (7 * x)) - x / 4;
}

static double ga_check(double mean)
{
    const double ln = ga_ln_phi(mean), y = ln + log1p(-expm1(ln)); /* 1 - (1 - phi)^2 */
    double low = 0, high = 2 * mean + 1;

    for (int i = 0; i < 100; i++) {
        const double middle = (low + high) / 2;
        *(ga_ln_phi(middle) > y ? &low : &high) = middle;
    }
    return low;
}

/* Position i's mean, by its bits from the highest on. */
static double ga_mean(uint32_t i, uint32_t stages, double channel)
{
    for (uint32_t bit = stages; bit-- > 0;)
        channel = i >> bit & 1 ? 2 * channel : ga_check(channel);
    return channel;
}

static void check_means(void)
{
    uint16_t order[128];
    struct fecrun_error err = {.size = sizeof err};

    for (double es_n0 = 1; es_n0 < 6; es_n0 += 1.5) {
        unsigned wrong = 0;

        polar_order_make(7, POLAR_BY_GA, es_n0, order, &err);
        for (unsigned i = 0; i + 1 < 128; i++) {
            const double mean = ga_mean(order[i], 7, 4 * es_n0);
            /* the pieces meet to three digits; what cancels above is below 1e-3 */
            wrong += mean > fmax(1e-3, 1.01 * ga_mean(order[i + 1], 7, 4 * es_n0));
        }
        is_int(wrong, 0, "ga, N = 128, Es/N0 %.1f: by means found by halving", es_n0);
    }
}

static void check_orders(void)
{
    static const double es_n0[] = {0.1, 0.5, 0.8, 2, 10};
    static uint16_t order[POLAR_MOST_N];
    struct fecrun_error err = {.size = sizeof err};

    for (uint32_t stages = POLAR_LEAST_STAGES; stages <= POLAR_MOST_STAGES; stages += 5)
        for (unsigned i = 0; i < sizeof es_n0 / sizeof *es_n0; i++) {
            polar_order_make(stages, POLAR_BY_GA, es_n0[i], order, &err);
            is_int(against_order(order, stages), 0, "ga, N = %u, Es/N0 %.1f: better ones behind",
                   1u << stages, es_n0[i]);
            if (es_n0[i] > 1 && stages > 10)
                continue; /* too good: erasures of many positions underflow */
            polar_order_make(stages, POLAR_BY_BEC, es_n0[i], order, &err);
            is_int(against_order(order, stages), 0, "bec, N = %u, Es/N0 %.1f: better ones behind",
                   1u << stages, es_n0[i]);
        }
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/*
 * Runs the steps on a word without noise: leaves get from the word what a decoder would decide. At the
 * end beta must be x, and each check must find its parity.
 */
static bool walks(const struct polar_code *code, bool pruned, bool list)
{
    const struct polar_program *p = polar_program_new(code, pruned, list);
    uint8_t *message = trial_get(code->k), *u = trial_get(code->n), *x = trial_get(code->n);
    uint8_t *beta = trial_get(code->n);
    bool good = p != NULL;

    for (uint32_t i = 0; i < code->k; i++)
        message[i] = i * i % 7 & 1;
    polar_place(code, message, u);
    memcpy(x, u, code->n);
    polar_transform(x, code->n);
    memset(beta, 0xa5, code->n);
    for (uint32_t s = 0; s < p->n_steps; s++) {
        const struct polar_step *step = &p->step[s];
        const uint32_t h = 1u << step->stage;
        uint8_t *b = beta + step->at, parity = 0;

        for (uint32_t i = 0; i < h && step->op >= POLAR_COMBINE; i++)
            b[i] = step->op == POLAR_COMBINE ? b[i] ^ b[i + h]
                   : step->op == POLAR_COPY  ? b[i + h]
                                             : u[step->at + i];
        if (step->op >= POLAR_RATE0)
            polar_transform(b, h);
        for (uint32_t i = 0; i < step->length; i++)
            parity ^= beta[p->check[step->list + i]];
        good &= step->op != POLAR_CHECK || parity == u[step->at];
        good &= pruned || step->op < POLAR_RATE0 || step->stage == 0;
    }
    good &= !memcmp(beta, x, code->n);
    free(message);
    free(u);
    free(x);
    free(beta);
    free((void *)(uintptr_t)p);
    return good;
}

static void check_steps(void)
{
    static const uint32_t codes[][3] = {
        {5, 1, 0},   {5, 32, 0},  {7, 64, 0},   {10, 512, 0},  {10, 900, 0},  {12, 100, 0},
        {6, 18, 54}, {6, 20, 40}, {8, 25, 600}, {10, 22, 700}, {9, 191, 320}, {10, 511, 900},
    };

    for (unsigned c = 0; c < sizeof codes / sizeof *codes; c++) {
        struct polar_code *code = trial_code(codes[c][0], codes[c][1], codes[c][2]);

        ok(walks(code, true, false) && walks(code, false, false) && walks(code, true, true) &&
               walks(code, false, true),
           "N = %u, K = %u, %u parity bits: the steps make x", code->n, code->k, code->parities);
        free(code);
    }
}

/* Each bit of x is the sum of those of u whose number has all its ones. */
static void check_transform(void)
{
    uint8_t u[POLAR_MOST_N], x[POLAR_MOST_N];

    for (uint32_t n = 1u << POLAR_LEAST_STAGES; n <= 4096; n *= 2) {
        unsigned wrong = 0;

        for (uint32_t i = 0; i < n; i++)
            x[i] = u[i] = (i * i * 7 + i / 3) >> 2 & 1;
        polar_transform(x, n);
        for (uint32_t j = 0; j < n; j++) {
            uint8_t sum = 0;

            for (uint32_t i = j; i < n; i++)
                sum ^= (i & j) == j && u[i];
            wrong += sum != x[j];
        }
        is_int(wrong, 0, "x = u G, N = %u", n);
    }
}

int main(void)
{
    check_transform();
    check_tables();
    check_orders();
    check_means();
    check_steps();
    return done_testing();
}
