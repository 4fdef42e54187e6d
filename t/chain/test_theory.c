/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * modem.map, channel.awgn, modem.hard and modem.demap against theory: constellations as TS 38.211 5.1 writes
 * them, the exact bit error rate of each bit of a symbol, Eb/N0 of several code rates, and LLRs as what they
 * are defined to be. t/chain/uncoded.t has the mean rates of conf/uncoded.yaml.
 */
#include "t/chain/theory.h"

enum { LEVELS = 16, MOST_BITS = 8 };

static const struct scheme {
    const char *name;
    unsigned bits, m; /* of a symbol, of a real dimension */
    double energy;    /* of a symbol, in units of the levels' */
} schemes[] = {
    {"bpsk", 1, 1, 1},   {"qpsk", 2, 1, 2},     {"16qam", 4, 2, 10},
    {"64qam", 6, 3, 42}, {"256qam", 8, 4, 170},
};

/* TS 38.211 5.1.3 to 5.1.6: the level of a dimension's bits, b[0] is sent first. */
static double level_of(unsigned m, const unsigned *b)
{
    double d[4];

    for (unsigned i = 0; i < m; i++)
        d[i] = 1 - 2.0 * b[i];
    switch (m) {
    case 1:
        return d[0];
    case 2:
        return d[0] * (2 - d[1]);
    case 3:
        return d[0] * (4 - d[1] * (2 - d[2]));
    default:
        return d[0] * (8 - d[1] * (4 - d[2] * (2 - d[3])));
    }
}

/* A dimension: levels in ascending order, the bits of each, in units of mean symbol energy 1. */
struct dimension {
    unsigned m, n;
    double level[LEVELS];
    unsigned bits[LEVELS][4];
};

static void fill(struct dimension *d, const struct scheme *scheme)
{
    d->m = scheme->m;
    d->n = 1u << d->m;
    for (unsigned word = 0; word < d->n; word++) {
        unsigned b[4], at;

        for (unsigned i = 0; i < d->m; i++)
            b[i] = word >> i & 1;
        /* levels are odd: -(n - 1), .., n - 1 */
        at = (unsigned)(level_of(d->m, b) + d->n - 1) / 2;
        d->level[at] = level_of(d->m, b) / sqrt(scheme->energy);
        memcpy(d->bits[at], b, sizeof b);
    }
}

/* Probability that bit k of the dimension is decided wrongly: sums of Q, one each boundary of decisions. */
static double error_rate(const struct dimension *d, unsigned k, double sigma)
{
    double sum = 0;

    for (unsigned s = 0; s < d->n; s++)
        for (unsigned r = 0; r < d->n; r++) {
            const double low = r ? (d->level[r - 1] + d->level[r]) / 2 : -INFINITY;
            const double high = r + 1 < d->n ? (d->level[r] + d->level[r + 1]) / 2 : INFINITY;

            if (d->bits[s][k] != d->bits[r][k])
                sum += q_function((low - d->level[s]) / sigma) -
                       q_function((high - d->level[s]) / sigma);
        }
    return sum / d->n;
}

/* ---- A link ---- */

static const struct rate {
    const char *name, *encoder;
    unsigned info, coded; /* bits of a frame; coded: whole symbols of all schemes */
} rates[] = {
    {"no code", "", 48, 48},
    {"rate 1/2, six tail bits", "- conv.encode: {id: code, code: ieee80211}\n", 18, 48},
    {"rate 1/3, tail-biting", "- conv.encode: {id: code, code: lte_tbcc}\n", 40, 120},
    {"rate 5/6", "- ldpc.encode: {id: code, code: wifi, n: 648, rate: 5/6}\n", 540, 648},
    {"24 bits of CRC in 48", "- crc.attach: {id: code, crc: 24a}\n", 24, 48},
};

enum { PER_CALL = 200000 }; /* symbols, about */

static struct link {
    uint64_t n, symbols;
    uint8_t *sent, *hard;
    float (*mapped)[2], (*received)[2];
    float *llr;
} l;

