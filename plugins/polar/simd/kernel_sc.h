/* SPDX-License-Identifier: BSD-2-Clause */
/* Successive cancellation of 64 frames; after kernel.h. */

static FECRUN_ALWAYS_INLINE vec g_of(const polar_row *a, const polar_bits *left, uint32_t h,
                                     uint32_t i, uint32_t l)
{
    return sum_of(vec_load(a[i] + l), vec_load(a[i + h] + l), vec_mask_of_bits(left[i] >> l));
}

static inline void step_g(const polar_row *a, const polar_bits *left, uint32_t h, polar_row *to)
{
#pragma GCC unroll 4
    for (uint32_t i = 0; i < h; i++)
        for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES)
            vec_store(to[i] + l, g_of(a, left, h, i, l));
}

/*
 * The same and the F behind it, whose LLRs are in registers then: rows i and i + h / 2 of a node of h rows
 * and row i of its left child.
 */
static FECRUN_ALWAYS_INLINE void put_both(polar_row *to, polar_row *below, uint32_t half,
                                          uint32_t i, uint32_t l, vec one, vec other)
{
    vec_store(to[i] + l, one);
    vec_store(to[i + half] + l, other);
    vec_store(below[i] + l, check_of(one, other));
}

static inline void step_g_f(const polar_row *a, const polar_bits *left, uint32_t h, polar_row *to,
                            polar_row *below)
{
#pragma GCC unroll 2
    for (uint32_t i = 0; i < h / 2; i++)
        for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES)
            put_both(to, below, h / 2, i, l, g_of(a, left, h, i, l),
                     g_of(a, left, h, i + h / 2, l));
}

static inline void step_g0_f(const polar_row *a, uint32_t h, polar_row *to, polar_row *below)
{
    for (uint32_t i = 0; i < h / 2; i++)
        for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES) {
            const polar_row *b = a + i + h / 2;

            put_both(to, below, h / 2, i, l, plain_sum(vec_load(a[i] + l), vec_load(a[i + h] + l)),
                     plain_sum(vec_load(b[0] + l), vec_load(b[h] + l)));
        }
}

static inline void step_f_f(const polar_row *a, uint32_t h, polar_row *to, polar_row *below)
{
#pragma GCC unroll 2
    for (uint32_t i = 0; i < h / 2; i++)
        for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES) {
            vec v[4];

            for (uint32_t k = 0; k < 4; k++) {
                v[k] = vec_load(a[i + k * h / 2] + l);
                vec_keep(v[k]);
            }
            put_both(to, below, h / 2, i, l, check_of(v[0], v[2]), check_of(v[1], v[3]));
        }
}

static FECRUN_ALWAYS_INLINE polar_bits signs(const int8_t *row)
{
    polar_bits bits = 0;

    for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES)
        bits |= (polar_bits)vec_mask_bits(vec_i8_negative(vec_load(row + l))) << l;
    return bits;
}

static inline polar_bits leaf_signs(const polar_row *a, uint32_t h, polar_bits *b)
{
    polar_bits parity = 0;

    for (uint32_t i = 0; i < h; i++) {
        b[i] = signs(a[i]);
        parity ^= b[i];
    }
    return parity;
}

static FECRUN_ALWAYS_INLINE vec_mask negative_pair(struct pair sum)
{
    const words signs_of = (sum.even >> 15 & 0xff) | sum.odd >> 15 << 8;

    return vec_i8_negative((vec)signs_of);
}

static inline void leaf_rep(const polar_row *a, uint32_t h, polar_bits *b)
{
    polar_bits bits = 0;

    for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES) {
        bits |= (polar_bits)vec_mask_bits(negative_pair(add_lanes(a[0] + l, h, false))) << l;
    }
    for (uint32_t i = 0; i < h; i++)
        b[i] = bits;
}

