/* SPDX-License-Identifier: BSD-2-Clause */
#if defined(__AVX2__)
#define FEC_SOFT(name) fec_soft_##name##_avx2
#include "tools/libfec/soft_loops.h"
#else
typedef int fec_soft_no_avx2; /* this compiler has none */
#endif
