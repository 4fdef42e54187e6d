/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer target: a qc file. */
#define FUZZ_PARSE ldpc_parse_qc
#include "t/fuzz/ldpc.h"
