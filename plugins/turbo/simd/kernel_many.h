/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A half iteration of codes with 16 states and up to three parity bits a step, as kernel.h has it for eight states and one,
 * in 16 bits. Polynomials are constants of each function here, so that all of its indices are.
 *
 * States 2 j and 2 j + 1 lead to j and j + 8. The branches 2 j to j and 2 j + 1 to j + 8 have the same bits, BITS(j): the
 * input lowest, then the parity bits. The other two have the opposite ones. A branch gains the LLRs of its bits that are 0.
 */
enum { MANY = 16, MANY_BITS = 4 };

struct many_code {
    uint32_t feedback, outputs, parity[3];
};

/* Bits of the state that a polynomial has: D^i is bit 4 - i. */
#define MANY_TAPS(p) \
    (((p) >> 1 & 1) << 3 | ((p) >> 2 & 1) << 2 | ((p) >> 3 & 1) << 1 | ((p) >> 4 & 1))
#define MANY_ODD(j, p) ((uint32_t)__builtin_parity(2 * (j)&MANY_TAPS(p)))
#define BITS(j) \
    (MANY_ODD(j, c->feedback) | MANY_ODD(j, c->parity[0]) << 1 | \
     (c->outputs > 1 ? MANY_ODD(j, c->parity[1]) << 2 : 0) | \
     (c->outputs > 2 ? MANY_ODD(j, c->parity[2]) << 3 : 0))
#define OTHER_BITS(j) ((2u << c->outputs) - 1 - BITS(j))

/* z[l]: of parity bits l alone; g[u + 2 l]: with the input u. */
ALWAYS void many_gains(const struct many_code *c, vec A, const vec *P, vec *z, vec *g)
{
    if (c->outputs == 1) {
        z[0] = P[0], z[1] = lane_set(0);
    } else if (c->outputs == 2) {
        z[0] = lane_add(P[0], P[1]), z[1] = P[1], z[2] = P[0], z[3] = lane_set(0);
    } else {
        z[4] = lane_add(P[0], P[1]), z[5] = P[1], z[6] = P[0], z[7] = lane_set(0);
        z[0] = lane_add(z[4], P[2]), z[1] = lane_add(P[1], P[2]), z[2] = lane_add(P[0], P[2]);
        z[3] = P[2];
    }
#define GAIN(l) \
    if ((l) < 1u << c->outputs) \
        g[2 * (l)] = lane_add(A, z[l]), g[2 * (l) + 1] = z[l];
    GAIN(0) GAIN(1) GAIN(2) GAIN(3) GAIN(4) GAIN(5) GAIN(6) GAIN(7)
#undef GAIN
}

#define EACH(what) what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7)

ALWAYS void many_forward(const struct many_code *c, vec *a, const vec *g)
{
    vec n[MANY];

#define BUTTERFLY(j) \
    n[j] = lane_max(lane_add(a[2 * (j)], g[BITS(j)]), lane_add(a[2 * (j) + 1], g[OTHER_BITS(j)])); \
    n[(j) + 8] = lane_max(lane_add(a[2 * (j)], g[OTHER_BITS(j)]), \
                          lane_add(a[2 * (j) + 1], g[BITS(j)]));
    EACH(BUTTERFLY)
#undef BUTTERFLY
#define MOVE(j) a[j] = n[j], a[(j) + 8] = n[(j) + 8];
    EACH(MOVE)
#undef MOVE
}

/* beta before the step in place of that behind it; returns the step's extrinsic LLRs. */
ALWAYS vec many_backward(const struct many_code *c, vec *b, const int8_t *alpha, const vec *z,
                         const vec *g)
{
    vec n[MANY], best[2];

#define BUTTERFLY(j) \
    { \
        const vec x = vec_load(alpha + 2 * (j)*VEC_BYTES); \
        const vec y = vec_load(alpha + (2 * (j) + 1) * VEC_BYTES), p = b[j], q = b[(j) + 8]; \
        const vec same = lane_add(lane_max(lane_add(x, p), lane_add(y, q)), z[BITS(j) >> 1]); \
        const vec other = lane_add(lane_max(lane_add(x, q), lane_add(y, p)), \
                                   z[OTHER_BITS(j) >> 1]); \
\
        best[BITS(j) & 1] = (j) ? lane_max(best[BITS(j) & 1], same) : same; \
        best[OTHER_BITS(j) & 1] = (j) ? lane_max(best[OTHER_BITS(j) & 1], other) : other; \
        n[2 * (j)] = lane_max(lane_add(p, g[BITS(j)]), lane_add(q, g[OTHER_BITS(j)])); \
        n[2 * (j) + 1] = lane_max(lane_add(p, g[OTHER_BITS(j)]), lane_add(q, g[BITS(j)])); \
    }
    EACH(BUTTERFLY)
#undef BUTTERFLY
#define MOVE(j) b[j] = n[j], b[(j) + 8] = n[(j) + 8];
    EACH(MOVE)
#undef MOVE
    return lane_sub(best[0], best[1]);
}

