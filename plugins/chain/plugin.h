/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Internal declarations of the plugin chain: sources, sinks, CRC, modems, channels and the
 * quantiser.
 */
#ifndef CHAIN_PLUGIN_H
#define CHAIN_PLUGIN_H

#include <fecrun/sim.h>
#include <fecrun/sdk/bits.h>
#include <fecrun/sdk/gauss.h>
#include <fecrun/sdk/rng.h>
#include <fecrun/sdk/stage.h>
#include <stdbool.h>

extern const struct fecrun_stage chain_source_random, chain_source_file;
extern const struct fecrun_stage chain_sink_errors, chain_sink_file, chain_sink_null;
extern const struct fecrun_stage chain_source_memory, chain_sink_memory;
extern const struct fecrun_stage chain_crc_attach, chain_crc_check;
extern const struct fecrun_stage chain_seg_split, chain_seg_join;
extern const struct fecrun_stage chain_seg_concatenate, chain_seg_divide;
extern const struct fecrun_stage chain_modem_map, chain_modem_demap, chain_modem_hard;
extern const struct fecrun_stage chain_channel_awgn, chain_channel_bsc, chain_channel_bec;
extern const struct fecrun_stage chain_channel_fading;
extern const struct fecrun_stage chain_llr_quantize;

extern const struct fecrun_backend chain_source_random_cuda, chain_sink_errors_cuda;
extern const struct fecrun_backend chain_modem_map_cuda, chain_modem_demap_cuda;
extern const struct fecrun_backend chain_channel_awgn_cuda, chain_channel_bits_cuda;
extern const struct fecrun_backend chain_llr_quantize_cuda;
extern const struct fecrun_backend chain_llr_quantize_simd, chain_channel_awgn_simd,
    chain_channel_fading_simd;
extern const struct fecrun_backend chain_modem_hard_simd, chain_modem_hard_cuda;
extern const struct fecrun_backend chain_crc_attach_cuda, chain_crc_check_cuda;
extern const struct fecrun_backend chain_seg_split_cuda, chain_seg_join_cuda;
extern const struct fecrun_backend chain_seg_concatenate_cuda, chain_seg_divide_cuda;

/*
 * Bits or samples that a loop handles at once, in buffers on the stack: a multiple of 128 (one RNG
 * block of bits) and of 24 and 40 (whole bytes and whole symbols of most schemes).
 */
enum { CHAIN_CHUNK = 1920 };

/* At most as many bits that are whole bytes and whole symbols of so many bits. */
static inline uint64_t chain_chunk(unsigned symbol_bits)
{
    return CHAIN_CHUNK - CHAIN_CHUNK % (8 * symbol_bits);
}

static inline size_t chain_part(uint64_t left)
{
    return left < CHAIN_CHUNK ? (size_t)left : CHAIN_CHUNK;
}

/* Forms of a stage with one port, which takes or gives every type: of bits, those of `first` before
   those of `second`. */
#define CHAIN_EACH_TYPE(PORT, first, second) \
    FECRUN_FORM(PORT({.type = FECRUN_##first})), FECRUN_FORM(PORT({.type = FECRUN_##second})), \
        FECRUN_FORM(PORT({.type = FECRUN_I4})), FECRUN_FORM(PORT({.type = FECRUN_I8})), \
        FECRUN_FORM(PORT({.type = FECRUN_I16})), FECRUN_FORM(PORT({.type = FECRUN_F16})), \
        FECRUN_FORM(PORT({.type = FECRUN_F32})), FECRUN_FORM(PORT({.type = FECRUN_C8}))

/*
 * Bits first .. first+n-1 of a frame as bytes: in a u8 frame where they lie, from a packed one
 * unpacked into buffer. first is a multiple of 8.
 */
static inline const uint8_t *chain_bits(const struct fecrun_view *view, uint64_t frame,
                                        uint64_t first, size_t n, uint8_t *buffer)
{
    const uint8_t *row = fecrun_row(view, frame);

    if (view->type == FECRUN_U8)
        return row + first;
    fecrun_bits_unpack(buffer, row + first / 8, n);
    return buffer;
}

#endif