static void start(const struct scheme *scheme, const struct rate *rate, unsigned symbols,
                  const char *key, double db)
{
    const char *from = rate->encoder[0] ? "code" : "source";
    const uint64_t frames = (uint64_t)symbols * scheme->bits / rate->coded;
    uint64_t n;
    char text[2048];

    snprintf(text, sizeof text,
             "fecrun: 1\nseed: 11\npipeline:\n- source.random: {bits: %u}\n%s"
             "- sink.memory: {id: sent, from: %s}\n"
             "- modem.map: {id: map, scheme: %s, from: %s}\n"
             "- sink.memory: {id: mapped}\n"
             "- channel.awgn: {id: noise, %s: %.17g, from: map}\n"
             "- sink.memory: {id: received}\n"
             "- modem.demap: {from: noise}\n"
             "- sink.memory: {id: llr}\n"
             "- modem.hard: {from: noise}\n"
             "- sink.memory: {id: hard}\n",
             rate->info, rate->encoder, from, scheme->name, from, key, db);
    open_link(text, frames);
    l.sent = array_of("sent", &l.n);
    l.mapped = array_of("mapped", &l.symbols);
    l.received = array_of("received", &n);
    l.llr = array_of("llr", &n);
    l.hard = array_of("hard", &n);
    if (n != l.n || l.symbols * scheme->bits != l.n)
        bail("%s: %s: %u bits", scheme->name, rate->name, (unsigned)n);
    execute(frames);
}

static void stop(void)
{
    close_link();
    free(l.sent);
    free(l.mapped);
    free(l.received);
    free(l.llr);
    free(l.hard);
}

/* ---- Error rates ---- */

/* Es/N0 of the point; Eb/N0 is that of an information bit. */
static double sigma_of(const struct scheme *scheme, const struct rate *rate, const char *key,
                       double db)
{
    double esn0 = pow(10, db / 10);

    if (key[1] == 'b')
        esn0 *= (double)rate->info / rate->coded * scheme->bits;
    return sqrt(1 / esn0 / 2);
}

/* The variance of the noise, which is known better than any error rate; BPSK is real. */
static bool right_noise(const struct scheme *scheme, double sigma)
{
    const unsigned parts = scheme->bits == 1 ? 1 : 2;
    double sum = 0, other = 0;

    for (uint64_t s = 0; s < l.symbols; s++) {
        for (unsigned part = 0; part < parts; part++)
            sum += pow(((double)l.received[s][part] - l.mapped[s][part]) / sigma, 2);
        if (parts == 1)
            other += fabs(l.received[s][1]);
    }
    return is_mean(sum, (double)(parts * l.symbols), 1, 2, "variance") && other == 0;
}

/* Errors of one bit of the symbols do not depend on each other. */
static bool right_rates(const struct scheme *scheme, const struct dimension *d, double sigma)
{
    bool right = true;

    for (unsigned i = 0; i < scheme->bits; i++) {
        uint64_t errors = 0;
        char what[32];

        for (uint64_t at = i; at < l.n; at += scheme->bits)
            errors += l.sent[at] != l.hard[at];
        snprintf(what, sizeof what, "bit %u", i);
        right &= is_binomial((double)errors, (double)l.symbols,
                             error_rate(d, scheme->bits == 1 ? 0 : i / 2, sigma), what);
    }
    return right;
}

static bool right_symbols(const struct scheme *scheme)
{
    double worst = 0;

    for (uint64_t s = 0; s < l.symbols; s++)
        for (unsigned part = 0; part < 2; part++) {
            unsigned b[4] = {0};
            double want = 0;

            for (unsigned k = 0; k < scheme->m; k++)
                b[k] = l.sent[s * scheme->bits + (scheme->bits == 1 ? 0 : 2 * k + part)];
            if (scheme->bits > 1 || !part)
                want = level_of(scheme->m, b) / sqrt(scheme->energy);
            worst = fmax(worst, fabs(l.mapped[s][part] - want));
        }
    return worst < 1e-6;
}

