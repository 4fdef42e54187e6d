/* SPDX-License-Identifier: BSD-2-Clause */
/* The target of t/fuzz/plan.c on its corpus. */
#include "t/fuzz/plan.c"

#define CORPUS "plan"
#include "t/lib/corpus.h"
