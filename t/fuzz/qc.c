/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer target: a qc file. */
#define FUZZ_PARSE ldpc_parse_qc
#include "fuzz_ldpc.h"
