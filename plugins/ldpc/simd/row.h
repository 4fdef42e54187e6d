/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: the row update of simd/fixed.h on vectors of bytes. Each instruction set defines
 *   vec, V_WIDTH                bytes of a vector
 *   V_LOAD, V_LOADU, V_STORE, V_STOREU
 *   V_ADDS, V_SUBS              saturating, signed
 *   V_OPEN(L, r)                r, and 0 where |L| >= LDPC_FIXED_KNOWN
 *   V_ABS                       -128 becomes 128, unsigned
 *   V_MIN, V_MAX                unsigned
 *   V_XOR, V_SET1
 *   V_SIGNED(v, s)              -v where s < 0, else v
 *   V_CHOOSE(a, b, one, other)  one where a == b
 *   V_SIGNS(v, p)               stores sign bits at p, lane 0 in the lowest bit
 *   struct rule, rule_of(fixed, phase, kind), V_SCALED(rule, m)   as ldpc_fixed_scaled(); m = 0..63
 *   V_KEEP(v)                   hides from the compiler that it knows v
 *   V_FIRST                     0: no code for first iterations, whose messages are 0
 *   V_LONG                      0: no code for 27 and 30 edges, nor for each degree of rows with twins
 *   V_PARTS                     2: vectors have two parts that need not follow each other, else 1
 *   V_LOAD_PARTS(p, q)          parts at p and, of two, at q
 *   lanes_t, V_LANES(p)         which lanes of a vector: those with a byte of 255 at p
 *   V_STORE_LANES(p, lanes, v)  only these
 *   V_STORE_PART(p, i, lanes, v)  of part i: p is where the part goes
 */

#define UNROLL _Pragma("GCC unroll 32")

/* Iterations: the first one, whose messages before are 0; those up to LDPC_FIXED_LATE; and all later ones. */
enum turn { TURN_FIRST, TURN_EARLY, TURN_LATE };

static inline enum turn turn_of(uint32_t iteration)
{
    return iteration == 0 ? TURN_FIRST : iteration < LDPC_FIXED_LATE ? TURN_EARLY : TURN_LATE;
}

/* What the others say, of an L with the row's own message r. */
static FECRUN_ALWAYS_INLINE vec without(vec L, vec r, bool late)
{
    return V_SUBS(L, late ? V_OPEN(L, r) : r);
}

/* Of the row: what its messages are made of. */
struct messages {
    vec least; /* the least |q| */
    vec other; /* message with the sign of the row's product, to all but the least */
    vec first; /* to the least */
};

/* The two least |q| of q[from..to-1]; to > from. */
static FECRUN_ALWAYS_INLINE void two_least(const vec *q, unsigned from, unsigned to, vec clip,
                                           vec *one, vec *two)
{
    vec a = V_ABS(q[from]), m1 = a, m2 = clip;

    if (to - from > 1) {
        vec b = V_ABS(q[from + 1]);

        m1 = V_MIN(a, b);
        m2 = V_MAX(a, b);
    }
    UNROLL
    for (unsigned j = from + 2; j < to; j++) {
        a = V_ABS(q[j]);
        m2 = V_MIN(m2, V_MAX(m1, a));
        m1 = V_MIN(m1, a);
    }
    *one = m1;
    *two = m2;
}

/* From the least two, not limited yet, and the sign of the product. */
static FECRUN_ALWAYS_INLINE struct messages make_messages(vec m1, vec m2, vec sign,
                                                          const struct rule *rule)
{
    const vec clip = rule->clip;
    struct messages m;

    m.least = V_MIN(m1, clip);
    m.other = V_SIGNED(V_SCALED(rule, m.least), sign);
    m.first = V_SIGNED(V_SCALED(rule, V_MIN(m2, clip)), sign);
    return m;
}

/* Two chains for long rows: half the latency. */
static FECRUN_ALWAYS_INLINE struct messages row_messages(const vec *q, unsigned n,
                                                         const struct rule *rule)
{
    const vec clip = rule->clip;
    const unsigned half = n >= 8 ? n / 2 : n;
    vec m1, m2, n1, n2, sign = q[0];

    two_least(q, 0, half, clip, &m1, &m2);
    if (half < n) {
        two_least(q, half, n, clip, &n1, &n2);
        m2 = V_MIN(V_MIN(m2, n2), V_MAX(m1, n1));
        m1 = V_MIN(m1, n1);
    }
    UNROLL
    for (unsigned j = 1; j < n; j++)
        sign = V_XOR(sign, q[j]);
    return make_messages(m1, m2, sign, rule);
}

