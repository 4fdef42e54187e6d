/* SPDX-License-Identifier: BSD-2-Clause */
/* Positions of a tile's traces: the part of code/tiles.c that kernels also compute. */
#ifndef VITERBI_CODE_TILES_DEVICE_H
#define VITERBI_CODE_TILES_DEVICE_H

#include <fecrun/sdk/device.h>

#include "plugins/viterbi/code/tiles.h"

FECRUN_INLINE size_t viterbi_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* viterbi_tile_trace() for a spec with these f0 and v2. */
FECRUN_INLINE bool viterbi_trace_at(size_t f0, size_t v2, const struct viterbi_tile *tile, size_t k,
                                    struct viterbi_trace *trace)
{
    const size_t length = f0 == 0 ? tile->count : f0;

    if (k > 0 && f0 == 0)
        return false;
    trace->from = k * length;
    if (trace->from >= tile->bits)
        return false;
    trace->to = viterbi_min(trace->from + length, tile->count);
    trace->stage = tile->steps;
    if (f0 > 0)
        trace->stage = viterbi_min(tile->lead + trace->to + v2, tile->steps);
    trace->to = viterbi_min(trace->to, tile->bits);
    trace->known = tile->to_zero && trace->stage == tile->steps;
    return true;
}

#endif
