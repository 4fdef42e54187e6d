/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Successive cancellation of one frame: the code's tree in pre-order, nodes of up to 128 LLRs in
 * registers, larger ones in memory. The file that includes this has defined, for n = 4, 8, 16, 32, 64:
 *
 *   vec_n                  n bytes, the lower ones of what holds them
 *   bits_n                 n decided bits
 *   check_n, plain_n       f; g where all bits are 0
 *   sum_n(a, b, bits)      g
 *   signs_n, repeat_n, even_n  the decisions of RATE1, REP and SPC
 *   none_n()               all bits are 0
 *   word_n(bits)           as a word, the first bit lowest
 *
 * and from n = 8 on
 *
 *   low_n, high_n          the halves of a vector, vec_(n / 2)
 *   join_n(l, r)           bits of the children to those of the node; twice_n(r): l is 0; left_n(l): r is 0
 *
 * besides bits_of_4(word), rest_4(v) (the four LLRs as an integer) and even_128(a, b, x),
 * repeat_128(a, b), put_bits_64(word, to) (64 bytes, one a bit), add_halves_4(v) (RIGHT of 4 whose child is RATE1) and rep_spc(v).
 */

struct walk {
    const uint8_t *node; /* the next one */
    const struct polar_program *program;
    int8_t *alpha; /* of stage s >= 8 from 2^s on */
    uint64_t *x;   /* of large nodes; the words of left children until their right ones are done */
    uint64_t small[6]; /* KEEP: what left children of these stages decided */
};

/* ---- Nodes of one, two and four --------------------------------------------------------------- */

/* The parity of what was decided before: POLAR_CHECK. */
static uint64_t check_bit(struct walk *w)
{
    const struct polar_step *step = &w->program->step[w->node[0] | w->node[1] << 8];
    uint64_t parity = 0;

    w->node += 2;
    for (uint32_t i = 0; i < step->length; i++) {
        const uint32_t j = w->program->check[step->list + i];
        const uint32_t stage = 31 - (uint32_t)__builtin_clz(j ^ step->at);

        if (stage >= 6)
            parity ^= w->x[j / 64] >> j % 64;
        else
            parity ^= w->small[stage] >> (j & ((1u << stage) - 1));
    }
    return parity & 1;
}

static inline uint64_t node_1(struct walk *w, int llr)
{
    const uint8_t op = *w->node++;

    return op == POLAR_RATE1 ? llr < 0 : op == POLAR_RATE0 ? 0 : check_bit(w);
}

static inline int limit_of_sum(int sum)
{
    return sum > 127 ? 127 : sum < -127 ? -127 : sum;
}

static inline int check_of_two(int a, int b)
{
    const int least = abs(a) < abs(b) ? abs(a) : abs(b);

    return (a < 0) != (b < 0) ? -least : least;
}

static uint64_t node_2(struct walk *w, int a, int b)
{
    const uint8_t op = *w->node++;
    uint64_t l = 0, r = 0;

    if (op == POLAR_RATE0)
        return 0;
    if (op == POLAR_RATE1)
        return (uint64_t)(a < 0) | (uint64_t)(b < 0) << 1;
    if (op == POLAR_REP)
        return a + b < 0 ? 3 : 0;
    if (op != POLAR_VISIT_RIGHT)
        l = w->small[0] = node_1(w, check_of_two(a, b));
    if (op != POLAR_VISIT_LEFT)
        r = node_1(w, limit_of_sum(l ? b - a : b + a));
    return (l ^ r) | r << 1;
}

/* a: the four LLRs, the first one lowest. */
static uint64_t children_of_4(struct walk *w, uint8_t op, uint32_t a)
{
    const int a0 = (int8_t)a, a1 = (int8_t)(a >> 8), a2 = (int8_t)(a >> 16), a3 = (int8_t)(a >> 24);
    uint64_t l = 0, r = 0;

    if (op != POLAR_VISIT_RIGHT)
        l = w->small[1] = node_2(w, check_of_two(a0, a2), check_of_two(a1, a3));
    if (op != POLAR_VISIT_LEFT)
        r = node_2(w, limit_of_sum(l & 1 ? a2 - a0 : a2 + a0),
                   limit_of_sum(l & 2 ? a3 - a1 : a3 + a1));
    return (l ^ r) | r << 2;
}