/* Where the parity is odd: the first row that has the least magnitude is flipped. */
static inline void flip_least(const polar_row *a, uint32_t h, polar_bits *b, polar_bits odd)
{
    polar_row least;

    for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES) {
        vec m = vec_i8_abs(vec_load(a[0] + l));

        for (uint32_t i = 1; i < h; i++)
            m = vec_u8_min(m, vec_i8_abs(vec_load(a[i] + l)));
        vec_store(least + l, m);
    }
    for (uint32_t i = 0; i < h && odd; i++) {
        polar_bits is = 0;

        for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES)
            is |= (polar_bits)vec_mask_bits(
                      vec_i8_eq(vec_i8_abs(vec_load(a[i] + l)), vec_load(least + l)))
                  << l;
        b[i] ^= is & odd;
        odd &= ~is;
    }
}

static inline polar_bits check_bits(const struct polar_program *program,
                                    const struct polar_step *step, const polar_bits *beta)
{
    polar_bits parity = 0;

    for (uint32_t i = 0; i < step->length; i++)
        parity ^= beta[program->check[step->list + i]];
    return parity;
}

/* LLRs of a node and, if the next step is about them, of its left child; returns whether it was. */
static inline bool step_down(const struct polar_step *step, polar_row *alpha,
                             const polar_bits *beta, bool left_next)
{
    const uint32_t h = 1u << step->stage;
    const polar_row *a = alpha + 2 * h;
    const polar_bits *left = beta + step->at - h;
    polar_row *to = alpha + h, *below = alpha + h / 2;

    if (step->op == POLAR_F)
        left_next ? step_f_f(a, h, to, below) : step_f(a, h, to);
    else if (step->op == POLAR_G)
        left_next ? step_g_f(a, left, h, to, below) : step_g(a, left, h, to);
    else
        left_next ? step_g0_f(a, h, to, below) : step_g0(a, h, to);
    return left_next;
}

static inline void step_leaf(const struct polar_program *program, const struct polar_step *step,
                             const polar_row *alpha, polar_bits *beta)
{
    const uint32_t h = 1u << step->stage;
    const polar_row *a = alpha + h;
    polar_bits *b = beta + step->at, odd;

    switch ((enum polar_op)step->op) {
    case POLAR_RATE0:
        memset(b, 0, h * sizeof *b);
        break;
    case POLAR_RATE1:
        leaf_signs(a, h, b);
        break;
    case POLAR_REP:
        leaf_rep(a, h, b);
        break;
    case POLAR_SPC:
        odd = leaf_signs(a, h, b);
        if (odd)
            flip_least(a, h, b, odd);
        break;
    default: /* CHECK */
        *b = check_bits(program, step, beta);
    }
}

/* ---- Leaves whose LLRs are nowhere ------------------------------------------------------------- */

/* Of row i of the step's node. */
static FECRUN_ALWAYS_INLINE vec child_of(enum polar_op op, const polar_row *a,
                                         const polar_bits *left, uint32_t h, uint32_t i, uint32_t l)
{
    if (op == POLAR_F)
        return check_of(vec_load(a[i] + l), vec_load(a[i + h] + l));
    if (op == POLAR_G0)
        return plain_sum(vec_load(a[i] + l), vec_load(a[i + h] + l));
    return g_of(a, left, h, i, l);
}

static FECRUN_ALWAYS_INLINE void repeat_child(enum polar_op op, const polar_row *a,
                                              const polar_bits *left, uint32_t h, polar_bits *b)
{
    polar_bits bits = 0;

    for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES) {
        struct pair sum = {{0}, {0}};

        for (uint32_t i = 0; i < h; i++)
            add_to(&sum, child_of(op, a, left, h, i, l));
        bits |= (polar_bits)vec_mask_bits(negative_pair(sum)) << l;
    }
    for (uint32_t i = 0; i < h; i++)
        b[i] = bits;
}

static FECRUN_ALWAYS_INLINE void free_child(enum polar_op op, const polar_row *a,
                                            const polar_bits *left, uint32_t h, polar_bits *b)
{
    for (uint32_t i = 0; i < h; i++) {
        polar_bits bits = 0;

        for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES)
            bits |= (polar_bits)vec_mask_bits(vec_i8_negative(child_of(op, a, left, h, i, l))) << l;
        b[i] = bits;
    }
}

