/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer target: an alist file. */
#define FUZZ_PARSE ldpc_parse_alist
#include "t/fuzz/ldpc.h"
