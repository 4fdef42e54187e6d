/* SPDX-License-Identifier: BSD-2-Clause */
/* The target of t/fuzz_qc.c on its corpus. */
#include "fuzz_qc.c"

#define CORPUS "qc"
#include "corpus.h"