/* A step whose node is a leaf that needs its LLRs once; returns whether it was. */
static inline bool step_to_leaf(const struct polar_step *step, const polar_row *alpha,
                                polar_bits *beta)
{
    const uint32_t h = 1u << step->stage;
    const polar_row *a = alpha + 2 * h;
    polar_bits *b = beta + step->at;

    if (step[1].op == POLAR_REP && step->op == POLAR_F)
        repeat_child(POLAR_F, a, NULL, h, b);
    else if (step[1].op == POLAR_RATE1 && step->op == POLAR_G)
        free_child(POLAR_G, a, b - h, h, b);
    else if (step[1].op == POLAR_RATE1 && step->op == POLAR_G0)
        free_child(POLAR_G0, a, NULL, h, b);
    else
        return false;
    return true;
}

/* LLRs of one half of the frames, as they lie in memory. */
static void load_child(const struct polar_step *step, const int8_t *const *from, polar_row *alpha,
                       const polar_bits *beta)
{
    const uint32_t h = 1u << step->stage;

    if (step->op == POLAR_F)
        load_left(from, h, alpha + h);
    else
        load_right(from, step->op == POLAR_G ? beta : NULL, h, alpha + h);
}

/* from: not NULL: LLRs of the largest stage are not in rows, but those of each lane's frame. */
static FECRUN_ALWAYS_INLINE void sc_steps(const struct polar_program *program,
                                          const int8_t *const *from, polar_row *alpha,
                                          polar_bits *beta)
{
    const struct polar_step *end = program->step + program->n_steps;
    const uint32_t top = program->stages - 1;

    for (const struct polar_step *step = program->step; step < end; step++) {
        polar_bits *b = beta + step->at;
        const uint32_t h = 1u << step->stage;

        if (step->op <= POLAR_G0 && from && step->stage == top)
            load_child(step, from, alpha, beta);
        else if (step->op <= POLAR_G0 && step_to_leaf(step, alpha, beta))
            step++;
        else if (step->op <= POLAR_G0) /* the last step is no such one */
            step += step_down(step, alpha, beta, step[1].op == POLAR_F);
        else if (step->op == POLAR_COMBINE)
            xor_bits(b, b + h, h);
        else if (step->op == POLAR_COPY)
            memcpy(b, b + h, h * sizeof *b);
        else
            step_leaf(program, step, alpha, beta);
    }
}

static void sc(const struct polar_program *program, polar_row *alpha, polar_bits *beta)
{
    sc_steps(program, NULL, alpha, beta);
}

static void sc_frames(const struct polar_program *program, const int8_t *const *from,
                      polar_row *alpha, polar_bits *beta)
{
    const uint32_t n = 1u << program->stages;

    if (n / 2 >= 64 && program->step->stage < program->stages) {
        sc_steps(program, from, alpha, beta);
        return;
    }
    load(from, n, alpha + n);
    sc_steps(program, NULL, alpha, beta);
}

/* ---- What an ensemble chooses by --------------------------------------------------------------- */

static void correlate(const polar_row *rows, const polar_bits *x, uint32_t n, int32_t *sum)
{
    memset(sum, 0, POLAR_LANES * sizeof *sum);
    for (uint32_t first = 0; first < n; first += POLAR_MOST_LEAF) { /* that many fit in words */
        const uint32_t end = n - first < POLAR_MOST_LEAF ? n : first + POLAR_MOST_LEAF;

        for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES) {
            struct pair part = {{0}, {0}};

            for (uint32_t i = first; i < end; i++) {
                const words w = (words)vec_i8_negate(vec_mask_of_bits(x[i] >> l),
                                                     vec_load(rows[i] + l));

                part.even += w << 8 >> 8;
                part.odd += w >> 8;
            }
            for (uint32_t i = 0; i < VEC_BYTES / 2; i++) {
                sum[l + 2 * i] += part.even[i];
                sum[l + 2 * i + 1] += part.odd[i];
            }
        }
    }
}
