/* SPDX-License-Identifier: BSD-2-Clause */
/* Code objects of the stages that put frames together or cut them. */
#ifndef FRAME_CODE_PIECES_H
#define FRAME_CODE_PIECES_H

#include "plugins/frame/code/word.h"

enum known_value { KNOWN_ZERO, KNOWN_ONE, KNOWN_UNKNOWN };

/* frame.insert and frame.remove */
struct known {
    uint64_t at, count, rest; /* items in front, of the piece, and behind it */
    enum known_value value;
    double llr; /* of a known 0 */
};

/* frame.split */
struct split_code {
    uint64_t frame;  /* items of a frame that comes out */
    uint64_t last;   /* of the last one of each that came in; fewer at the end of a stream */
    uint32_t pieces; /* frames of each that comes in */
};

/* frame.join */
struct join_code {
    struct word word; /* none: its width is 0 */
    uint64_t frame;   /* items of a frame */
    uint32_t pieces;  /* frames that are joined */
};

#endif
