/* SPDX-License-Identifier: BSD-2-Clause */
/* Transport blocks and their code blocks: sizes of TS 38.212 5.2.1, 5.2.2 and TS 36.212 5.1.2. */
#ifndef CHAIN_SEG_SEG_H
#define CHAIN_SEG_SEG_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SEG_CRC = 24,
    SEG_MOST = 1 << 24, /* bits of a transport block */
    SEG_LEAST_UCI = 12, /* bits of uplink control that get a parity */
};

struct seg_sizes {
    uint32_t a;      /* bits of the transport block, */
    uint32_t tb_crc; /* of its parity: 16 or 24, or 0: uplink control, */
    uint32_t b;      /* of both */
    uint32_t blocks; /* C */
    uint32_t cb_crc; /* 24, or 0 where there is one block; uplink control: 6 or 11 */
    /* NR: all blocks have K' bits, fillers not counted. 0: b is no multiple, and the standard, whose
       transport blocks are chosen to be, says nothing. */
    uint32_t k_used;
    uint32_t z;
    /* LTE: C- blocks of K-, then those of K+. NR: K+ is K. */
    uint32_t k_plus, k_minus, blocks_minus;
    uint32_t fillers; /* NR: at the end of each block. LTE, uplink control: in front of the first */
};

/* The base graph of a transport block, TS 38.212 7.2.2. */
unsigned seg_base_graph(uint32_t a, double rate);
struct seg_sizes seg_nr(uint32_t a, unsigned bg);
struct seg_sizes seg_lte(uint32_t a);

/* NR's uplink control, of which g bits are sent (TS 38.212 5.2.1, 6.3.1.2.1). a from 12 on. */
struct seg_sizes seg_uci(uint32_t a, uint32_t g);

/* Have all blocks the same frame? bg 0: LTE, 3: uplink control. */
bool seg_even(const struct seg_sizes *sizes, unsigned bg);

/* The code object of seg.split and seg.join. */
struct seg_code {
    struct seg_sizes sizes;
    uint32_t items, front; /* of a code block: bits; fillers in front of those of the first */
    uint32_t tb_polynomial, cb_polynomial; /* of the parities, as in common/crc/crc.h */
};

/* The code object of seg.concatenate and seg.divide. */
struct seg_blocks {
    uint32_t n;
    uint64_t items, rest; /* of a code block; behind the last one, less than n */
};

#endif
