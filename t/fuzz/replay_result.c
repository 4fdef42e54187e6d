/* SPDX-License-Identifier: BSD-2-Clause */
/* The target of t/fuzz/result.c on its corpus. */
#include "t/fuzz/result.c"

#define CORPUS "result"
#include "t/lib/corpus.h"
