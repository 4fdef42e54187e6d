/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A half iteration in vectors of VEC_BYTES bytes; the includer says what these are. Lanes do not meet
 * here, so a row is 64 / VEC_BYTES runs one after the other; `at` is where in rows a run is.
 *
 * A branch gains A (sys + a priori) if its input is 0 and P (parity) if its parity bit is 0. Before
 * each even step alpha, and behind each odd step beta, is moved so that the best state has `top`: so
 * between them neither grows beyond top + |A| + |P|, and no sum of one of each overflows. Metrics of
 * bytes saturate: a state far below the best one may as well be a little less far. Those of 16 bits
 * need not (simd.c says why).
 */
#define ALWAYS static inline __attribute__((always_inline))

/* Metrics of the eight states; all indices are constants, so that they live in registers. */
ALWAYS void load_states(vec *m, const int8_t *p, size_t step)
{
    m[0] = vec_load(p), m[1] = vec_load(p + step), m[2] = vec_load(p + 2 * step);
    m[3] = vec_load(p + 3 * step), m[4] = vec_load(p + 4 * step), m[5] = vec_load(p + 5 * step);
    m[6] = vec_load(p + 6 * step), m[7] = vec_load(p + 7 * step);
}

ALWAYS void store_states(const vec *m, int8_t *p, size_t step)
{
    vec_store(p, m[0]), vec_store(p + step, m[1]), vec_store(p + 2 * step, m[2]);
    vec_store(p + 3 * step, m[3]), vec_store(p + 4 * step, m[4]), vec_store(p + 5 * step, m[5]);
    vec_store(p + 6 * step, m[6]), vec_store(p + 7 * step, m[7]);
}

ALWAYS void normalise(vec *m, vec top)
{
    const vec most = lane_max(lane_max(lane_max(m[0], m[1]), lane_max(m[2], m[3])),
                              lane_max(lane_max(m[4], m[5]), lane_max(m[6], m[7])));
    const vec over = lane_sub_wrap(most, top);

    m[0] = lane_sub(m[0], over), m[1] = lane_sub(m[1], over), m[2] = lane_sub(m[2], over);
    m[3] = lane_sub(m[3], over), m[4] = lane_sub(m[4], over), m[5] = lane_sub(m[5], over);
    m[6] = lane_sub(m[6], over), m[7] = lane_sub(m[7], over);
}

/* The branches of code/trellis.h, written out: states 2 j and 2 j + 1 lead to j and j + 4. */
ALWAYS void forward(vec *a, vec A, vec P)
{
    const vec S = lane_add(A, P);
    const vec n0 = lane_max(lane_add(a[0], S), a[1]), n4 = lane_max(lane_add(a[1], S), a[0]);
    const vec n1 = lane_max(lane_add(a[2], P), lane_add(a[3], A));
    const vec n5 = lane_max(lane_add(a[2], A), lane_add(a[3], P));
    const vec n2 = lane_max(lane_add(a[4], A), lane_add(a[5], P));
    const vec n6 = lane_max(lane_add(a[4], P), lane_add(a[5], A));
    const vec n3 = lane_max(lane_add(a[7], S), a[6]), n7 = lane_max(lane_add(a[6], S), a[7]);

    a[0] = n0, a[1] = n1, a[2] = n2, a[3] = n3;
    a[4] = n4, a[5] = n5, a[6] = n6, a[7] = n7;
}

/*
 * Branches of two states, with metrics a and a1 in front, to the two states whose metrics are b and
 * b1 behind. Those from the first state to the first one and from the second to the second have the
 * same bits (u, z), the others the opposite ones.
 */
#define BEST(a, a1, b, b1) lane_max(lane_add(b, vec_load(a)), lane_add(b1, vec_load(a1)))

