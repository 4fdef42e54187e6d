/* SPDX-License-Identifier: BSD-2-Clause */
/* The target of t/fuzz/samples.c on its corpus. */
#include "t/fuzz/samples.c"

#define CORPUS "samples"
#include "t/lib/corpus.h"