static FECRUN_ALWAYS_INLINE bits_4 node_4(struct walk *w, vec_4 v)
{
    const uint8_t op = *w->node++;

    switch (op) {
    case POLAR_RATE0:
        return none_4();
    case POLAR_RATE1:
        return signs_4(v);
    case POLAR_REP:
        return repeat_4(v);
    case POLAR_SPC:
        return even_4(v);
    case POLAR_VISIT_RIGHT:
        if (*w->node == POLAR_RATE1) {
            w->node++;
            return add_halves_4(v);
        }
        /* fall through */
    default:
        return bits_of_4(children_of_4(w, op, rest_4(v)));
    }
}

/* ---- Nodes of 8 to 64 -------------------------------------------------------------------------- */

#define NODE(n, half, stage, more) \
    static bits_##n node_##n(struct walk *w, vec_##n v) \
    { \
        const vec_##half a = low_##n(v), b = high_##n(v); \
        const uint8_t op = *w->node++; \
        bits_##half l; \
\
        switch (op) { \
        case POLAR_RATE0: \
            return none_##n(); \
        case POLAR_RATE1: \
            return signs_##n(v); \
        case POLAR_REP: \
            return repeat_##n(v); \
        case POLAR_SPC: \
            return even_##n(v); \
        case POLAR_VISIT_RIGHT: \
            return twice_##n(node_##half(w, plain_##half(a, b))); \
        case POLAR_VISIT_LEFT: \
            return left_##n(node_##half(w, check_##half(a, b))); \
        case POLAR_VISIT_KEEP: \
            l = node_##half(w, check_##half(a, b)); \
            w->small[stage] = word_##half(l); \
            return join_##n(l, node_##half(w, sum_##half(a, b, l))); \
            more default : l = node_##half(w, check_##half(a, b)); \
            return join_##n(l, node_##half(w, sum_##half(a, b, l))); \
        } \
    }

NODE(8, 4, 2, case POLAR_VISIT_REP_SPC : return rep_spc(v);)
NODE(16, 8, 3, )
NODE(32, 16, 4, )
NODE(64, 32, 5, )

#undef NODE

/* ---- Nodes of 128 and more ---------------------------------------------------------------------- */

static void node_128(struct walk *w, vec_64 a, vec_64 b, uint64_t *x)
{
    bits_64 l;

    switch (*w->node++) {
    case POLAR_RATE0:
        x[0] = x[1] = 0;
        break;
    case POLAR_RATE1:
        x[0] = word_64(signs_64(a));
        x[1] = word_64(signs_64(b));
        break;
    case POLAR_REP:
        x[0] = x[1] = repeat_128(a, b);
        break;
    case POLAR_SPC:
        even_128(a, b, x);
        break;
    case POLAR_VISIT_RIGHT:
        x[0] = x[1] = word_64(node_64(w, plain_64(a, b)));
        break;
    case POLAR_VISIT_LEFT:
        x[0] = word_64(node_64(w, check_64(a, b)));
        x[1] = 0;
        break;
    default:
        l = node_64(w, check_64(a, b));
        x[0] = word_64(l);
        x[1] = word_64(node_64(w, sum_64(a, b, l)));
        x[0] ^= x[1];
    }
}

/* Position i of the child that op says, of a node of twice h; x: what the left one decided. */
static FECRUN_ALWAYS_INLINE vec_64 child_64(enum polar_op op, const int8_t *a, uint32_t h,
                                            uint32_t i, const uint64_t *x)
{
    const vec_64 one = load_64(a + i), other = load_64(a + h + i);

    return op == POLAR_F    ? check_64(one, other)
           : op == POLAR_G0 ? plain_64(one, other)
                            : sum_64(one, other, bits_of_64(x[i / 64]));
}

static void node_large(struct walk *w, uint32_t stage, uint64_t *x);

/* x: of the node, h: half its size. */
static FECRUN_ALWAYS_INLINE void walk_child(struct walk *w, enum polar_op op, uint32_t stage,
                                            uint64_t *x)
{
    const uint32_t h = 1u << stage;
    const int8_t *a = w->alpha + 2 * h;
    uint64_t *to = op == POLAR_F ? x : x + h / 64;

    if (stage == 7) {
        node_128(w, child_64(op, a, h, 0, x), child_64(op, a, h, 64, x), to);
        return;
    }
    for (uint32_t i = 0; i < h; i += 64)
        store_64(w->alpha + h + i, child_64(op, a, h, i, x));
    node_large(w, stage, to);
}

