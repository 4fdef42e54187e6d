/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Schemes that are no square up to 256QAM: symbols as the standards write them, LLRs and decisions by their
 * definition over all points in double precision, and bit error rates against closed formulas.
 */
#include "t/chain/theory.h"

#define PI 3.14159265358979323846

enum { FRAME = 240, MOST = 4096 }; /* bits of a frame: whole symbols of all */

struct point {
    double re, im;
};

/* The point of a label, whose first bit is the highest one, for the symbol with that number. */
typedef struct point point_of(unsigned label, uint64_t number);

static const struct scheme {
    const char *name, *params;
    unsigned bits;
    point_of *point;
    double esn0_db; /* where its bits have some errors */
} schemes[];

static double sign_of(unsigned label, unsigned bit)
{
    return 1 - 2.0 * (label >> bit & 1);
}

/* TS 38.211 5.1.1 */
static struct point bpsk_turned(unsigned label, uint64_t number)
{
    const double d = sign_of(label, 0) / sqrt(2), turn = PI / 2 * (double)(number % 2);

    return (struct point){d * (cos(turn) - sin(turn)), d * (cos(turn) + sin(turn))};
}

/* TS 38.211 5.1.7: of bits b(i), b(i + 2), ... */
static double level1024(unsigned label, unsigned i)
{
    const double b0 = sign_of(label, 9 - i), b2 = sign_of(label, 7 - i), b4 = sign_of(label, 5 - i);
    const double b6 = sign_of(label, 3 - i), b8 = sign_of(label, 1 - i);

    return b0 * (16 - b2 * (8 - b4 * (4 - b6 * (2 - b8)))) / sqrt(682);
}

static struct point qam1024(unsigned label, uint64_t number)
{
    (void)number;
    return (struct point){level1024(label, 0), level1024(label, 1)};
}

/* The same of twelve bits: levels 1, 3, ... 63, whose squares have the mean 1365. */
static double level4096(unsigned label, unsigned i)
{
    const double b0 = sign_of(label, 11 - i), b2 = sign_of(label, 9 - i);
    const double b4 = sign_of(label, 7 - i), b6 = sign_of(label, 5 - i);
    const double b8 = sign_of(label, 3 - i), b10 = sign_of(label, 1 - i);

    return b0 * (32 - b2 * (16 - b4 * (8 - b6 * (4 - b8 * (2 - b10))))) / sqrt(2730);
}

static struct point qam4096(unsigned label, uint64_t number)
{
    (void)number;
    return (struct point){level4096(label, 0), level4096(label, 1)};
}

static struct point polar(double radius, double steps, double of)
{
    return (struct point){radius * cos(2 * PI * steps / of), radius * sin(2 * PI * steps / of)};
}

/* EN 302 307-1, figure 10: eighths of a turn. */
static struct point psk8(unsigned label, uint64_t number)
{
    static const int at[] = {1, 0, 4, 5, 2, 7, 3, 6};

    (void)number;
    return polar(1, at[label], 8);
}

/* Figure 11: 24ths of a turn; the last four are the inner ring. Gamma is that of rate 2/3. */
static struct point apsk16(unsigned label, uint64_t number)
{
    static const int at[] = {3, -3, 9, -9, 1, -1, 11, -11, 5, -5, 7, -7, 3, -3, 9, -9};
    const double outer = sqrt(16 / (12 + 4 / (3.15 * 3.15)));

    (void)number;
    return polar(label < 12 ? outer : outer / 3.15, at[label], 24);
}

/* Figure 12: rings, and 48ths of a turn. */
static const struct {
    int ring, at;
} places32[] = {{2, 6}, {2, 10}, {2, -6}, {2, -10}, {2, 18}, {2, 14}, {2, -18}, {2, -14},
                {3, 3}, {3, 9},  {3, -6}, {3, -12}, {3, 18}, {3, 12}, {3, -21}, {3, -15},
                {2, 2}, {1, 6},  {2, -2}, {1, -6},  {2, 22}, {1, 18}, {2, -22}, {1, -18},
                {3, 0}, {3, 6},  {3, -3}, {3, -9},  {3, 21}, {3, 15}, {3, 24},  {3, -18}};

static struct point ringed32(unsigned label, double gamma, double gamma2)
{
    const double inner = sqrt(32 / (4 + 12 * gamma * gamma + 16 * gamma2 * gamma2));
    const double radius[] = {0, inner, gamma * inner, gamma2 * inner};

    return polar(radius[places32[label].ring], places32[label].at, 48);
}

static struct point apsk32(unsigned label, uint64_t number)
{
    (void)number;
    return ringed32(label, 2.53, 4.30);
}

static struct point apsk32_own(unsigned label, uint64_t number)
{
    (void)number;
    return ringed32(label, 2.1, 3.5);
}

/* Eight points of mean energy 13. */
static struct point table8(unsigned label, uint64_t number)
{
    static const struct point at[] = {{5, 0}, {0, 5}, {-5, 0}, {0, -5},
                                      {1, 0}, {0, 1}, {-1, 0}, {0, -1}};

