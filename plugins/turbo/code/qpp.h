/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal interleaver of the LTE turbo code, TS 36.212 5.1.3.2.3: place i of the second
 * encoder's input is bit pi(i) = (f1 i + f2 i^2) mod K of the block. For the CPU and CUDA.
 */
#ifndef TURBO_CODE_QPP_H
#define TURBO_CODE_QPP_H

#include <fecrun/sdk/device.h>
#include <stddef.h>

#define TURBO_FN FECRUN_INLINE

#ifdef __cplusplus
extern "C" {
#endif

enum { TURBO_SIZES = 188, TURBO_LEAST_K = 40, TURBO_MOST_K = 6144 };

struct turbo_qpp {
    uint16_t k, f1, f2; /* f1 odd and f2 even and both below k: k is a multiple of 8 */
};

extern const struct turbo_qpp turbo_qpp_table[TURBO_SIZES]; /* ascending k */

/* NULL: there is no block of k bits. */
const struct turbo_qpp *turbo_qpp_find(uint32_t k);

/* Place in the table of the smallest block of k bits or more; TURBO_SIZES: none is so large. */
uint32_t turbo_qpp_at_least(uint32_t k);

/* pi(i), i < k. The product stays below 2^32: (f1 + f2 i) mod k < 6144. */
TURBO_FN uint32_t turbo_pi(const struct turbo_qpp *qpp, uint32_t i)
{
    return (qpp->f1 + qpp->f2 * i) % qpp->k * i % qpp->k;
}

/*
 * pi(i + 1) - pi(i) mod k is (f1 + f2 + 2 f2 i) mod k: all of pi in order without a product,
 *
 *     for (i = 0, at = 0, step = turbo_pi_step(qpp); i < k; i++, turbo_pi_next(qpp, &at, &step))
 */
TURBO_FN uint32_t turbo_pi_step(const struct turbo_qpp *qpp)
{
    return ((uint32_t)qpp->f1 + qpp->f2) % qpp->k;
}

TURBO_FN void turbo_pi_next(const struct turbo_qpp *qpp, uint32_t *at, uint32_t *step)
{
    *at += *step;
    if (*at >= qpp->k)
        *at -= qpp->k;
    *step = (*step + 2 * (uint32_t)qpp->f2) % qpp->k;
}

#ifdef __cplusplus
}
#endif

#endif
