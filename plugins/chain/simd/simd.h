/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Declarations shared by the simd backends: kernels for each instruction set, chosen when an
 * instance is made.
 */
#ifndef CHAIN_SIMD_SIMD_H
#define CHAIN_SIMD_SIMD_H

#include "plugins/chain/codes.h"

#include "plugins/chain/channel/wave.h"
#include <fecrun/plugin.h>
#include <fecrun/sdk/rng.h>
#include <fecrun/sdk/simd.h>

extern const struct fecrun_param *const chain_simd_tune[];

/* All that happens to a bit from modem.map to llr.quantize, or to modem.hard, which needs of `demap` the
   inverse_unit only: what the code objects say. */
struct chain_link {
    unsigned bits;               /* of a real dimension: 1 to 4 */
    float amplitude[MAX_LEVELS]; /* of a level, by its bits behind the first, which is its sign */
    float sigma;
    struct demap_code demap;
    struct quantize_code quantize;
};

/* Which noise: that of a frame of a random stage. */
struct chain_noise {
    struct fecrun_rng rng;
    uint64_t frame;
};

struct chain_kernels {
    const char *name;
    /* Bits of a frame, PACKED or U8, to its LLRs, I8 or I4, or to bits of that type again. */
    void (*link)(const struct chain_link *link, const struct chain_noise *noise,
                 const uint8_t *bits, uint32_t bits_type, uint64_t n, uint8_t *out,
                 uint32_t out_type);
    /* out = in + sigma * noise; a sample in `step` floats, 1 or 2; what lies between is copied. */
    void (*add)(const struct chain_noise *noise, float sigma, const float *in, float *out,
                unsigned step, uint64_t samples);
    /* llr.quantize alone, to I8, I4 or I16 */
    void (*quantize)(const struct quantize_code *code, const float *in, void *out, uint32_t type,
                     uint64_t n);
    /* modem.hard alone: n bits, PACKED or U8; the first symbol has number `first` */
    void (*hard)(const struct hard_code *code, const float *in, uint64_t n, uint8_t *bits,
                 uint32_t type, uint64_t first);
    chain_wave *wave; /* of channel.fading */
};

/* NULL: this build has none. */
const struct chain_kernels *chain_kernels_generic(void);
const struct chain_kernels *chain_kernels_avx2(void);
const struct chain_kernels *chain_kernels_avx512(void);

/* For create(): what is sent, with dimensions of so many bits. */
void chain_link_send(struct chain_link *link, unsigned bits, const struct map_code *map,
                     const struct awgn_code *awgn);

/* For create(): the kernels that tune.isa and the host allow. */
int chain_simd_choose(const struct fecrun_create *args, const struct chain_kernels **kernels,
                      struct fecrun_error *err);
/* create() of stages whose instance is these kernels. */
int chain_simd_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err);

#endif