    (void)number;
    return (struct point){at[label].re / sqrt(13), at[label].im / sqrt(13)};
}

static const struct scheme schemes[] = {
    {"pi/2-bpsk", "scheme: pi/2-bpsk", 1, bpsk_turned, 2},
    {"8psk", "scheme: 8psk", 3, psk8, 8},
    {"1024qam", "scheme: 1024qam", 10, qam1024, 26},
    {"4096qam", "scheme: 4096qam", 12, qam4096, 31},
    {"16apsk 2/3", "scheme: 16apsk, rate: 2/3", 4, apsk16, 11},
    {"32apsk 9/10", "scheme: 32apsk, rate: 9/10", 5, apsk32, 14},
    {"32apsk, gamma given", "scheme: 32apsk, gamma: 2.1, gamma2: 3.5", 5, apsk32_own, 14},
    {"points",
     "scheme: points, points: [[5, 0], [0, 5], [-5, 0], [0, -5], [1, 0], [0.0, +1], [-10e-1, 0], "
     "[0, -1]]",
     3, table8, 10},
};

/* ---- A link ---- */

static struct link {
    uint64_t n, symbols;
    uint8_t *sent, *hard;
    float (*mapped)[2], (*received)[2];
    float *llr;
} l;

static void start(const struct scheme *scheme, uint64_t symbols, double db)
{
    const uint64_t frames = symbols * scheme->bits / FRAME;
    uint64_t n;
    char text[2048];

    snprintf(text, sizeof text,
             "fecrun: 1\nseed: 17\npipeline:\n- source.random: {bits: %u}\n"
             "- sink.memory: {id: sent, from: source}\n"
             "- modem.map: {id: map, %s, from: source}\n"
             "- sink.memory: {id: mapped}\n"
             "- channel.awgn: {id: noise, esn0_db: %.17g, from: map}\n"
             "- sink.memory: {id: received}\n"
             "- modem.demap: {from: noise}\n"
             "- sink.memory: {id: llr}\n"
             "- modem.hard: {from: noise}\n"
             "- sink.memory: {id: hard}\n",
             FRAME, scheme->params, db);
    open_link(text, frames);
    l.sent = array_of("sent", &l.n);
    l.mapped = array_of("mapped", &l.symbols);
    l.received = array_of("received", &n);
    l.llr = array_of("llr", &n);
    l.hard = array_of("hard", &n);
    if (n != l.n || l.symbols * scheme->bits != l.n)
        bail("%s: %u bits", scheme->name, (unsigned)n);
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

/* The number of symbol s in its frame. */
static uint64_t number_of(const struct scheme *scheme, uint64_t s)
{
    return s % (FRAME / scheme->bits);
}

static unsigned label_of(const struct scheme *scheme, uint64_t s, const uint8_t *bits)
{
    unsigned label = 0;

    for (unsigned i = 0; i < scheme->bits; i++)
        label = label << 1 | bits[s * scheme->bits + i];
    return label;
}

/* ---- What is compared ---- */

static bool right_symbols(const struct scheme *scheme)
{
    double worst = 0, energy = 0;

    for (uint64_t s = 0; s < l.symbols; s++) {
        const struct point want = scheme->point(label_of(scheme, s, l.sent), number_of(scheme, s));

        worst = fmax(worst, hypot(l.mapped[s][0] - want.re, l.mapped[s][1] - want.im));
    }
    for (unsigned label = 0; label < 1u << scheme->bits; label++)
        energy += pow(hypot(scheme->point(label, 0).re, scheme->point(label, 0).im), 2);
    return worst < 1e-6 && fabs(energy / (1u << scheme->bits) - 1) < 1e-9;
}

/* Both dimensions have noise. */
static bool right_noise(double n0)
{
    bool right = true;

    for (unsigned part = 0; part < 2; part++) {
        double sum = 0;

        for (uint64_t s = 0; s < l.symbols; s++)
            sum += pow((double)l.received[s][part] - l.mapped[s][part], 2) / (n0 / 2);
        right &= is_mean(sum, (double)l.symbols, 1, 2, "variance");
    }
    return right;
}

/* Distances squared of symbol s from all points; the smallest of those with that bit. */
static void all_distances(const struct scheme *scheme, uint64_t s, double distance[MOST])
{
    for (unsigned label = 0; label < 1u << scheme->bits; label++) {
        const struct point a = scheme->point(label, number_of(scheme, s));

        distance[label] = pow(l.received[s][0] - a.re, 2) + pow(l.received[s][1] - a.im, 2);
    }
}

static double smallest(const struct scheme *scheme, const double *distance, unsigned bit,
                       unsigned value)
{
    double best = INFINITY;

    for (unsigned label = 0; label < 1u << scheme->bits; label++)
        if ((label >> (scheme->bits - 1 - bit) & 1) == value)
            best = fmin(best, distance[label]);
    return best;
}

/* LLRs, and decisions where they are no matter of rounding. */
static bool right_values(const struct scheme *scheme, double n0)
{
    double distance[MOST], worst = 0;
    bool decided = true;

    for (uint64_t s = 0; s < l.symbols; s++) {
        const double far = 1 + pow(l.received[s][0], 2) + pow(l.received[s][1], 2);

        all_distances(scheme, s, distance);
        for (unsigned i = 0; i < scheme->bits; i++) {
            const double zero = smallest(scheme, distance, i, 0);
            const double one = smallest(scheme, distance, i, 1);
            const double want = (one - zero) / n0, round = 2e-6 * far / n0;
            const uint64_t at = s * scheme->bits + i;

            worst = fmax(worst, fabs(l.llr[at] - want) / (round + 1e-5 * fabs(want)));
            if (fabs(want) > round)
                decided &= l.hard[at] == (want < 0);
        }
    }
    if (worst >= 1 || !decided)
        diag("%s: the worst LLR is %g times too far off, decisions %d", scheme->name, worst,
             decided);
    return worst < 1 && decided;
}

static void try_scheme(const struct scheme *scheme)
{
    const double off[] = {0, -8, 5};
    bool symbols = true, noise = true, values = true;

    for (unsigned k = 0; k < sizeof off / sizeof *off; k++) {
        const double n0 = pow(10, -(scheme->esn0_db + off[k]) / 10);

        start(scheme, scheme->bits > 5 ? 2400 : 24000, scheme->esn0_db + off[k]);
        symbols &= right_symbols(scheme);
        noise &= right_noise(n0);
        values &= right_values(scheme, n0);
        stop();
    }
    ok(symbols, "%s: symbols are the standard's, mean energy 1", scheme->name);
    ok(noise, "%s: noise is complex", scheme->name);
    ok(values, "%s: max-log LLRs and decisions over all points", scheme->name);
}

/* ---- Closed formulas ---- */

/* Probability density of the phase of 1 with noise (Proakis, Digital Communications). */
static double phase_density(double phase, double esn0)
{
    const double c = cos(phase);

    return exp(-esn0) / (2 * PI) +
           sqrt(esn0 / PI) / 2 * c * exp(-esn0 * (1 - c * c)) * erfc(-sqrt(esn0) * c);
}

/* That the phase is that many eighths of a turn off, rounded: Simpson's rule. */
static double sector(int eighths, double esn0)
{
    enum { STEPS = 400 };
    const double from = (eighths - 0.5) * PI / 4, step = PI / 4 / STEPS;
    double sum = 0;

    for (int i = 0; i <= STEPS; i++)
        sum += phase_density(from + i * step, esn0) * (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2);
    return sum * step / 3;
}

static double error_rate8(unsigned bit, double esn0)
{
    static const unsigned around[] = {1, 0, 4, 6,
                                      2, 3, 7, 5}; /* labels, in order of their angles */
    double sum = 0;

    for (unsigned from = 0; from < 8; from++)
        for (unsigned off = 0; off < 8; off++)
            if ((around[from] ^ around[(from + off) % 8]) >> (2 - bit) & 1)
                sum += sector((int)off, esn0) / 8;
    return sum;
}

/* Sums of Q over the boundaries between 32 levels, whose Gray labels are levels' numbers ^ half of them: the k-th
   bit changes at every 2^(5-k)-th boundary. */
static double error_rate1024(unsigned bit, double esn0)
{
    const double sigma = sqrt(1 / esn0 / 2), unit = 1 / sqrt(682);
    double sum = 0;

    for (int sent = 0; sent < 32; sent++)
        for (int got = 0; got < 32; got++) {
            const unsigned flips = (unsigned)(sent ^ sent >> 1 ^ got ^ got >> 1);
            const double low = got ? 2 * (got - sent) - 1 : -INFINITY;
            const double high = got < 31 ? 2 * (got - sent) + 1 : INFINITY;

            if (flips >> (4 - bit / 2) & 1)
                sum += q_function(low * unit / sigma) - q_function(high * unit / sigma);
        }
    return sum / 32;
}

static double error_rate_bpsk(unsigned bit, double esn0)
{
    (void)bit;
    return q_function(sqrt(2 * esn0));
}

static void try_rates(const struct scheme *scheme, double (*rate)(unsigned bit, double esn0))
{
    bool right = true;

    for (double off = -6; off <= 2; off += 4) {
        start(scheme, 240000, scheme->esn0_db + off);
        for (unsigned i = 0; i < scheme->bits; i++) {
            uint64_t errors = 0;
            char what[48];

            for (uint64_t at = i; at < l.n; at += scheme->bits)
                errors += l.sent[at] != l.hard[at];
            snprintf(what, sizeof what, "%s, bit %u", scheme->name, i);
            right &= is_binomial((double)errors, (double)l.symbols,
                                 rate(i, pow(10, (scheme->esn0_db + off) / 10)), what);
        }
        stop();
    }
    ok(right, "%s: bit error rates, bit by bit", scheme->name);
}

int main(void)
{
    begin_links();
    for (unsigned s = 0; s < sizeof schemes / sizeof *schemes; s++)
        try_scheme(&schemes[s]);
    try_rates(&schemes[0], error_rate_bpsk);
    try_rates(&schemes[1], error_rate8);
    try_rates(&schemes[2], error_rate1024);
    return done_testing();
}
