/* SPDX-License-Identifier: BSD-2-Clause */
/* The target of t/fuzz_alist.c on its corpus. */
#include "fuzz_alist.c"

#define CORPUS "alist"
#include "corpus.h"