/* The message to the edge with this q. */
static FECRUN_ALWAYS_INLINE vec message_to(vec q, const struct messages *m)
{
    return V_SIGNED(V_CHOOSE(V_ABS(q), m->least, m->first, m->other), q);
}

/* As row_messages() with q in memory, for any n. */
static struct messages long_messages(const vec *q, unsigned n, const struct rule *rule)
{
    const vec clip = rule->clip;
    vec m1 = clip, m2 = clip, sign = V_XOR(clip, clip);

    for (unsigned j = 0; j < n; j++) {
        vec a = V_ABS(q[j]);

        m2 = V_MIN(m2, V_MAX(m1, a));
        m1 = V_MIN(m1, a);
        sign = V_XOR(sign, q[j]);
    }
    return make_messages(m1, m2, sign, rule);
}

/* Gains of 64 frames, or 64 times that of one, as the vectors below want them. */
struct gains {
    int16_t times[LDPC_LANES] __attribute__((aligned(64))); /* of low halves, then of high ones */
    uint8_t most[LDPC_LANES] __attribute__((aligned(64)));
};

/* frames 1: all lanes have gain[0]. */
static void spread_gains(const struct ldpc_gain *gain, uint32_t frames, struct gains *gains)
{
    uint8_t number[LDPC_LANES] __attribute__((aligned(64)));
    uint16_t half[V_WIDTH / 2] __attribute__((aligned(64)));

    for (unsigned i = 0; i < LDPC_LANES; i++) {
        number[i] = (uint8_t)(i < frames ? i : 0);
        gains->most[i] = gain[number[i]].most;
    }
    for (unsigned at = 0; at < LDPC_LANES; at += V_WIDTH)
        for (unsigned high = 0; high < 2; high++) {
            vec x = V_LOAD(number + at);
            vec16 y = high ? V16_HIGH(x, V_SET1(0)) : V16_LOW(x, V_SET1(0));

            V_STORE(half, (vec)y);
            for (unsigned i = 0; i < V_WIDTH / 2; i++)
                gains->times[at + high * V_WIDTH / 2 + i] = (int16_t)gain[half[i]].times;
        }
}

/* LLRs as they came in to LLRs as ldpc_fixed_input() gives them. Byte i is of frame i % 64. */
static void scale_input(const struct gains *gains, int8_t *llr, size_t n)
{
    const vec16 half = V16_SET1(128);
    const vec limit = V_SET1(LDPC_FIXED_INPUT), zero = V_SET1(0);

    for (size_t i = 0; i < n; i += V_WIDTH) {
        const int16_t *times = gains->times + i % LDPC_LANES;
        const vec x = V_LOAD(llr + i);
        const vec a = V_MIN(V_ABS(x), V_LOAD(gains->most + i % LDPC_LANES));
        vec16 lo = V16_MUL(V16_LOW(a, zero), (vec16)V_LOAD(times));
        vec16 hi = V16_MUL(V16_HIGH(a, zero), (vec16)V_LOAD(times + V_WIDTH / 2));

        lo = V16_TOP(V16_ADD(lo, half));
        hi = V16_TOP(V16_ADD(hi, half));
        V_STORE(llr + i, V_SIGNED(V_MIN(V16_BYTES(lo, hi), limit), x));
    }
}

/* Scaled LLRs of columns of which one check knows: L has `lanes` blocks side by side. */
static void limit_lone(const struct ldpc_simd *s, int8_t *L, size_t lanes)
{
    for (uint32_t n = 0; n < s->n_lone; n++) {
        const int most = s->fixed.lone[s->lone[n].kind];
        const vec limit = V_SET1((char)most);
        int8_t *const llr = L + s->lone[n].first * lanes;
        const size_t bytes = s->lone[n].count * lanes;
        size_t i = 0;

        for (; i + V_WIDTH <= bytes; i += V_WIDTH) {
            const vec x = V_LOADU(llr + i);

            V_STOREU(llr + i, V_SIGNED(V_MIN(V_ABS(x), limit), x));
        }
        for (; i < bytes; i++)
            llr[i] = (int8_t)(llr[i] > most ? most : llr[i] < -most ? -most : llr[i]);
    }
}

/* clang-format off */
#define EACH_SHORT(X) \
    X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) \
    X(18) X(19) X(20) X(21) X(22) X(23) X(24)
/* clang-format on */

/* Calls X(d) for each degree that is unrolled; the longest are those of DVB-S2's high rates. */
#if V_LONG
#define EACH_DEGREE(X) EACH_SHORT(X) X(27) X(30)
#else
#define EACH_DEGREE EACH_SHORT
#endif

static inline bool is_unrolled(unsigned d)
{
    return d <= 24 || (V_LONG && (d == 27 || d == 30));
}
