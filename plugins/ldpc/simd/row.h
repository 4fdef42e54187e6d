/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: the row update of simd/fixed.h on vectors of bytes. Each instruction set includes its
 * vec_*.h and defines
 *   magnitudes(v)               -128 becomes 128, unsigned; where signed_as(., v) is needed, too
 *   magnitudes_alone(v)         the same where it is not
 *   signed_as(v, s)             -v where s < 0, else v
 *   sub_open(L, r)              L - r, saturated, but L where |L| >= LDPC_FIXED_KNOWN
 *   struct rule, rule_of(fixed, phase, kind), scaled(rule, m)   as ldpc_fixed_scaled(); m = 0..63
 *   SCALE_BLOCK                 if it has a faster scale_all(): scale_block()
 *   ROW_HELD                    rows up to this long keep |q|, too, in registers
 *   ROW_FIRST                   0: no code for first iterations, whose messages are 0
 *   ROW_LONG                    0: no code for 27 and 30 edges, nor for each degree of rows with twins
 *   ROW_PARTS                   2: vectors have two parts that need not follow each other, else 1
 *   load_parts(p, q)            parts at p and, of two, at q
 *   lanes_t, lanes_of(p)        which lanes of a vector: those with a byte of 255 at p
 *   store_lanes(p, lanes, v)    only these
 *   store_part(p, i, lanes, v)  of part i: p is where the part goes
 */

#define UNROLL _Pragma("GCC unroll 32")

/* Iterations: the first one, whose messages before are 0; those up to ldpc_fixed.late; and all later ones. */
enum turn { TURN_FIRST, TURN_EARLY, TURN_LATE };

static inline enum turn turn_of(uint32_t iteration, uint32_t late)
{
    return iteration == 0 ? TURN_FIRST : iteration < late ? TURN_EARLY : TURN_LATE;
}

/* Calls row_of(row, d, leaf, turn) with constants of both. */
#define EACH_TURN(row_of, row, d, leaf, turn) \
    do { \
        if (leaf && turn == TURN_FIRST && ROW_FIRST) \
            row_of(row, d, true, TURN_FIRST); \
        else if (leaf && turn == TURN_LATE) \
            row_of(row, d, true, TURN_LATE); \
        else if (leaf) \
            row_of(row, d, true, TURN_EARLY); \
        else if (turn == TURN_FIRST && ROW_FIRST) \
            row_of(row, d, false, TURN_FIRST); \
        else if (turn == TURN_LATE) \
            row_of(row, d, false, TURN_LATE); \
        else \
            row_of(row, d, false, TURN_EARLY); \
    } while (0)

/* What the others say, of an L with the row's own message r. */
static FECRUN_ALWAYS_INLINE vec without(vec L, vec r, bool late)
{
    return late ? sub_open(L, r) : vec_i8_sub_sat(L, r);
}

/* Of the row: what its messages are made of. */
struct messages {
    vec least; /* the least |q| */
    vec other; /* message with the sign of the row's product, to all but the least */
    vec first; /* to the least */
};

/* The least two |q|, not limited yet, and the sign of the product. */
struct least {
    vec one, two, sign;
};

/* All but the sign. */
static FECRUN_ALWAYS_INLINE struct least merge_least(struct least a, struct least b)
{
    a.two = vec_u8_min(vec_u8_min(a.two, b.two), vec_u8_max(a.one, b.one));
    a.one = vec_u8_min(a.one, b.one);
    return a;
}

/* alone: messages of the row are made from q, not from what is left in registers. */
static FECRUN_ALWAYS_INLINE vec magnitude_of(vec q, bool alone)
{
    return alone ? magnitudes_alone(q) : magnitudes(q);
}

/* The two least |q| of q[from..to-1]; to > from. */
static FECRUN_ALWAYS_INLINE struct least two_least(const vec *q, unsigned from, unsigned to,
                                                   vec clip, bool alone)
{
    vec a = magnitude_of(q[from], alone);
    struct least m = {.one = a, .two = clip};

    if (to - from > 1) {
        vec b = magnitude_of(q[from + 1], alone);

        m.one = vec_u8_min(a, b);
        m.two = vec_u8_max(a, b);
    }
    UNROLL
    for (unsigned j = from + 2; j < to; j++) {
        a = magnitude_of(q[j], alone);
        m.two = vec_u8_min(m.two, vec_u8_max(m.one, a));
        m.one = vec_u8_min(m.one, a);
    }
    return m;
}

static FECRUN_ALWAYS_INLINE struct messages make_messages(struct least least,
                                                          const struct rule *rule)
{
    const vec clip = rule->clip;
    struct messages m;

    m.least = vec_u8_min(least.one, clip);
    m.other = signed_as(scaled(rule, m.least), least.sign);
    m.first = signed_as(scaled(rule, vec_u8_min(least.two, clip)), least.sign);
    return m;
}

/* Two chains for long rows: half the latency. */
static FECRUN_ALWAYS_INLINE struct least row_least(const vec *q, unsigned n,
                                                   const struct rule *rule, bool alone)
{
    const unsigned half = n >= 8 ? n / 2 : n;
    struct least m = two_least(q, 0, half, rule->clip, alone);

    if (half < n)
        m = merge_least(m, two_least(q, half, n, rule->clip, alone));
    m.sign = q[0];
    UNROLL
    for (unsigned j = 1; j < n; j++)
        m.sign = vec_xor(m.sign, q[j]);
    return m;
}