static void try_rates(const struct scheme *scheme, const struct rate *rate)
{
    /* Es/N0 between the levels of the scheme, and around it, so that each of its bits has errors. */
    static const double esn0[] = {1, 4, 10, 16, 22};
    const double base = esn0[scheme - schemes];
    const double eb = base - 10 * log10((double)rate->info / rate->coded * scheme->bits);
    const struct point {
        const char *key;
        double db;
    } points[] = {{"esn0_db", base},     {"ebn0_db", eb},     {"esn0_db", base - 4},
                  {"ebn0_db", eb - 2.5}, {"ebn0_db", eb + 2}, {"esn0_db", -10}};
    struct dimension d;
    bool symbols = true, noise = true, errors = true;

    fill(&d, scheme);
    for (unsigned p = 0; p < sizeof points / sizeof *points; p++) {
        const double sigma = sigma_of(scheme, rate, points[p].key, points[p].db);

        start(scheme, rate, tap_rounds(PER_CALL), points[p].key, points[p].db);
        symbols &= right_symbols(scheme);
        noise &= right_noise(scheme, sigma);
        errors &= right_rates(scheme, &d, sigma);
        if (!symbols || !noise || !errors)
            diag("%s %g", points[p].key, points[p].db);
        stop();
    }
    ok(symbols, "%s, %s: symbols are TS 38.211's", scheme->name, rate->name);
    ok(noise, "%s, %s: Eb/N0 and Es/N0 are the noise's", scheme->name, rate->name);
    ok(errors, "%s, %s: bit error rates, bit by bit", scheme->name, rate->name);
}

/* ---- LLRs ---- */

/* By the definition: the nearest level with that bit 0 and the nearest one with it 1; N0 = 2 sigma^2. */
static bool right_llrs(const struct scheme *scheme, const struct dimension *d, double sigma)
{
    double worst = 0;

    for (uint64_t at = 0; at < l.n; at++) {
        const unsigned i = (unsigned)(at % scheme->bits), k = scheme->bits == 1 ? 0 : i / 2;
        const double y = l.received[at / scheme->bits][i % 2];
        double nearest[2] = {INFINITY, INFINITY}, want;

        for (unsigned r = 0; r < d->n; r++)
            nearest[d->bits[r][k]] = fmin(nearest[d->bits[r][k]], pow(y - d->level[r], 2));
        want = (nearest[1] - nearest[0]) / (2 * sigma * sigma);
        worst = fmax(worst, fabs(l.llr[at] - want) / (1 + fabs(want)));
    }
    if (worst >= 2e-4)
        diag("the worst one is %g off", worst);
    return worst < 2e-4;
}

/* Of bits with LLR x, 1 / (1 + e^x) are 1: in bins, against the sum of that over the bits that are in it. The
   sum's variance is known, too. */
static bool right_meaning(void)
{
    static const double edges[] = {-6, -4.5, -3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, 4.5, 6};
    bool right = true;

    for (unsigned b = 0; b + 1 < sizeof edges / sizeof *edges; b++) {
        double ones = 0, want = 0, variance = 0;
        char what[64];

        for (uint64_t at = 0; at < l.n; at++) {
            const double x = l.llr[at], p = 1 / (1 + exp(x));

            if (x < edges[b] || x >= edges[b + 1])
                continue;
            ones += l.sent[at];
            want += p;
            variance += p * (1 - p);
        }
        snprintf(what, sizeof what, "ones of LLRs of %g to %g", edges[b], edges[b + 1]);
        if (variance < 50) {
            diag("%s: there are too few", what);
            right = false;
        }
        right &= is_mean(ones, 1, want, variance, what);
    }
    return right;
}

/* Where bit errors are few, the nearest levels alone count, and max-log LLRs are exact; else those of one bit a
   dimension are. */
static void try_llrs(const struct scheme *scheme)
{
    static const double esn0[] = {0, 3, 13, 19.5, 25.5};
    const double exact = esn0[scheme - schemes];
    struct dimension d;
    bool same = true, means = true;

    fill(&d, scheme);
    for (int off = -12; off <= 6; off += 6) {
        start(scheme, rates, PER_CALL, "esn0_db", exact + off);
        same &= right_llrs(scheme, &d, sigma_of(scheme, rates, "esn0_db", exact + off));
        if (off == 0)
            means = right_meaning();
        stop();
    }
    ok(same, "%s: LLRs by their definition, positive for 0", scheme->name);
    ok(means, "%s: of bits with LLR x, 1 / (1 + e^x) are 1", scheme->name);
}

int main(void)
{
    begin_links();
    for (unsigned s = 0; s < sizeof schemes / sizeof *schemes; s++) {
        for (unsigned r = 0; r < sizeof rates / sizeof *rates; r++)
            try_rates(&schemes[s], &rates[r]);
        try_llrs(&schemes[s]);
    }
    return done_testing();
}
