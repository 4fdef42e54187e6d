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
 *     V_ADD .. V_SRA, V_FADD .. V_FMAX, V_FLOAT (of a signed word), V_ROUND, V_BITS, V_FBITS
 *
 * A sample's place: word j of a block makes sample j, so lane i of vector j is sample 4 i + j.
 */
#include "plugins/chain/simd/simd.h"

/* Round keys as they are used, and the counter but for its block. */
struct noise_state {
    vi key[10][2];
    vi frame, stage, point;
};

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
    s->frame = V_SET64(counter.v[1]);
    s->stage = V_SET64(counter.v[2]);
    s->point = V_SET64(counter.v[3]);
}

/* One of the counter's four words in the lower half of each 64-bit lane; the upper ones do not count. */
struct noise_words {
    vi v[4];
};

static FECRUN_ALWAYS_INLINE void noise_round(struct noise_words *w, const vi key[2])
{
    const vi even = V_MUL(w->v[0], V_SET64(0xd2511f53u));
    const vi odd = V_MUL(w->v[2], V_SET64(0xcd9e8d57u));

    w->v[0] = V_XOR(V_XOR(V_HIGH(odd), w->v[1]), key[0]);
    w->v[1] = odd;
    w->v[2] = V_XOR(V_XOR(V_HIGH(even), w->v[3]), key[1]);
    w->v[3] = even;
}

/* Words 0 .. 3 of blocks first .. first + V_LANES - 1, a lane each. */
static FECRUN_ALWAYS_INLINE void noise_blocks(const struct noise_state *s, uint32_t first,
                                              vi word[4])
{
    struct noise_words a = {{V_EVEN(first), s->frame, s->stage, s->point}};
    struct noise_words b = {{V_EVEN(first + 1), s->frame, s->stage, s->point}};

#pragma GCC unroll 10
    for (int round = 0; round < 10; round++) {
        noise_round(&a, s->key[round]);
        noise_round(&b, s->key[round]);
    }
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++)
        word[j] = V_WEAVE(a.v[j], b.v[j]);
}

/* a + b * c, two roundings. */
static FECRUN_ALWAYS_INLINE vf horner(float a, vf b, vf c)
{
    return V_FADD(V_FSET(a), V_FMUL(b, c));
}

static FECRUN_ALWAYS_INLINE vf noise_radius(vi word)
{
    const vf x = V_FADD(V_FMUL(V_FLOAT(V_SRL(word, 16)), V_FSET(65536.0f)),
                        V_FADD(V_FLOAT(V_AND(word, V_SET(0xffff))), V_FSET(0.5f)));
    const vi bits = V_BITS(x);
    const vi e = V_SRA(V_SUB(bits, V_SET(0x3f3504f3)), 23);
    const vf t = V_FADD(V_FBITS(V_SUB(bits, V_SLL(e, 23))), V_FSET(-1.0f));
    vf p = V_FSET(0.178359345f), ln;

    p = horner(-0.287002937f, p, t);
    p = horner(0.297538025f, p, t);
    p = horner(-0.331312809f, p, t);
    p = horner(0.399308099f, p, t);
    p = horner(-0.500034936f, p, t);
    p = horner(0.666677157f, p, t);
    p = horner(-1.0f, p, t);
    ln = V_FMUL(t, horner(2.0f, p, t));
    return V_FSQRT(V_FSUB(V_FMUL(V_FLOAT(V_SUB(V_SET(32), e)), V_FSET(1.38629436f)), ln));
}

static FECRUN_ALWAYS_INLINE void noise_pair(vi word0, vi word1, vf *first, vf *second)
{
    const vf radius = noise_radius(word0);
    const vf x = V_FMUL(V_FLOAT(V_SLL(word1, 2)), V_FSET(4.65661287e-10f));
    const vf z = V_FMUL(x, x);
    const vi top = V_SET((int32_t)0x80000000u), swap = V_SLL(word1, 1); /* bit 0 of the quadrant */
    vf s = horner(0.00249000713f, V_FSET(-3.59545078e-05f), z);
    vf c = horner(0.0158503976f, V_FSET(-0.000319160165f), z);
    vf cosine, sine;

    s = V_FMUL(x, horner(0.785398161f, horner(-0.0807454348f, s, z), z));
    c = horner(1.0f, horner(-0.308424488f, c, z), z);
    cosine = V_PICK(swap, c, s);
    sine = V_PICK(swap, s, c);
    cosine = V_FBITS(V_XOR(V_BITS(cosine), V_AND(V_XOR(word1, swap), top)));
    sine = V_FBITS(V_XOR(V_BITS(sine), V_AND(word1, top)));
    *first = V_FMUL(radius, cosine);
    *second = V_FMUL(radius, sine);
}

/* Samples 4 * first .. of the frame. */
static FECRUN_ALWAYS_INLINE void noise_samples(const struct noise_state *s, uint32_t first,
                                               vf sample[4])
{
    vi word[4];

    noise_blocks(s, first, word);
    noise_pair(word[0], word[1], &sample[0], &sample[1]);
    noise_pair(word[2], word[3], &sample[2], &sample[3]);
}