static FECRUN_ALWAYS_INLINE struct messages row_messages(const vec *q, unsigned n,
                                                         const struct rule *rule)
{
    return make_messages(row_least(q, n, rule, false), rule);
}

/* The message to the edge with this q. */
static FECRUN_ALWAYS_INLINE vec message_to(vec q, const struct messages *m)
{
    return signed_as(vec_i8_pick(vec_i8_eq(magnitudes(q), m->least), m->first, m->other), q);
}

/* The same in less time, by more instructions. */
static FECRUN_ALWAYS_INLINE vec quick_message_to(vec q, const struct messages *m)
{
    return signed_as(vec_i8_pick(vec_i8_eq(magnitudes_alone(q), m->least), m->first, m->other), q);
}

/* As row_messages() with q in memory, for any n. */
static struct messages long_messages(const vec *q, unsigned n, const struct rule *rule)
{
    const vec clip = rule->clip;
    struct least m = {clip, clip, vec_xor(clip, clip)};

    for (unsigned j = 0; j < n; j++) {
        vec a = magnitudes(q[j]);

        m.two = vec_u8_min(m.two, vec_u8_max(m.one, a));
        m.one = vec_u8_min(m.one, a);
        m.sign = vec_xor(m.sign, q[j]);
    }
    return make_messages(m, rule);
}

/* Gains of 64 frames, or 64 times that of one, as the vectors below want them. */
struct gains {
    int16_t times[LDPC_LANES] __attribute__((aligned(64))); /* of low halves, then of high ones */
    uint8_t most[LDPC_LANES] __attribute__((aligned(64)));
};

/* Lanes beyond `frames` have gain[0]. */
static void spread_gains(const struct ldpc_gain *gain, uint32_t frames, struct gains *gains)
{
    uint8_t number[LDPC_LANES] __attribute__((aligned(64)));
    uint16_t half[VEC_BYTES / 2] __attribute__((aligned(64)));

    for (unsigned i = 0; i < LDPC_LANES; i++) {
        number[i] = (uint8_t)(i < frames ? i : 0);
        gains->most[i] = gain[number[i]].most;
    }
    for (unsigned at = 0; at < LDPC_LANES; at += VEC_BYTES)
        for (unsigned high = 0; high < 2; high++) {
            vec x = vec_load(number + at);
            vec y = high ? vec_i8_zip_high(x, vec_i8_set(0)) : vec_i8_zip_low(x, vec_i8_set(0));

            vec_store(half, y);
            for (unsigned i = 0; i < VEC_BYTES / 2; i++)
                gains->times[at + high * VEC_BYTES / 2 + i] = (int16_t)gain[half[i]].times;
        }
}

/* LLRs as they came in to LLRs as ldpc_fixed_input() gives them. Byte i is of frame i % 64. */
static void scale_input(const struct gains *gains, int8_t *llr, size_t n)
{
    const vec half = vec_i16_set(128);
    const vec limit = vec_i8_set(LDPC_FIXED_INPUT), zero = vec_i8_set(0);

    for (size_t i = 0; i < n; i += VEC_BYTES) {
        const int16_t *times = gains->times + i % LDPC_LANES;
        const vec x = vec_load(llr + i);
        const vec a = vec_u8_min(magnitudes(x), vec_load(gains->most + i % LDPC_LANES));
        vec lo = vec_i16_mul(vec_i8_zip_low(a, zero), vec_load(times));
        vec hi = vec_i16_mul(vec_i8_zip_high(a, zero), vec_load(times + VEC_BYTES / 2));

        lo = vec_u16_srl(vec_i16_add(lo, half), 8);
        hi = vec_u16_srl(vec_i16_add(hi, half), 8);
        vec_store(llr + i, signed_as(vec_u8_min(vec_u16_pack(lo, hi), limit), x));
    }
}

/* The LLRs of one block, in whole vectors from an aligned place on. */
static void scale_all(const struct ldpc_gain *gain, int8_t *llr, size_t n)
{
    struct gains gains;

    memset(gains.most, gain->most, sizeof gains.most);
    for (unsigned i = 0; i < LDPC_LANES; i++)
        gains.times[i] = (int16_t)gain->times;
    scale_input(&gains, llr, n);
}

#if !defined(SCALE_BLOCK)
#define scale_block scale_all
#endif

/* Scaled LLRs of columns of which one check knows: L has `lanes` blocks side by side. */
static void limit_lone(const struct ldpc_simd *s, int8_t *L, size_t lanes)
{
    for (uint32_t n = 0; n < s->n_lone; n++) {
        const int most = s->fixed.lone[s->lone[n].kind];
        const vec limit = vec_i8_set((char)most);
        int8_t *const llr = L + s->lone[n].first * lanes;
        const size_t bytes = s->lone[n].count * lanes;
        size_t i = 0;

        for (; i + VEC_BYTES <= bytes; i += VEC_BYTES) {
            const vec x = vec_load_any(llr + i);

            vec_store_any(llr + i, signed_as(vec_u8_min(magnitudes(x), limit), x));
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
#if ROW_LONG
#define EACH_DEGREE(X) EACH_SHORT(X) X(27) X(30)
#else
#define EACH_DEGREE EACH_SHORT
#endif

static inline bool is_unrolled(unsigned d)
{
    return d <= 24 || (ROW_LONG && (d == 27 || d == 30));
}
