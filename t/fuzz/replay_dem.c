/* SPDX-License-Identifier: BSD-2-Clause */
/* The target of t/fuzz/dem.c on its corpus. */
#include "t/fuzz/dem.c"

#define CORPUS "dem"
#include "t/lib/corpus.h"
