/* SPDX-License-Identifier: BSD-2-Clause */
/* The target of t/fuzz/journal.c on its corpus. */
#include "t/fuzz/journal.c"

#define CORPUS "journal"
#include "t/lib/corpus.h"
