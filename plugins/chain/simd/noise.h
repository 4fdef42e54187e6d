/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The samples of <fecrun/sdk/gauss.h>, bit for bit, V_LANES Philox blocks at a time. Included by a
 * file an instruction set, which says what a vector is:
 *
 *     vi, vf               V_LANES 32-bit words or floats; V_LANES / 2 64-bit words
 *     V_SET(x), V_FSET(x)  all lanes; V_SET64 all 64-bit lanes
 *     V_EVEN(x)            64-bit lanes x, x + 2, x + 4, ...
 *     V_MUL(a, b)          64-bit products of the even 32-bit lanes
 *     V_HIGH(a)            64-bit lanes shifted right by 32
 *     V_WEAVE(a, b)        even 32-bit lanes of a, and behind each that of b
 *     V_PICK(s, a, b)      per lane: b where the topmost bit of s is set, else a
 *     NOISE_GROUPS         groups of V_LANES blocks that are made at once: as many as there are registers for
 *     V_ADD .. V_SRA, V_FADD .. V_FMAX, V_FLOAT (of a signed word), V_ROUND, V_BITS, V_FBITS
 *
 * A sample's place: word j of a block makes sample j, so lane i of vector j is sample 4 i + j.
 */
#include "plugins/chain/simd/simd.h"

/*
 * Round keys as they are used, and what the first two rounds make of those words of the counter that
 * are a frame's: only its block differs within one, and the first round's other product, and in the
 * second the one of what came of it, are always the same.
 */
struct noise_state {
    vi key[10][2];
    vi point;             /* with the first round's key */
    vi low, high, middle; /* of the second round: words 3, 2 and 0 but for what the block adds */
};

static FECRUN_ALWAYS_INLINE vi noise_even(vi x)
{
    return V_MUL(x, V_SET64(0xd2511f53u));
}

static FECRUN_ALWAYS_INLINE vi noise_odd(vi x)
{
    return V_MUL(x, V_SET64(0xcd9e8d57u));
}

static FECRUN_ALWAYS_INLINE void noise_counter(struct noise_state *s, vi frame, vi stage, vi point)
{
    const vi odd = noise_odd(stage);

    s->point = V_XOR(point, s->key[0][1]);
    s->low = noise_even(V_XOR(V_XOR(V_HIGH(odd), frame), s->key[0][0]));
    s->high = V_XOR(V_HIGH(s->low), s->key[1][1]);
    s->middle = V_XOR(odd, s->key[1][0]);
}

static FECRUN_ALWAYS_INLINE void noise_begin(struct noise_state *s, const struct chain_noise *noise)
{
    const philox4x32_ctr_t counter = fecrun_rng_counter(&noise->rng, noise->frame, 0);
    philox4x32_key_t key = fecrun_rng_key(&noise->rng);

    for (int round = 0; round < 10; round++) {
        s->key[round][0] = V_SET64(key.v[0]);
        s->key[round][1] = V_SET64(key.v[1]);
        key.v[0] += 0x9e3779b9u;
        key.v[1] += 0xbb67ae85u;
    }
    noise_counter(s, V_SET64(counter.v[1]), V_SET64(counter.v[2]), V_SET64(counter.v[3]));
}

/* One of the counter's four words in the lower half of each 64-bit lane; the upper ones do not count. */
struct noise_words {
    vi v[4];
};

static FECRUN_ALWAYS_INLINE void noise_round(struct noise_words *w, const vi key[2])
{
    const vi even = noise_even(w->v[0]), odd = noise_odd(w->v[2]);

    w->v[0] = V_XOR(V_XOR(V_HIGH(odd), w->v[1]), key[0]);
    w->v[1] = odd;
    w->v[2] = V_XOR(V_XOR(V_HIGH(even), w->v[3]), key[1]);
    w->v[3] = even;
}

/* The first two rounds. */
static FECRUN_ALWAYS_INLINE struct noise_words noise_rounds(const struct noise_state *s, vi block)
{
    const vi even = noise_even(block), odd = noise_odd(V_XOR(V_HIGH(even), s->point));

    return (struct noise_words){{V_XOR(V_HIGH(odd), s->middle), odd, V_XOR(s->high, even), s->low}};
}

/*
 * What follows is done for several vectors in turn, operation by operation: each chain of them is longer than
 * a CPU looks ahead, so that it would wait for one chain at a time.
 */
#define EACH(i, n) _Pragma("GCC unroll 8") for (unsigned i = 0; i < (n); i++)

