/* SPDX-License-Identifier: BSD-2-Clause */
/* The target of t/fuzz/conf.c on its corpus. */
#include "t/fuzz/conf.c"

#define CORPUS "conf"
#include "t/lib/corpus.h"
