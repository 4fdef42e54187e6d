/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of the internal interleaver, for code that reads it more than once. */
#ifndef TURBO_CODE_INTERLEAVER_H
#define TURBO_CODE_INTERLEAVER_H

#include "plugins/turbo/code/qpp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* pi[i] and its inverse, k entries each; either may be NULL. */
void turbo_interleaver(const struct turbo_qpp *qpp, uint16_t *pi, uint16_t *inverse);

#ifdef __cplusplus
}
#endif

#endif
