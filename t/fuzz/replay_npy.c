/* SPDX-License-Identifier: BSD-2-Clause */
/* The target of t/fuzz/npy.c on its corpus. */
#include "t/fuzz/npy.c"

#define CORPUS "npy"
#include "t/lib/corpus.h"