/* beta before the step in place of that behind it; returns the step's extrinsic LLRs. */
ALWAYS vec backward(vec *b, const int8_t *a, vec A, vec P)
{
    const int8_t *a1 = a + VEC_BYTES;
    const vec S = lane_add(A, P);
    vec zero, one, other, n0, n1, n6, n7, n2, n3;

    zero = BEST(a, a1, b[0], b[4]); /* u = 0, z = 0 */
    one = BEST(a, a1, b[4], b[0]);  /* u = 1, z = 1 */
    n0 = lane_max(lane_add(b[0], S), b[4]), n1 = lane_max(lane_add(b[4], S), b[0]);
    zero = lane_max(zero, BEST(a + 6 * VEC_BYTES, a1 + 6 * VEC_BYTES, b[7], b[3]));
    one = lane_max(one, BEST(a + 6 * VEC_BYTES, a1 + 6 * VEC_BYTES, b[3], b[7]));
    n6 = lane_max(lane_add(b[7], S), b[3]), n7 = lane_max(lane_add(b[3], S), b[7]);
    zero = lane_add(zero, P);
    b[0] = n0, b[7] = n7;

    zero = lane_max(zero,
                    BEST(a + 2 * VEC_BYTES, a1 + 2 * VEC_BYTES, b[5], b[1])); /* u = 0, z = 1 */
    other = BEST(a + 2 * VEC_BYTES, a1 + 2 * VEC_BYTES, b[1], b[5]);          /* u = 1, z = 0 */
    n2 = lane_max(lane_add(b[5], A), lane_add(b[1], P)),
    n3 = lane_max(lane_add(b[1], A), lane_add(b[5], P));
    zero = lane_max(zero, BEST(a + 4 * VEC_BYTES, a1 + 4 * VEC_BYTES, b[2], b[6]));
    other = lane_max(other, BEST(a + 4 * VEC_BYTES, a1 + 4 * VEC_BYTES, b[6], b[2]));
    b[4] = lane_max(lane_add(b[2], A), lane_add(b[6], P)),
    b[5] = lane_max(lane_add(b[6], A), lane_add(b[2], P));
    b[1] = n1, b[2] = n2, b[3] = n3, b[6] = n6;
    return lane_sub(zero, lane_max(one, lane_add(other, P)));
}

/* beta alone. */
ALWAYS void backward_only(vec *b, vec A, vec P)
{
    const vec S = lane_add(A, P);
    const vec n0 = lane_max(lane_add(b[0], S), b[4]), n1 = lane_max(lane_add(b[4], S), b[0]);
    const vec n2 = lane_max(lane_add(b[5], A), lane_add(b[1], P));
    const vec n3 = lane_max(lane_add(b[1], A), lane_add(b[5], P));
    const vec n4 = lane_max(lane_add(b[2], A), lane_add(b[6], P));
    const vec n5 = lane_max(lane_add(b[6], A), lane_add(b[2], P));
    const vec n6 = lane_max(lane_add(b[7], S), b[3]), n7 = lane_max(lane_add(b[3], S), b[7]);

    b[0] = n0, b[1] = n1, b[2] = n2, b[3] = n3;
    b[4] = n4, b[5] = n5, b[6] = n6, b[7] = n7;
}

/* Of all steps: alpha before it. Two at a time. */
static void go_forward(const struct turbo_half *h, uint32_t at)
{
    const int8_t *in = *h->in + at, *parity = *h->parity + at;
    const vec top = lane_set(h->fixed->top);
    int8_t *alpha = h->alpha;
    vec a[TURBO_STATES];

    load_states(a, *h->begin + at, TURBO_ROW);
    for (uint32_t k = 0; k < h->steps; k += 2) {
        normalise(a, top);
        store_states(a, alpha, VEC_BYTES);
        forward(a, vec_load(in), vec_load(parity));
        if (k + 1 == h->steps)
            break;
        store_states(a, alpha + TURBO_STATES * VEC_BYTES, VEC_BYTES);
        forward(a, vec_load(in + TURBO_ROW), vec_load(parity + TURBO_ROW));
        alpha += 2 * TURBO_STATES * VEC_BYTES, in += 2 * TURBO_ROW, parity += 2 * TURBO_ROW;
    }
    if (h->late) {
        const size_t step = h->steps - h->training;

        load_states(a, h->alpha + step * (TURBO_STATES * VEC_BYTES), VEC_BYTES);
        store_states(a, *h->late + at, TURBO_ROW);
    }
}

