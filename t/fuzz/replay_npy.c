/* SPDX-License-Identifier: BSD-2-Clause */
/* The target of t/fuzz_npy.c on its corpus. */
#include "fuzz_npy.c"

#define CORPUS "npy"
#include "corpus.h"
