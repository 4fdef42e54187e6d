/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * srsRAN 4G: Viterbi K = 7 of rate 1/3 (8 bits), turbo (16 and 8 bits), polar without a list (8 bits), NR LDPC with
 * layers (8 bits, stopped by the CRC 24B).
 */
#include "decoder.h"

#include <srsran/phy/common/phy_common.h>
#include <srsran/phy/fec/convolutional/viterbi.h>
#include <srsran/phy/fec/crc.h>
#include <srsran/phy/fec/ldpc/ldpc_decoder.h>
#include <srsran/phy/fec/polar/polar_chanalloc.h>
#include <srsran/phy/fec/polar/polar_code.h>
#include <srsran/phy/fec/polar/polar_decoder.h>
#include <srsran/phy/fec/polar/polar_interleaver.h>
#include <srsran/phy/fec/polar/polar_rm.h>
#include <srsran/phy/fec/turbo/turbodecoder.h>

#include <stdlib.h>
#include <string.h>

/* ---- Viterbi: symbols are bytes, 255 for a sure 1; a byte a bit comes out ---- */

struct viterbi {
    srsran_viterbi_t q;
    uint8_t *symbols, *out;
};

static void *viterbi_create(int variant)
{
    struct viterbi *s = get(sizeof *s);
    int generators[3];

    (void)variant;
    if (!row_is("viterbi") || row_number("constraint_length") != 7 || row_number("outputs") != 3)
        return NULL;
    for (int i = 0; i < 3; i++)
        generators[i] = row_reversed_generator(i);
    s->symbols = get((size_t)row.llrs);
    s->out = get((size_t)row.bits + 64);
    if (srsran_viterbi_init_avx2(&s->q, SRSRAN_VITERBI_37, generators, (uint32_t)row.bits,
                                 row_number("tail_biting") != 0))
        die("srsran_viterbi_init_avx2");
    return s;
}

static void viterbi_load(void *state, const int8_t *llrs, const uint8_t *bits)
{
    struct viterbi *s = state;

    (void)bits;
    for (int i = 0; i < row.llrs; i++)
        s->symbols[i] = (uint8_t)(128 - llrs[i] * 127 / row.max);
}

static void viterbi_decode(void *state)
{
    struct viterbi *s = state;

    srsran_viterbi_decode_uc(&s->q, s->symbols, s->out, (uint32_t)row.bits);
}

static void viterbi_store(void *state, uint8_t *bits)
{
    memcpy(bits, ((struct viterbi *)state)->out, (size_t)row.bits);
}

/* ---- turbo: LLRs positive for 1; sub-blocks side by side where its rate recovery would put them so ---- */

struct turbo {
    srsran_tdec_t q;
    int16_t *llrs16;
    int8_t *llrs8;
    uint8_t *out;
    int sub_blocks;
};

static void *turbo_create(int variant)
{
    const uint32_t k = (uint32_t)row.bits;
    struct turbo *s = get(sizeof *s);

    if (!row_is("turbo"))
        return NULL;
    s->sub_blocks = (int)(variant == 8 ? srsran_tdec_autoimp_get_subblocks_8bit(k) : srsran_tdec_autoimp_get_subblocks(k));
    if (variant == 8 && s->sub_blocks < 16) /* it has none of its own for these */
        return NULL;
    s->llrs16 = get(3 * (k + 32) * sizeof *s->llrs16 + 64);
    s->llrs8 = get(3 * (k + 32) + 64);
    s->out = get(k / 8 + 64);
    if (srsran_tdec_init(&s->q, k))
        die("srsran_tdec_init");
    return s;
}

/* Where LLR i of stream s goes. */
static int turbo_place(const struct turbo *t, int s, int i)
{
    const int k = row.bits, n = t->sub_blocks, w = n ? k / n : 1;

    if (!n)
        return 3 * i + s;
    return i < k ? s * (k + 32) + i % w * n + i / w : 3 * (k + 32) + 3 * (i - k) + s;
}

static void turbo_load16(void *state, const int8_t *llrs, const uint8_t *bits)
{
    struct turbo *t = state;

    (void)bits;
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < row.bits + 4; i++)
            t->llrs16[turbo_place(t, s, i)] = (int16_t)-llrs[s * (row.bits + 4) + i];
}

static void turbo_load8(void *state, const int8_t *llrs, const uint8_t *bits)
{
    struct turbo *t = state;

    (void)bits;
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < row.bits + 4; i++)
            t->llrs8[turbo_place(t, s, i)] = (int8_t)-llrs[s * (row.bits + 4) + i];
}

static void turbo_decode16(void *state)
{
    struct turbo *t = state;

    srsran_tdec_run_all(&t->q, t->llrs16, t->out, 2 * (uint32_t)row_number("iterations"), (uint32_t)row.bits);
}

static void turbo_decode8(void *state)
{
    struct turbo *t = state;

    srsran_tdec_run_all_8bit(&t->q, t->llrs8, t->out, 2 * (uint32_t)row_number("iterations"), (uint32_t)row.bits);
}

