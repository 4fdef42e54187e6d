/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/turbo/code/interleaver.h"

void turbo_interleaver(const struct turbo_qpp *qpp, uint16_t *pi, uint16_t *inverse)
{
    uint32_t at = 0, step = turbo_pi_step(qpp);

    for (uint32_t i = 0; i < qpp->k; i++) {
        if (pi)
            pi[i] = (uint16_t)at;
        if (inverse)
            inverse[at] = (uint16_t)i;
        turbo_pi_next(qpp, &at, &step);
    }
}
