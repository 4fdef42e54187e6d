/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The samples of <fecrun/sdk/gauss.h>, bit for bit, LINK_LANES Philox blocks at a time. Included by a
 * file an instruction set, which includes one vec_*.h first and defines
 *
 *     every_second(x)      64-bit lanes x, x + 2, x + 4, ...
 *     weave(a, b)          even 32-bit lanes of a, and behind each that of b
 *     pick(s, a, b)        per lane: b where the topmost bit of s is set, else a
 *     NOISE_GROUPS         groups of LINK_LANES blocks that are made at once: as many as there are registers for
 *
 * A sample's place: word j of a block makes sample j, so lane i of vector j is sample 4 i + j.
 */
#include "plugins/chain/simd/simd.h"

enum { LINK_LANES = VEC_BYTES / 4 };

/*
 * Round keys as they are used, and what the first two rounds make of those words of the counter that
 * are a frame's: only its block differs within one, and the first round's other product, and in the
 * second the one of what came of it, are always the same.
 */
struct noise_state {
    vec key[10][2];
    vec point;             /* with the first round's key */
    vec low, high, middle; /* of the second round: words 3, 2 and 0 but for what the block adds */
};

static FECRUN_ALWAYS_INLINE vec noise_even(vec x)
{
    return vec_u32_mul_even(x, vec_i64_set(0xd2511f53u));
}

static FECRUN_ALWAYS_INLINE vec noise_odd(vec x)
{
    return vec_u32_mul_even(x, vec_i64_set(0xcd9e8d57u));
}

static FECRUN_ALWAYS_INLINE void noise_counter(struct noise_state *s, vec frame, vec stage,
                                               vec point)
{
    const vec odd = noise_odd(stage);

    s->point = vec_xor(point, s->key[0][1]);
    s->low = noise_even(vec_xor(vec_xor(vec_u64_srl(odd, 32), frame), s->key[0][0]));
    s->high = vec_xor(vec_u64_srl(s->low, 32), s->key[1][1]);
    s->middle = vec_xor(odd, s->key[1][0]);
}

static FECRUN_ALWAYS_INLINE void noise_begin(struct noise_state *s, const struct chain_noise *noise)
{
    const philox4x32_ctr_t counter = fecrun_rng_counter(&noise->rng, noise->frame, 0);
    philox4x32_key_t key = fecrun_rng_key(&noise->rng);

    for (int round = 0; round < 10; round++) {
        s->key[round][0] = vec_i64_set(key.v[0]);
        s->key[round][1] = vec_i64_set(key.v[1]);
        key.v[0] += 0x9e3779b9u;
        key.v[1] += 0xbb67ae85u;
    }
    noise_counter(s, vec_i64_set(counter.v[1]), vec_i64_set(counter.v[2]),
                  vec_i64_set(counter.v[3]));
}

/* One of the counter's four words in the lower half of each 64-bit lane; the upper ones do not count. */
struct noise_words {
    vec v[4];
};

static FECRUN_ALWAYS_INLINE void noise_round(struct noise_words *w, const vec key[2])
{
    const vec even = noise_even(w->v[0]), odd = noise_odd(w->v[2]);

    w->v[0] = vec_xor(vec_xor(vec_u64_srl(odd, 32), w->v[1]), key[0]);
    w->v[1] = odd;
    w->v[2] = vec_xor(vec_xor(vec_u64_srl(even, 32), w->v[3]), key[1]);
    w->v[3] = even;
}

/* The first two rounds. */
static FECRUN_ALWAYS_INLINE struct noise_words noise_rounds(const struct noise_state *s, vec block)
{
    const vec even = noise_even(block), odd = noise_odd(vec_xor(vec_u64_srl(even, 32), s->point));

    return (struct noise_words){
        {vec_xor(vec_u64_srl(odd, 32), s->middle), odd, vec_xor(s->high, even), s->low}};
}

/*
 * What follows is done for several vectors in turn, operation by operation: each chain of them is longer than
 * a CPU looks ahead, so that it would wait for one chain at a time.
 */
#define EACH(i, n) _Pragma("GCC unroll 8") for (unsigned i = 0; i < (n); i++)

/* Words 0 .. 3 of n groups of blocks, from `first` on, a lane each. */
static FECRUN_ALWAYS_INLINE void noise_blocks(const struct noise_state *s, uint32_t first,
                                              unsigned n, vec word[][4])
{
    struct noise_words w[2 * NOISE_GROUPS];

    EACH(g, 2 * n)
    w[g] = noise_rounds(s, every_second(first + g / 2 * LINK_LANES + g % 2));
#pragma GCC unroll 8
    for (int round = 2; round < 10; round++)
        EACH(g, 2 * n)
    noise_round(&w[g], s->key[round]);
    EACH(g, n)
    EACH(j, 4)
    word[g][j] = weave(w[2 * g].v[j], w[2 * g + 1].v[j]);
}

/* p = a + b * p, two roundings. */
static FECRUN_ALWAYS_INLINE void horner(float a, unsigned n, vec_f32 *p, const vec_f32 *b)
{
    EACH(i, n)
    p[i] = vec_f32_add(vec_f32_set(a), vec_f32_mul(p[i], b[i]));
}