static void turbo_store(void *state, uint8_t *bits)
{
    for (int i = 0; i < row.bits; i++)
        bits[i] = ((struct turbo *)state)->out[i / 8] >> (7 - i % 8) & 1;
}

/* ---- polar: without a list, so a CRC is not used; rate matching and interleaving are in the time ---- */

struct polar {
    srsran_polar_decoder_t q;
    srsran_polar_code_t code;
    srsran_polar_rm_t rm;
    int8_t *llrs, *word;
    uint8_t *out, *allocated, *message;
    int interleave, n_max;
};

static void *polar_create(int variant)
{
    struct polar *s = get(sizeof *s);
    const int n = row_number("n");

    (void)variant;
    if (!row_is("polar") || !*row_text("nr_order"))
        return NULL;
    s->interleave = row_number("input_interleave");
    s->n_max = n == 1024 ? 10 : 9;
    srsran_polar_code_init(&s->code);
    if (srsran_polar_code_get(&s->code, (uint16_t)row.bits, (uint16_t)row.llrs, (uint8_t)s->n_max))
        return NULL;
    if (srsran_polar_decoder_init(&s->q, SRSRAN_POLAR_DECODER_SSC_C_AVX2, (uint8_t)s->n_max) ||
        srsran_polar_rm_rx_init_c(&s->rm))
        die("srsran_polar_decoder_init");
    s->llrs = get((size_t)row.llrs);
    s->word = get(1024);
    s->out = get(1024);
    s->allocated = get(1024);
    s->message = get(1024);
    return s;
}

static void polar_load(void *state, const int8_t *llrs, const uint8_t *bits)
{
    struct polar *s = state;

    (void)bits;
    memcpy(s->llrs, llrs, (size_t)row.llrs);
    if (row.llrs == s->code.N)
        memcpy(s->word, llrs, (size_t)row.llrs);
}

static void polar_decode(void *state)
{
    struct polar *s = state;
    const srsran_polar_code_t *c = &s->code;

    if (row.llrs != c->N)
        srsran_polar_rm_rx_c(&s->rm, s->llrs, s->word, (uint32_t)row.llrs, c->n, (uint32_t)row.bits, 0);
    srsran_polar_decoder_decode_c(&s->q, s->word, s->out, c->n, c->F_set, c->F_set_size);
    srsran_polar_chanalloc_rx(s->out, s->allocated, c->K, c->nPC, c->K_set, c->PC_set);
    if (s->interleave)
        srsran_polar_interleaver_run_u8(s->allocated, s->message, (uint32_t)row.bits, false);
}

static void polar_store(void *state, uint8_t *bits)
{
    const struct polar *s = state;

    memcpy(bits, s->interleave ? s->message : s->allocated, (size_t)row.bits);
}

/* ---- LDPC: 8 bits, layers; the CRC of the row stops it ---- */

struct ldpc {
    srsran_ldpc_decoder_t q;
    srsran_crc_t crc;
    int8_t *llrs;
    uint8_t *out;
};

static void *ldpc_create(int variant)
{
    const srsran_ldpc_decoder_args_t args = {
        .type = variant == 512 ? SRSRAN_LDPC_DECODER_C_AVX512 : SRSRAN_LDPC_DECODER_C_AVX2,
        .bg = BG1,
        .ls = (uint16_t)row_number("z"),
        .scaling_fctr = 0.8f,
        .max_nof_iter = (uint32_t)row_number("iterations"),
    };
    struct ldpc *s = get(sizeof *s);

    if (!row_is("ldpc"))
        return NULL;
    if (srsran_ldpc_decoder_init(&s->q, &args) || srsran_crc_init(&s->crc, SRSRAN_LTE_CRC24B, 24))
        return NULL;
    s->llrs = get(66 * (size_t)args.ls);
    s->out = get((size_t)row.bits + 64);
    return s;
}

static void ldpc_load(void *state, const int8_t *llrs, const uint8_t *bits)
{
    (void)bits;
    memcpy(((struct ldpc *)state)->llrs, llrs, (size_t)row.llrs);
}

static void ldpc_decode(void *state)
{
    struct ldpc *s = state;

    srsran_ldpc_decoder_decode_crc_c(&s->q, s->llrs, s->out, (uint32_t)row.llrs, &s->crc);
}

static void ldpc_store(void *state, uint8_t *bits)
{
    memcpy(bits, ((struct ldpc *)state)->out, (size_t)row.bits);
}

const struct decoder decoders[] = {
    {"srsRAN 4G, 8 bits", 0, viterbi_create, viterbi_load, viterbi_decode, viterbi_store},
    {"srsRAN 4G, 16 bits", 16, turbo_create, turbo_load16, turbo_decode16, turbo_store},
    {"srsRAN 4G, 8 bits", 8, turbo_create, turbo_load8, turbo_decode8, turbo_store},
    {"srsRAN 4G, no list", 0, polar_create, polar_load, polar_decode, polar_store},
    {"srsRAN 4G, AVX-512", 512, ldpc_create, ldpc_load, ldpc_decode, ldpc_store},
    {"srsRAN 4G, AVX2", 2, ldpc_create, ldpc_load, ldpc_decode, ldpc_store},
    {0},
};
