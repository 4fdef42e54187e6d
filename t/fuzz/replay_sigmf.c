/* SPDX-License-Identifier: BSD-2-Clause */
/* The target of t/fuzz/sigmf.c on its corpus. */
#include "t/fuzz/sigmf.c"

#define CORPUS "sigmf"
#include "t/lib/corpus.h"
