/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of one instruction set's kernels, made of the instances that were defined before. */

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

static const struct viterbi_kernel kernels[] = {
    {LANES(lanes8, 8, LANES8_K7), .k7 = true, .pack = pack_i8, .forward = lanes8_k7_forward},
    {LANES(lanes8, 8, 3), .pack = pack_i8, .forward = lanes8_forward},
    {LANES(lanes8, 8, 2), .pack = pack_i8, .forward = lanes8_forward},
    {LANES(lanes16, 16, 3), .k7 = true, .pack = pack_i8, .forward = lanes16_k7_forward},
    {LANES(lanes16, 16, 3), .pack = pack_i8, .forward = lanes16_forward},
    {LANES(lanes_float, 32, 3), .k7 = true, .pack = pack_float, .forward = lanes_float_k7_forward},
    {LANES(lanes_float, 32, 3), .pack = pack_float, .forward = lanes_float_forward},
    {TURN(along16, 16, TURN16_MIN_K, TURN16_LANE_BITS, TURN16_STATE_BIT)},
    {ALONG(along16, 16, ALONG16_MIN_K)},
    {ALONG(along_float, 32, ALONG_FLOAT_MIN_K)},
    {.bits = 0},
};