/* Words 0 .. 3 of n groups of blocks, from `first` on, a lane each. */
static FECRUN_ALWAYS_INLINE void noise_blocks(const struct noise_state *s, uint32_t first,
                                              unsigned n, vi word[][4])
{
    struct noise_words w[2 * NOISE_GROUPS];

    EACH(g, 2 * n)
    w[g] = noise_rounds(s, V_EVEN(first + g / 2 * V_LANES + g % 2));
#pragma GCC unroll 8
    for (int round = 2; round < 10; round++)
        EACH(g, 2 * n)
    noise_round(&w[g], s->key[round]);
    EACH(g, n)
    EACH(j, 4)
    word[g][j] = V_WEAVE(w[2 * g].v[j], w[2 * g + 1].v[j]);
}

/* p = a + b * p, two roundings. */
static FECRUN_ALWAYS_INLINE void horner(float a, unsigned n, vf *p, const vf *b)
{
    EACH(i, n)
    p[i] = V_FADD(V_FSET(a), V_FMUL(p[i], b[i]));
}

static FECRUN_ALWAYS_INLINE void noise_radius(unsigned n, vi *const *word, vf *radius)
{
    vf t[2 * NOISE_GROUPS], p[2 * NOISE_GROUPS], q[2 * NOISE_GROUPS];
    vi e[2 * NOISE_GROUPS];

    EACH(i, n)
    {
        const vf x = V_FADD(V_FMUL(V_FLOAT(V_SRL(*word[i], 16)), V_FSET(65536.0f)),
                            V_FADD(V_FLOAT(V_AND(*word[i], V_SET(0xffff))), V_FSET(0.5f)));
        const vi bits = V_BITS(x);

        e[i] = V_SRA(V_SUB(bits, V_SET(0x3f3504f3)), 23);
        t[i] = V_FADD(V_FBITS(V_SUB(bits, V_SLL(e[i], 23))), V_FSET(-1.0f));
        p[i] = V_FSET(0.178359345f);
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
    q[i] = V_FMUL(V_FLOAT(V_SUB(V_SET(32), e[i])), V_FSET(1.38629436f));
    EACH(i, n)
    radius[i] = V_FSQRT(V_FSUB(q[i], V_FMUL(t[i], p[i])));
}

/* Of n words each: the first ones make radii, the second ones angles. */
static FECRUN_ALWAYS_INLINE void noise_pairs(unsigned n, vi *const *word0, vi *const *word1,
                                             vf *const *first, vf *const *second)
{
    const vi top = V_SET((int32_t)0x80000000u);
    vf radius[2 * NOISE_GROUPS], x[2 * NOISE_GROUPS], z[2 * NOISE_GROUPS];
    vf s[2 * NOISE_GROUPS], c[2 * NOISE_GROUPS];

    noise_radius(n, word0, radius);
    EACH(i, n)
    {
        x[i] = V_FMUL(V_FLOAT(V_SLL(*word1[i], 2)), V_FSET(4.65661287e-10f));
        z[i] = V_FMUL(x[i], x[i]);
        s[i] = V_FSET(-3.59545078e-05f);
        c[i] = V_FSET(-0.000319160165f);
    }
    horner(0.00249000713f, n, s, z);
    horner(0.0158503976f, n, c, z);
    horner(-0.0807454348f, n, s, z);
    horner(-0.308424488f, n, c, z);
    horner(0.785398161f, n, s, z);
    horner(1.0f, n, c, z);
    EACH(i, n)
    {
        const vi swap = V_SLL(*word1[i], 1); /* bit 0 of the quadrant */
        const vf sine = V_FMUL(x[i], s[i]);
        const vf one = V_PICK(swap, c[i], sine), other = V_PICK(swap, sine, c[i]);

        *first[i] = V_FMUL(radius[i],
                           V_FBITS(V_XOR(V_BITS(one), V_AND(V_XOR(*word1[i], swap), top))));
        *second[i] = V_FMUL(radius[i], V_FBITS(V_XOR(V_BITS(other), V_AND(*word1[i], top))));
    }
}

static FECRUN_ALWAYS_INLINE void noise_make(const struct noise_state *s, uint32_t first, unsigned n,
                                            vf sample[][4])
{
    vi word[NOISE_GROUPS][4], *word0[2 * NOISE_GROUPS], *word1[2 * NOISE_GROUPS];
    vf *one[2 * NOISE_GROUPS], *other[2 * NOISE_GROUPS];

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
                                                    vf sample[4])
{
    noise_make(s, first, 1, (vf(*)[4])sample);
}

static __attribute__((noinline)) void noise_groups(const struct noise_state *s, uint32_t first,
                                                   vf sample[NOISE_GROUPS][4])
{
    noise_make(s, first, NOISE_GROUPS, sample);
}
