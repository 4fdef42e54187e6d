/* SPDX-License-Identifier: BSD-2-Clause */
/* The target of t/fuzz/blocks.c on its corpus. */
#include "t/fuzz/blocks.c"

#define CORPUS "blocks"
#include "t/lib/corpus.h"