ALWAYS void many_normalise(vec *m, vec top)
{
    vec most = m[0];

#define MOST(j) most = lane_max(most, lane_max(m[j], m[(j) + 8]));
    EACH(MOST)
#undef MOST
    most = lane_sub(most, top);
#define LOWER(j) m[j] = lane_sub(m[j], most), m[(j) + 8] = lane_sub(m[(j) + 8], most);
    EACH(LOWER)
#undef LOWER
}

ALWAYS void many_load_step(const struct many_code *c, const struct turbo_half *h, uint32_t at,
                           uint32_t k, vec *P)
{
    P[0] = vec_load(h->parity[k] + at);
    if (c->outputs > 1)
        P[1] = vec_load(h->more[0][k] + at);
    if (c->outputs > 2)
        P[2] = vec_load(h->more[1][k] + at);
}

/* Of all steps: alpha before it. */
ALWAYS void many_go_forward(const struct many_code *c, const struct turbo_half *h, uint32_t at)
{
    const vec top = lane_set(h->fixed->top);
    vec a[MANY];

#define LOAD(j) a[j] = vec_load(h->begin[j] + at), a[(j) + 8] = vec_load(h->begin[(j) + 8] + at);
    EACH(LOAD)
#undef LOAD
    for (uint32_t k = 0; k < h->steps; k++) {
        int8_t *const to = h->alpha + (size_t)k * (MANY * VEC_BYTES);
        vec P[3], z[8], g[MANY];

        if (k % 2 == 0)
            many_normalise(a, top);
#define STORE(j) \
    vec_store(to + (j)*VEC_BYTES, a[j]), vec_store(to + ((j) + 8) * VEC_BYTES, a[(j) + 8]);
        EACH(STORE)
#undef STORE
        many_load_step(c, h, at, k, P);
        many_gains(c, vec_load(h->in[k] + at), P, z, g);
        many_forward(c, a, g);
    }
}

ALWAYS void many_go_backward(const struct many_code *c, const struct turbo_half *h, uint32_t at)
{
    const vec top = lane_set(h->fixed->top);
    const struct rule rule = rule_of(h->fixed);
    vec b[MANY];

#define LOAD(j) b[j] = vec_load(h->end[j] + at), b[(j) + 8] = vec_load(h->end[(j) + 8] + at);
    EACH(LOAD)
#undef LOAD
    for (uint32_t k = h->steps; k-- > 0;) {
        const vec A = vec_load(h->in[k] + at);
        vec P[3], z[8], g[MANY], extrinsic, out;

        many_load_step(c, h, at, k, P);
        many_gains(c, A, P, z, g);
        extrinsic = many_backward(c, b, h->alpha + (size_t)k * (MANY * VEC_BYTES), z, g);
        out = scaled(&rule, extrinsic);
        vec_store(h->out[k] + at, h->sys ? lane_add(out, vec_load(h->sys[k] + at)) : out);
        if (h->llr)
            vec_store(h->llr[k] + at, lane_add(extrinsic, A));
        if (k % 2 == 0)
            many_normalise(b, top);
    }
}

ALWAYS void many_half(const struct many_code *c, const struct turbo_half *h)
{
    for (uint32_t at = 0; at < h->bytes; at += VEC_BYTES) {
        many_go_forward(c, h, at);
        many_go_backward(c, h, at);
    }
}

/* Those of CCSDS: D^0 is the lowest bit. */
enum { CCSDS_G0 = 0x19, CCSDS_G1 = 0x1b, CCSDS_G2 = 0x15, CCSDS_G3 = 0x1f };

#define MANY_CODE(name, n, ...) \
    static void name(const struct turbo_half *h) \
    { \
        const struct many_code c = {CCSDS_G0, n, {__VA_ARGS__}}; \
\
        many_half(&c, h); \
    }

MANY_CODE(half_g1, 1, CCSDS_G1)
MANY_CODE(half_g1_g3, 2, CCSDS_G1, CCSDS_G3)
MANY_CODE(half_g2_g3, 2, CCSDS_G2, CCSDS_G3)
MANY_CODE(half_g1_g2_g3, 3, CCSDS_G1, CCSDS_G2, CCSDS_G3)

static turbo_half_function *many_of(const struct turbo_family *family, unsigned encoder)
{
    static const struct {
        struct many_code code;
        turbo_half_function *half;
    } known[] = {{{CCSDS_G0, 1, {CCSDS_G1}}, half_g1},
                 {{CCSDS_G0, 2, {CCSDS_G1, CCSDS_G3}}, half_g1_g3},
                 {{CCSDS_G0, 2, {CCSDS_G2, CCSDS_G3}}, half_g2_g3},
                 {{CCSDS_G0, 3, {CCSDS_G1, CCSDS_G2, CCSDS_G3}}, half_g1_g2_g3}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].code.feedback == family->feedback &&
            known[i].code.outputs == family->outputs[encoder] &&
            !memcmp(known[i].code.parity, family->parity[encoder], sizeof known[i].code.parity))
            return known[i].half;
    return NULL;
}
