/* SPDX-License-Identifier: BSD-2-Clause */
/* The target of t/fuzz/set.c on its corpus. */
#include "t/fuzz/set.c"

#define CORPUS "set"
#include "t/lib/corpus.h"
