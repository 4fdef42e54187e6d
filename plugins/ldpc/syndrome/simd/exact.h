/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The exact rule of checks for LANES shots: in double precision, by halves of the lanes. A row's edges are joined in the
 * order of columns, as in the reference; they stand in that of `struct ldpc_syndrome_row`.
 */
#define EXACT_LANES (LANES / 2)
#include "plugins/ldpc/syndrome/exact.h"

typedef float exact_floats __attribute__((vector_size(4 * EXACT_LANES)));

static FECRUN_ALWAYS_INLINE exact_real exact_load(const double *p)
{
    exact_real x;

    memcpy(&x, p, sizeof x);
    return x;
}

static FECRUN_ALWAYS_INLINE void exact_store(double *p, exact_real x)
{
    memcpy(p, &x, sizeof x);
}

/* exp(-|q|) of half of the lanes. */
static FECRUN_ALWAYS_INLINE exact_real exact_of_q(const float *q)
{
    exact_floats half;
    exact_real y;

    memcpy(&half, q, sizeof half);
    y = __builtin_convertvector(half, exact_real);
    return exact_exp_minus(exact_as_real(exact_as_bits(y) & 0x7fffffffffffffff));
}

/* The magnitude of a message; x: of all others. */
static FECRUN_ALWAYS_INLINE void exact_magnitude(float *magnitude, exact_real x)
{
    const exact_real limit = x - x + (double)LDPC_SYNDROME_LIMIT;
    const exact_real L = exact_pick(x > 0, exact_minus_log(x), limit);
    const exact_floats half = __builtin_convertvector(exact_pick(x < 1, L, x - x), exact_floats);

    memcpy(magnitude, &half, sizeof half);
}

/* The row's edges: q, exp(-|q|), and the sign of all messages together. */
static FECRUN_ALWAYS_INLINE floats exact_in(const struct lanes *w, uint32_t r, uint32_t first,
                                            uint32_t n, enum memory memory)
{
    floats sign = floats_signs(w->asked[r]);

    for (uint32_t i = 0; i < n; i++) {
        const float *message = w->message + (size_t)(first + i) * LANES;
        float *place = w->q + (size_t)i * LANES;
        const floats q = floats_sub(column_in(w, w->s->col[first + i], memory),
                                    floats_load(message));

        floats_store(place, q);
        sign = floats_xor(sign, q);
        for (unsigned at = 0; at < LANES; at += EXACT_LANES)
            exact_store(w->x + (size_t)i * LANES + at, exact_of_q(place + at));
    }
    return floats_sign(sign);
}

/* Joins the edges from both ends, half of the lanes; the magnitudes of messages. */
static FECRUN_ALWAYS_INLINE void exact_join_all(const struct lanes *w, uint32_t first, uint32_t n,
                                                unsigned at)
{
    const uint32_t *order = w->s->by_col + first;
    exact_real together = {0};

    for (uint32_t k = 0; k < n; k++) {
        exact_store(w->left + (size_t)k * LANES + at, together);
        together = exact_join(together, exact_load(w->x + (size_t)order[k] * LANES + at));
    }
    together = (exact_real){0};
    for (uint32_t k = n; k-- > 0;) {
        const exact_real left = exact_load(w->left + (size_t)k * LANES + at);

        exact_magnitude(w->message + (size_t)(first + order[k]) * LANES + at,
                        exact_join(left, together));
        together = exact_join(together, exact_load(w->x + (size_t)order[k] * LANES + at));
    }
}

static FECRUN_ALWAYS_INLINE void exact_row(const struct lanes *w, uint32_t r, uint32_t first,
                                           uint32_t n, enum memory memory)
{
    const floats sign = exact_in(w, r, first, n, memory);

    for (unsigned at = 0; at < LANES; at += EXACT_LANES)
        exact_join_all(w, first, n, at);
    for (uint32_t i = 0; i < n; i++) {
        float *message = w->message + (size_t)(first + i) * LANES;
        const floats own = floats_sign(floats_load(w->q + (size_t)i * LANES));

        floats_store(message, floats_xor(floats_load(message), floats_xor(sign, own)));
    }
}

static void exact_start(const struct lanes *w, lanes_bits lanes)
{
    for (uint32_t e = 0; e < w->s->d->edges; e++) {
        float *message = w->message + (size_t)e * LANES;

        floats_store(message, floats_pick(lanes, floats_set(0), floats_load(message)));
    }
}
