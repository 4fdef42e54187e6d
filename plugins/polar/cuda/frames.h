/* SPDX-License-Identifier: BSD-2-Clause */
/* The frames of a launch, as the kernels of sc and scl know them: where LLRs come from, which bits
   of u go where, the CRC. */
#ifndef POLAR_CUDA_FRAMES_H
#define POLAR_CUDA_FRAMES_H

#include <fecrun/plugin.h>

#include "plugins/common/crc/crc.h"

struct polar_frames {
    const int8_t *in;
    uint8_t *out;
    uint64_t in_stride, out_stride; /* bytes */
    struct fecrun_frame_info *info;
    const uint16_t *position; /* of the K bits in u; any, up to a multiple of 32 */
    const uint32_t *crc_table;
    uint32_t count;
    uint32_t n, k;
    uint32_t aligned; /* all frames of the input begin at multiples of 16 */
    uint32_t packed;  /* output: 8 bits a byte, else one */
    uint32_t checked; /* there is a CRC: register before and behind it, at the top of a word */
    uint32_t crc_start, crc_rest, polynomial;
    uint32_t iterations; /* goes to info */
};

/* What a node of a code's tree is; NODE_PARITY: one bit, known from those in front. */
enum polar_node { NODE_RATE0, NODE_RATE1, NODE_REP, NODE_SPC, NODE_SPLIT, NODE_PARITY };

enum { POLAR_CRC_TABLE = 256 };

/* The kernels decode a shorter code as one of this length whose first positions are frozen. */
enum { POLAR_LEAST_N = 64 };

struct polar_decode;

#ifdef __cplusplus
extern "C" {
#endif

/* Entries of `position` of a code. */
uint32_t polar_frames_positions(const struct polar_decode *d);
/* What the code and its CRC say; position and table are the host's. */
void polar_frames_fill(struct polar_frames *f, const struct polar_decode *d, uint16_t *position,
                       uint32_t *table);

#ifdef __cplusplus
}
#endif

#endif