static void node_large(struct walk *w, uint32_t stage, uint64_t *x)
{
    const uint32_t words = 1u << (stage - 1) >> 6; /* of a child */

    switch (*w->node++) {
    case POLAR_RATE0:
        memset(x, 0, 2 * words * sizeof *x);
        break;
    case POLAR_VISIT_RIGHT:
        walk_child(w, POLAR_G0, stage - 1, x);
        memcpy(x, x + words, words * sizeof *x);
        break;
    case POLAR_VISIT_LEFT:
        walk_child(w, POLAR_F, stage - 1, x);
        memset(x + words, 0, words * sizeof *x);
        break;
    default:
        walk_child(w, POLAR_F, stage - 1, x);
        walk_child(w, POLAR_G, stage - 1, x);
        for (uint32_t i = 0; i < words; i++)
            x[i] ^= x[words + i];
    }
}

/* -128 becomes -127. */
static void sc(const struct polar_program *program, const struct polar_words *words,
               const int8_t *from, int8_t *alpha, uint64_t *x)
{
    const uint32_t n = words->n;
    struct walk w = {.node = program->node, .program = program, .alpha = alpha, .x = x};

    for (uint32_t i = n / 64; i < words->words; i++)
        x[i] = 0;
    if (n == 32) {
        x[0] = word_32(node_32(&w, received_32(from)));
    } else if (n == 64) {
        x[0] = word_64(node_64(&w, received_64(from)));
    } else if (n == 128) {
        node_128(&w, received_64(from), received_64(from + 64), x);
    } else {
        for (uint32_t i = 0; i < n; i += 64)
            store_64(alpha + n + i, received_64(from + i));
        node_large(&w, program->stages, x);
    }
}

/* ---- From x to the message ---------------------------------------------------------------------- */

typedef uint64_t words_8 __attribute__((vector_size(64), aligned(8), may_alias));

/* Eight words of x to those of their u. */
static FECRUN_ALWAYS_INLINE void transform_8(uint64_t *x)
{
    words_8 v = *(words_8 *)x;

    static const uint64_t low[6] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                    0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
    static const words_8 even = {~(uint64_t)0, 0, ~(uint64_t)0, 0,
                                 ~(uint64_t)0, 0, ~(uint64_t)0, 0};
    static const words_8 pairs = {~(uint64_t)0, ~(uint64_t)0, 0, 0,
                                  ~(uint64_t)0, ~(uint64_t)0, 0, 0};
    static const words_8 fours = {
        ~(uint64_t)0, ~(uint64_t)0, ~(uint64_t)0, ~(uint64_t)0, 0, 0, 0, 0};

    for (uint32_t s = 0; s < 6; s++)
        v ^= v >> (1u << s) & low[s];
    v ^= __builtin_shufflevector(v, v, 1, 1, 3, 3, 5, 5, 7, 7) & even;
    v ^= __builtin_shufflevector(v, v, 2, 3, 2, 3, 6, 7, 6, 7) & pairs;
    v ^= __builtin_shufflevector(v, v, 4, 5, 6, 7, 4, 5, 6, 7) & fours;
    *(words_8 *)x = v;
}

/* The free bits of eight words, from word w on, to the lower end of each. */
static FECRUN_ALWAYS_INLINE void compress_8(const struct polar_words *words, uint32_t w,
                                            uint64_t *x)
{
    words_8 v = *(words_8 *)x & *(const words_8 *)(words->free + w);

    for (uint32_t i = 0; i < 6; i++) {
        const words_8 moved = v & *(const words_8 *)(words->move[i] + w);

        v = (v ^ moved) | moved >> (1u << i);
    }
    *(words_8 *)x = v;
}

static void gather(const struct polar_words *words, uint64_t *x, uint64_t *gathered)
{
    const uint32_t n = words->words;
    uint64_t word = 0;
    uint32_t bits = 0;

    for (uint32_t w = 0; w < n; w += 8)
        transform_8(x + w);
    for (uint32_t half = 8; half < n; half *= 2)
        for (uint32_t first = 0; first < n; first += 2 * half)
            for (uint32_t w = first; w < first + half; w += 8)
                *(words_8 *)(x + w) ^= *(words_8 *)(x + w + half);
    for (uint32_t w = 0; w < n; w += 8)
        compress_8(words, w, x + w);
    for (uint32_t w = 0; w < n; w++) {
        const uint32_t more = words->gathered[w];

        word |= x[w] << bits;
        if (bits + more >= 64) {
            *gathered++ = word;
            word = bits ? x[w] >> (64 - bits) : 0;
        }
        bits = (bits + more) % 64;
    }
    *gathered = word;
}

static void spread(const uint64_t *message, uint32_t k, uint8_t *to)
{
    const uint32_t whole = k / 64;

    for (uint32_t w = 0; w < whole; w++)
        put_bits_64(message[w], to + 64 * w);
    if (k % 64)
        words_unpack(to + 64 * whole, message + whole, k % 64);
}
