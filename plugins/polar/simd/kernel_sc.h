/* SPDX-License-Identifier: BSD-2-Clause */
/* Successive cancellation of 64 frames; after kernel.h. */

static inline void step_g(const polar_row *a, const polar_bits *left, uint32_t h, polar_row *to)
{
    const size_t bytes = h * sizeof *a;
    const int8_t *upper = a[0], *lower = a[h];
    int8_t *out = to[0];

#pragma GCC unroll 4
    for (size_t i = 0; i < bytes; i += V_WIDTH)
        V_STORE(out + i, sum_of(V_LOAD(upper + i), V_LOAD(lower + i),
                                V_OF_BITS(left[i / POLAR_LANES] >> i % POLAR_LANES)));
}

static FECRUN_ALWAYS_INLINE polar_bits signs(const int8_t *row)
{
    polar_bits bits = 0;

    for (uint32_t l = 0; l < POLAR_LANES; l += V_WIDTH)
        bits |= (polar_bits)V_BITS(V_NEGATIVE(V_LOAD(row + l))) << l;
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

static inline void leaf_rep(const polar_row *a, uint32_t h, polar_bits *b)
{
    polar_bits bits = 0;

    for (uint32_t l = 0; l < POLAR_LANES; l += V_WIDTH) {
        const struct pair sum = add_lanes(a[0] + l, h, false);
        const words signs_of = (sum.even >> 15 & 0xff) | sum.odd >> 15 << 8;

        bits |= (polar_bits)V_BITS(V_NEGATIVE((vec)signs_of)) << l;
    }
    for (uint32_t i = 0; i < h; i++)
        b[i] = bits;
}

/* Where the parity is odd: the first row that has the least magnitude is flipped. */
static inline void flip_least(const polar_row *a, uint32_t h, polar_bits *b, polar_bits odd)
{
    polar_row least;

    for (uint32_t l = 0; l < POLAR_LANES; l += V_WIDTH) {
        vec m = V_ABS(V_LOAD(a[0] + l));

        for (uint32_t i = 1; i < h; i++)
            m = V_MINU(m, V_ABS(V_LOAD(a[i] + l)));
        V_STORE(least + l, m);
    }
    for (uint32_t i = 0; i < h && odd; i++) {
        polar_bits is = 0;

        for (uint32_t l = 0; l < POLAR_LANES; l += V_WIDTH)
            is |= (polar_bits)V_BITS(V_EQ(V_ABS(V_LOAD(a[i] + l)), V_LOAD(least + l))) << l;
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

static void sc(const struct polar_program *program, polar_row *alpha, polar_bits *beta)
{
    for (uint32_t s = 0; s < program->n_steps; s++) {
        const struct polar_step *step = &program->step[s];
        const uint32_t h = 1u << step->stage;
        polar_row *to = alpha + h;
        const polar_row *a = alpha + 2 * h;
        polar_bits *b = beta + step->at, odd;

        switch ((enum polar_op)step->op) {
        case POLAR_F:
            step_f(a, h, to);
            break;
        case POLAR_G:
            step_g(a, b - h, h, to);
            break;
        case POLAR_G0:
            step_g0(a, h, to);
            break;
        case POLAR_COMBINE:
            xor_bits(b, b + h, h);
            break;
        case POLAR_COPY:
            memcpy(b, b + h, h * sizeof *b);
            break;
        case POLAR_RATE0:
            memset(b, 0, h * sizeof *b);
            break;
        case POLAR_RATE1:
            leaf_signs(to, h, b);
            break;
        case POLAR_REP:
            leaf_rep(to, h, b);
            break;
        case POLAR_SPC:
            odd = leaf_signs(to, h, b);
            if (odd)
                flip_least(to, h, b, odd);
            break;
        case POLAR_CHECK:
            *b = check_bits(program, step, beta);
            break;
        }
    }
}

/* ---- What an ensemble chooses by --------------------------------------------------------------- */

static void correlate(const polar_row *rows, const polar_bits *x, uint32_t n, int32_t *sum)
{
    memset(sum, 0, POLAR_LANES * sizeof *sum);
    for (uint32_t first = 0; first < n; first += POLAR_MOST_LEAF) { /* that many fit in words */
        const uint32_t end = n - first < POLAR_MOST_LEAF ? n : first + POLAR_MOST_LEAF;

        for (uint32_t l = 0; l < POLAR_LANES; l += V_WIDTH) {
            struct pair part = {{0}, {0}};

            for (uint32_t i = first; i < end; i++) {
                const words w = (words)V_NEGATE(V_OF_BITS(x[i] >> l), V_LOAD(rows[i] + l));

                part.even += w << 8 >> 8;
                part.odd += w >> 8;
            }
            for (uint32_t i = 0; i < V_WIDTH / 2; i++) {
                sum[l + 2 * i] += part.even[i];
                sum[l + 2 * i + 1] += part.odd[i];
            }
        }
    }
}