/* Step k: from here the results go out. */
ALWAYS void step_backward(const struct turbo_half *h, uint32_t at, uint32_t k, vec *b,
                          const struct rule *rule, bool add, bool decide)
{
    const vec A = vec_load(h->in[k] + at), P = vec_load(h->parity[k] + at);
    const vec extrinsic = backward(b, h->alpha + k * (TURBO_STATES * VEC_BYTES), A, P);
    const vec out = scaled(rule, extrinsic);

    vec_store(h->out[k] + at, add ? lane_add(out, vec_load(h->sys[k] + at)) : out);
    if (decide)
        vec_store(h->llr[k] + at, lane_add(extrinsic, A));
}

ALWAYS void go_backward(const struct turbo_half *half, uint32_t at, bool add, bool decide)
{
    const struct turbo_half h = *half; /* which no store changes */
    const vec top = lane_set(h.fixed->top);
    const struct rule rule = rule_of(h.fixed);
    uint32_t k = h.steps, until = h.early ? h.training : 0;
    vec b[TURBO_STATES];

    load_states(b, *h.end + at, TURBO_ROW);
    if (k % 2) {
        step_backward(&h, at, --k, b, &rule, add, decide);
        normalise(b, top);
    }
    for (;; until = 0) {
        for (; k > until; k -= 2) {
            step_backward(&h, at, k - 1, b, &rule, add, decide);
            step_backward(&h, at, k - 2, b, &rule, add, decide);
            normalise(b, top);
        }
        if (!until)
            break;
        store_states(b, *h.early + at, TURBO_ROW);
    }
}

/* begin and end from what is known some steps before and behind. */
static void train(const struct turbo_half *h, uint32_t at)
{
    const uint32_t steps = h->training;
    const vec top = lane_set(h->fixed->top);
    vec a[TURBO_STATES], b[TURBO_STATES];

    load_states(a, *h->late + at, TURBO_ROW);
    load_states(b, *h->early + at, TURBO_ROW);
    for (uint32_t i = 0; i < steps; i += 2) {
        const uint32_t f = h->steps - steps + i, k = steps - 1 - i;

        forward(a, vec_load(h->in[f] + at), vec_load(h->parity[f] + at));
        forward(a, vec_load(h->in[f + 1] + at), vec_load(h->parity[f + 1] + at));
        normalise(a, top);
        backward_only(b, vec_load(h->in[k] + at), vec_load(h->parity[k] + at));
        backward_only(b, vec_load(h->in[k - 1] + at), vec_load(h->parity[k - 1] + at));
        normalise(b, top);
    }
    store_states(a, *h->begin + at, TURBO_ROW);
    store_states(b, *h->end + at, TURBO_ROW);
}

static void half(const struct turbo_half *h)
{
    for (uint32_t at = 0; at < h->bytes; at += VEC_BYTES) {
        if (h->train) {
            train(h, at);
            continue;
        }
        go_forward(h, at);
        if (h->sys)
            go_backward(h, at, true, false);
        else if (h->llr)
            go_backward(h, at, false, true);
        else
            go_backward(h, at, false, false);
    }
}

#if LANE_BITS == 16
#include "plugins/turbo/simd/kernel_many.h"
#else
static turbo_half_function *many_of(const struct turbo_family *family, unsigned encoder)
{
    (void)family, (void)encoder;
    return NULL;
}
#endif

static void gather(const struct turbo_simd *s, uint32_t bytes, const turbo_row *from, turbo_row *to)
{
    const uint32_t span = s->windows << s->width;

    for (uint32_t x = 0; x < s->steps; x++)
        for (uint32_t at = 0; at < bytes; at += VEC_BYTES)
            vec_store(to[x] + at, in_order(from[s->row[x]], s->read[x], at, span));
}

static void scatter(const struct turbo_simd *s, uint32_t bytes, const turbo_row *from,
                    const turbo_row *sys, turbo_row *to)
{
    const uint32_t span = s->windows << s->width;

    for (uint32_t x = 0; x < s->steps; x++)
        for (uint32_t at = 0; at < bytes; at += VEC_BYTES) {
            const vec v = in_order(from[x], s->write[x], at, span);

            vec_store(to[s->row[x]] + at, sys ? lane_add(v, vec_load(sys[s->row[x]] + at)) : v);
        }
}

static const struct turbo_kernel kernel = {
    half,
    many_of,
    gather,
    scatter,
    {size_up_8, size_up_16},
    {add_up_8, add_up_16},
    {quantise_8, quantise_16},
    to_words,
    decide,
};
