/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Belief propagation with scaled minima, 16 frames side by side in floats; after kernel.h. Each number
 * is made by the operations of the reference, so that results are the same.
 */

typedef float floats __attribute__((vector_size(VEC_BYTES), may_alias));
typedef int32_t signs32 __attribute__((vector_size(VEC_BYTES)));
typedef float bp_row[POLAR_BP_LANES];

static FECRUN_ALWAYS_INLINE floats pick_floats(signs32 where, floats a, floats b)
{
    return (floats)(((signs32)a & where) | ((signs32)b & ~where));
}

/* The scaled minimum with the sign of a b. */
static FECRUN_ALWAYS_INLINE floats bp_check(floats a, floats b, float scale)
{
    const signs32 magnitude = (signs32){0} + 0x7fffffff;
    const floats x = (floats)((signs32)a & magnitude), y = (floats)((signs32)b & magnitude);
    const floats least = pick_floats(x < y, x, y) * scale;

    return (floats)((signs32)least | (((signs32)a ^ (signs32)b) & ~magnitude));
}

static FECRUN_ALWAYS_INLINE floats bp_both(floats a, floats b)
{
    const floats sum = a + b, most = (floats){0} + FECRUN_LLR_MAX_F32;
    const floats low = pick_floats(sum < most, sum, most);

    return pick_floats(low > -most, low, -most);
}

/* Both outputs of a pair, to the left from l or to the right from r; `side` is the other direction's
   at the same stage. */
static FECRUN_ALWAYS_INLINE void bp_pair(const bp_row *in, const bp_row *side, bp_row *out,
                                         uint32_t h, float scale, bool left)
{
    for (uint32_t l = 0; l < POLAR_BP_LANES; l += VEC_BYTES / sizeof(float)) {
        const floats upper = *(const floats *)(in[0] + l), lower = *(const floats *)(in[h] + l);
        const floats s = *(const floats *)(side[0] + l), t = *(const floats *)(side[h] + l);

        *(floats *)(out[0] + l) = bp_check(upper, left ? bp_both(lower, t) : bp_both(t, lower),
                                           scale);
        *(floats *)(out[h] + l) = bp_both(bp_check(s, upper, scale), lower);
    }
}

static inline void bp_stage(const bp_row *in, const bp_row *side, bp_row *out, uint32_t n,
                            uint32_t h, float scale, bool left)
{
    for (uint32_t first = 0; first < n; first += 2 * h)
        for (uint32_t i = first; i < first + h; i++)
            bp_pair(in + i, side + i, out + i, h, scale, left);
}

/* l, r: log2 N + 1 columns of N each, of u first. */
static void bp_iterate(const struct polar_decode *d, bp_row *l, bp_row *r)
{
    const uint32_t n = d->code->n, stages = d->code->stages;
    const float scale = (float)d->scale;

    for (uint32_t s = stages; s-- > 0;)
        bp_stage((const bp_row *)l + (s + 1) * n, (const bp_row *)r + s * n, l + s * n, n, 1u << s,
                 scale, true);
    for (uint32_t s = 0; s < stages; s++)
        bp_stage((const bp_row *)r + s * n, (const bp_row *)l + (s + 1) * n, r + (s + 1) * n, n,
                 1u << s, scale, false);
}