static FECRUN_ALWAYS_INLINE void noise_radius(unsigned n, vec *const *word, vec_f32 *radius)
{
    vec_f32 t[2 * NOISE_GROUPS], p[2 * NOISE_GROUPS], q[2 * NOISE_GROUPS];
    vec e[2 * NOISE_GROUPS];

    EACH(i, n)
    {
        const vec_f32 x = vec_f32_add(
            vec_f32_mul(vec_f32_of_i32(vec_u32_srl(*word[i], 16)), vec_f32_set(65536.0f)),
            vec_f32_add(vec_f32_of_i32(vec_and(*word[i], vec_i32_set(0xffff))), vec_f32_set(0.5f)));
        const vec bits = vec_f32_bits(x);

        e[i] = vec_i32_sra(vec_i32_sub(bits, vec_i32_set(0x3f3504f3)), 23);
        t[i] = vec_f32_add(vec_f32_of_bits(vec_i32_sub(bits, vec_u32_sll(e[i], 23))),
                           vec_f32_set(-1.0f));
        p[i] = vec_f32_set(0.178359345f);
    }
    horner(-0.287002937f, n, p, t);
    horner(0.297538025f, n, p, t);
    horner(-0.331312809f, n, p, t);
    horner(0.399308099f, n, p, t);
    horner(-0.500034936f, n, p, t);
    horner(0.666677157f, n, p, t);
    horner(-1.0f, n, p, t);
    horner(2.0f, n, p, t);
    EACH(i, n)
    q[i] = vec_f32_mul(vec_f32_of_i32(vec_i32_sub(vec_i32_set(32), e[i])),
                       vec_f32_set(1.38629436f));
    EACH(i, n)
    radius[i] = vec_f32_sqrt(vec_f32_sub(q[i], vec_f32_mul(t[i], p[i])));
}

/* Of n words each: the first ones make radii, the second ones angles. */
static FECRUN_ALWAYS_INLINE void noise_pairs(unsigned n, vec *const *word0, vec *const *word1,
                                             vec_f32 *const *first, vec_f32 *const *second)
{
    const vec top = vec_i32_set((int32_t)0x80000000u);
    vec_f32 radius[2 * NOISE_GROUPS], x[2 * NOISE_GROUPS], z[2 * NOISE_GROUPS];
    vec_f32 s[2 * NOISE_GROUPS], c[2 * NOISE_GROUPS];

    noise_radius(n, word0, radius);
    EACH(i, n)
    {
        x[i] = vec_f32_mul(vec_f32_of_i32(vec_u32_sll(*word1[i], 2)), vec_f32_set(4.65661287e-10f));
        z[i] = vec_f32_mul(x[i], x[i]);
        s[i] = vec_f32_set(-3.59545078e-05f);
        c[i] = vec_f32_set(-0.000319160165f);
    }
    horner(0.00249000713f, n, s, z);
    horner(0.0158503976f, n, c, z);
    horner(-0.0807454348f, n, s, z);
    horner(-0.308424488f, n, c, z);
    horner(0.785398161f, n, s, z);
    horner(1.0f, n, c, z);
    EACH(i, n)
    {
        const vec swap = vec_u32_sll(*word1[i], 1); /* bit 0 of the quadrant */
        const vec_f32 sine = vec_f32_mul(x[i], s[i]);
        const vec_f32 one = pick(swap, c[i], sine), other = pick(swap, sine, c[i]);

        *first[i] = vec_f32_mul(
            radius[i],
            vec_f32_of_bits(vec_xor(vec_f32_bits(one), vec_and(vec_xor(*word1[i], swap), top))));
        *second[i] = vec_f32_mul(
            radius[i], vec_f32_of_bits(vec_xor(vec_f32_bits(other), vec_and(*word1[i], top))));
    }
}

static FECRUN_ALWAYS_INLINE void noise_make(const struct noise_state *s, uint32_t first, unsigned n,
                                            vec_f32 sample[][4])
{
    vec word[NOISE_GROUPS][4], *word0[2 * NOISE_GROUPS], *word1[2 * NOISE_GROUPS];
    vec_f32 *one[2 * NOISE_GROUPS], *other[2 * NOISE_GROUPS];

    noise_blocks(s, first, n, word);
    EACH(i, 2 * n)
    {
        word0[i] = &word[i / 2][i % 2 * 2];
        word1[i] = &word[i / 2][i % 2 * 2 + 1];
        one[i] = &sample[i / 2][i % 2 * 2];
        other[i] = &sample[i / 2][i % 2 * 2 + 1];
    }
    noise_pairs(2 * n, word0, word1, one, other);
}

/* Samples 4 * first .. of the frame; functions of their own, for the compiler has much to do with them. */
static __attribute__((noinline)) void noise_samples(const struct noise_state *s, uint32_t first,
                                                    vec_f32 sample[4])
{
    noise_make(s, first, 1, (vec_f32(*)[4])sample);
}

static __attribute__((noinline)) void noise_groups(const struct noise_state *s, uint32_t first,
                                                   vec_f32 sample[NOISE_GROUPS][4])
{
    noise_make(s, first, NOISE_GROUPS, sample);
}
