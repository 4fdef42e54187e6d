/* SPDX-License-Identifier: BSD-2-Clause */
/* The target of t/fuzz_conf.c on its corpus. */
#include "fuzz_conf.c"

#define CORPUS "conf"
#include "corpus.h"
