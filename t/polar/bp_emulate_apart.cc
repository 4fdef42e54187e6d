/* SPDX-License-Identifier: BSD-2-Clause */
/* bp_emulate.cc with signs apart from magnitudes, as compute capability 8.0 has them. */
#define BP_SIGNS_APART 1
#define polar_emulate_bp_half polar_emulate_bp_half_apart
#define polar_emulate_bp_any polar_emulate_bp_any_apart
#define polar_emulate_bp_ragged polar_emulate_bp_ragged_apart
#include "t/polar/bp_emulate.cc"
