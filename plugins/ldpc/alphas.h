/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef LDPC_ALPHAS_H
#define LDPC_ALPHAS_H

/* NMS's factor takes so many values at most: where there are more iterations, 2, 4, ... share one. */
enum { LDPC_ALPHAS = 32 };

#endif
