/* SPDX-License-Identifier: BSD-2-Clause */
/* The target of t/fuzz/qc.c on its corpus. */
#include "t/fuzz/qc.c"

#define CORPUS "qc"
#include "t/lib/corpus.h"
