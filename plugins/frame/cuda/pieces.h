/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frame.insert, frame.remove, frame.split and frame.join on CUDA devices: the work of one thread, four items of an output
 * frame. An output frame is one part or several; a part is items of one input frame, with known items in between
 * or without some.
 */
#ifndef FRAME_CUDA_PIECES_H
#define FRAME_CUDA_PIECES_H

#include <fecrun/plugin.h>

#include "plugins/common/gpu/load.h"

enum { FRAME_PIECES_ITEMS = 4 /* of a chunk */ };

/* There is one class of frames: its known items, one after the other as they are stored, follow it. */
struct frame_pieces_class {
    uint64_t none;
};

struct frame_pieces_args {
    struct gpu_frames frames; /* output frames */
    struct gpu_port in, out;
    const struct frame_pieces_class *classes; /* in device memory */
    uint64_t chunks, items;                   /* of an output frame */
    uint64_t part;                            /* items of a part */
    uint64_t parts;                           /* of an output frame */
    uint64_t cut; /* parts of an input frame, one behind the other; each of `part` items if not 1 */
    uint64_t at;  /* items of a part before the known ones, or before those left out */
    uint64_t known; /* that many, of which `values` are given: one for all, or each */
    uint64_t values;
    uint64_t left_out;
    uint64_t last; /* items of the last part of an input frame; the others are 0 */
    const struct fecrun_frame_info
        *info; /* of input frames; NULL: nothing is to be said of output frames */
    struct fecrun_frame_info *out_info;
};

/* The input item that item k of part p is; false: it is known or missing. */
FECRUN_INLINE bool frame_pieces_from(const struct frame_pieces_args *a, uint64_t p, uint64_t k,
                                     uint64_t *item)
{
    const uint64_t piece = a->cut > 1 ? p % a->cut : 0;

    if (k >= a->at && k < a->at + a->known)
        return false;
    if (piece + 1 == a->cut && k >= a->last)
        return false;
    *item = piece * a->part + (k < a->at ? k : k - a->known + a->left_out);
    return true;
}

/* An output frame is as good as the worst input frame of it that was checked; one that is cut off has failed. */
FECRUN_INLINE void frame_pieces_info(const struct frame_pieces_args *a, uint64_t f)
{
    const bool is_last = f % a->cut + 1 == a->cut;
    uint32_t flags = 0;

    for (uint64_t p = 0; p < a->parts; p++) {
        const uint32_t of = a->info[a->cut > 1 ? f / a->cut : f * a->parts + p].flags;

        if (of & FECRUN_FRAME_CHECKED)
            flags |= of & (FECRUN_FRAME_CHECKED | FECRUN_FRAME_FAILED);
    }
    if (is_last && a->last < a->part)
        flags |= (uint32_t)FECRUN_FRAME_CHECKED | (uint32_t)FECRUN_FRAME_FAILED;
    a->out_info[f].flags |= flags;
}

/* The value of a known item, or 0. */
#define FRAME_PIECES_KNOWN(a, type, own, k) \
    ((k) >= (a)->at && (k) < (a)->at + (a)->known \
         ? ((const type *)(const void *)((own) + 1))[(a)->values > 1 ? (k) - (a)->at : 0] \
         : 0)

/* own: where the class and its known items are. */
#define FRAME_PIECES(name, type) \
    FECRUN_INLINE void name(const struct frame_pieces_args *a, \
                            const struct frame_pieces_class *own, uint64_t f, uint64_t c) \
    { \
        type *out = (type *)(void *)gpu_frame(&a->out, f); \
        const unsigned unit = FRAME_PIECES_ITEMS * sizeof(type); \
        const int64_t begin = fecrun_chunk_begin(out, unit, unit, c) / (int64_t)sizeof(type); \
        type item[FRAME_PIECES_ITEMS]; \
        uint64_t p, k; \
        (void)own; \
        own = a->classes; \
        if (begin >= (int64_t)a->items) \
            return; \
        k = begin < 0 ? 0 : (uint64_t)begin; \
        p = a->parts > 1 ? k / a->part : 0; \
        k -= p * a->part; \
        p += f * a->parts; \
        FECRUN_UNROLL \
        for (int i = 0; i < FRAME_PIECES_ITEMS; i++) { \
            uint64_t from = 0; \
            item[i] = 0; \
            if (begin + i < 0 || begin + i >= (int64_t)a->items) \
                continue; \
            if (frame_pieces_from(a, p, k, &from)) \
                item[i] = ((const type *)(const void *)gpu_frame(&a->in, a->cut > 1 ? p / a->cut \
                                                                                    : p))[from]; \
            else \
                item[i] = FRAME_PIECES_KNOWN(a, type, own, k); \
            k++; \
            if (k == a->part && a->parts > 1) \
                k = 0, p++; \
        } \
        FECRUN_STORE_ITEMS(out, (int64_t)a->items, begin, item); \
        if (c == 0 && a->info) \
            frame_pieces_info(a, f); \
    }

FRAME_PIECES(frame_pieces_8, uint8_t)
FRAME_PIECES(frame_pieces_16, uint16_t)
FRAME_PIECES(frame_pieces_32, uint32_t)

#endif
