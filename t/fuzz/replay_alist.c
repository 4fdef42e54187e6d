/* SPDX-License-Identifier: BSD-2-Clause */
/* The target of t/fuzz/alist.c on its corpus. */
#include "t/fuzz/alist.c"

#define CORPUS "alist"
#include "t/lib/corpus.h"
