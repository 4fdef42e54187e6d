/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: one instruction set's kernels: an instance of lanes.h or along.h for each kind of metric,
 * and the table of them. The includer includes its vec_*.h and common.h and defines
 *   acs8, wrap_acs8, acs16, acs_float   metric_acs() of lanes.h; acs16_2 metric_acs2()
 *   BIAS8, llr16, exchange16, decide16, parts16, parts_float   see lanes.h, along.h and turn.h
 *   floats, FLOATS(op)                  vectors of float and their operations
 *   K7_STEPS8, K7_STEPS16, K9_STEPS     steps at a time of known.h
 *   and the constants of the table
 */
#include "plugins/viterbi/simd/pack.h"

#if defined(__SANITIZE_ADDRESS__) || defined(SANITIZED)
#define UNROLL_GROUPS /* much slower to build with checks of memory */
#else
#define UNROLL_GROUPS _Pragma("GCC unroll 64")
#endif

#define metric_set OF(set)
#define metric_add OF(add)
#define metric_sub OF(sub)
#define metric_and OF(and)
#define metric_negate OF(negate)
#define METRICS ((int)(sizeof(metrics) / sizeof(elem)))

#define NAME(x) lanes8_##x
#define OF(op) vec_i8_##op
#define METRIC_BITS 8
#define METRIC_BIAS BIAS8
#define K7_STEPS K7_STEPS8
#define elem int8_t
#define item int8_t
#define metrics vec
#define metric_load vec_load
#define metric_store vec_store
#define metric_acs acs8
#define metric_acs2(...) ONE_BY_ONE(acs8, __VA_ARGS__)
#define metric_wrap_acs2(...) ONE_BY_ONE(wrap_acs8, __VA_ARGS__)
#define llr_load vec_load
#include "plugins/viterbi/simd/lanes.h"

#define NAME(x) lanes16_##x
#define OF(op) vec_i16_##op
#define METRIC_BITS 16
#define METRIC_BIAS 0
#define K7_STEPS K7_STEPS16
#define elem int16_t
#define item int8_t
#define metrics vec
#define metric_load vec_load
#define metric_store vec_store
#define metric_acs acs16
#define metric_acs2 acs16_2
#define metric_wrap_acs2 acs16_2
#define llr_load llr16
#include "plugins/viterbi/simd/lanes.h"

#define NAME(x) lanes_float_##x
#define OF(op) FLOATS(op)
#define METRIC_BITS 32
#define METRIC_BIAS 0
#define K7_STEPS K7_STEPS16
#define elem float
#define item float
#define metrics floats
#define metric_load FLOATS(load)
#define metric_store FLOATS(store)
#define metric_acs acs_float
#define metric_acs2(...) ONE_BY_ONE(acs_float, __VA_ARGS__)
#define metric_wrap_acs2 metric_acs2
#define llr_load FLOATS(load)
#include "plugins/viterbi/simd/lanes.h"

/* Vectors along a state's neighbours: at any address. */
#define vec_i16_negate(m, v) vec_i16_sub(vec_xor(v, m), m)
#define vec_i16_and vec_and

#define NAME(x) along16_##x
#define OF(op) vec_i16_##op
#define METRIC_BITS 16
#define ITEM_VALUE(x) (int16_t) value_i8(x)
#define elem int16_t
#define item int8_t
#define metrics vec
#define metric_load vec_load_any
#define metric_store vec_store
#define metric_acs2 acs16_2
#define metric_parts parts16
#define metric_exchange exchange16
#define metric_decide2 decide16
#include "plugins/viterbi/simd/along.h"

#define NAME(x) along_float_##x
#define OF(op) FLOATS(op)
#define METRIC_BITS 32
#define ITEM_VALUE(x) value_float(x)
#define elem float
#define item float
#define metrics floats
#define metric_load FLOATS(load_any)
#define metric_store FLOATS(store)
#define metric_acs2(...) ONE_BY_ONE(acs_float, __VA_ARGS__)
#define metric_parts parts_float
#include "plugins/viterbi/simd/along.h"

#define LANES(instance, size, every) \
    .lanes = VITERBI_LANES, .bits = size, .min_K = VITERBI_MIN_K, .period = every, \
    .name = ISA_NAME, .dropped_step = dropped_step_lanes, .reset = instance##_reset, \
    .best = instance##_best, .trace = trace_lanes, .merge = merge_lanes

#define ALONG(instance, size, least) \
    .lanes = 1, .bits = size, .min_K = least, .name = ISA_NAME, \
    .dropped_step = dropped_step_along, .reset = instance##_reset, .best = instance##_best, \
    .trace = trace_along, .forward = instance##_forward

#define TURN(instance, size, least, lane_bits, bit) \
    .lanes = 1, .bits = size, .min_K = least, .turning = lane_bits, .state_bit = bit, \
    .name = ISA_NAME, .dropped_step = dropped_step_along, .reset = instance##_reset, \
    .best = instance##_turn_best, .trace = viterbi_turning_trace, \
    .forward = instance##_turn_forward

#define K7 .K = 7, .gen = {0133, 0171}
#define K9 .K = 9, .gen = {0561, 0753}

static const struct viterbi_kernel kernels[] = {
    {LANES(lanes8, 8, K7_STEPS8), K7, .pack = pack_i8, .forward = lanes8_k7_forward},
    {LANES(lanes8, 8, K9_STEPS), K9, .pack = pack_i8, .forward = lanes8_k9_forward},
    {LANES(lanes8, 8, 3), .pack = pack_i8, .forward = lanes8_forward},
    {LANES(lanes8, 8, 2), .pack = pack_i8, .forward = lanes8_forward},
    {LANES(lanes16, 16, 3), K7, .pack = pack_i8, .forward = lanes16_k7_forward},
    {LANES(lanes16, 16, 3), K9, .pack = pack_i8, .forward = lanes16_k9_forward},
    {LANES(lanes16, 16, 3), .pack = pack_i8, .forward = lanes16_forward},
    {LANES(lanes_float, 32, 3), K7, .pack = pack_float, .forward = lanes_float_k7_forward},
    {LANES(lanes_float, 32, 3), .pack = pack_float, .forward = lanes_float_forward},
    {TURN(along16, 16, TURN16_MIN_K, TURN16_LANE_BITS, TURN16_STATE_BIT)},
    {ALONG(along16, 16, ALONG16_MIN_K)},
    {ALONG(along_float, 32, ALONG_FLOAT_MIN_K)},
    {.bits = 0},
};
