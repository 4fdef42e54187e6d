/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frame/lte_pbch.i1, lte_pbch_msg.bin: the broadcast channel of LTE in two periods of 40 ms, 1920 LLRs each, and their 24
 * bits; cell 301, two antenna ports, normal cyclic prefix.
 * frame/nr_dci.i1, nr_dci_msg.bin: twelve candidates of 432 LLRs in a search space of 5G NR, two of which are messages of 40 bits,
 * number 3 for RNTI 0x4601 and number 8 for 0x0017; n_ID 500; these 40 bits, then the RNTI, of both.
 *
 * frame/nr_pbch.i1, nr_pbch_msg.bin: the broadcast channel of 5G NR, four blocks (number 0) of 864 LLRs whose frame numbers end
 * with 0, 5, 10 and 15; cell 500, at most eight blocks a half frame; of each the 24 bits of the master information block and eight
 * bits: the four lowest of the frame number, half frame, the highest of k_SSB, 00.
 *
 * By srsRAN_4G at 1fab3df86 (its CRCs, encoders, rate matching and sequences), with noise:
 *
 *     P=srsRAN_4G/lib/src/phy; cc -w -msse4.1 -DLV_HAVE_SSE -o srsran srsran.c $P/fec/crc.c $P/fec/convolutional/{convcoder,parity}.c \
 *         $P/fec/turbo/rm_conv.c $P/fec/polar/{polar_code,polar_chanalloc,polar_encoder,polar_encoder_pipelined}.c \
 *         $P/fec/polar/{polar_interleaver,polar_rm}.c $P/common/sequence.c $P/utils/{bit,vector,vector_simd,phy_logger,debug}.c \
 *         -I srsRAN_4G/lib/include -I $P -ffunction-sections -Wl,--gc-sections -lm -lfftw3f
 *     ./srsran frame
 */
#include <srsran/phy/common/sequence.h>
#include <srsran/phy/fec/convolutional/convcoder.h>
#include <srsran/phy/fec/convolutional/rm_conv.h>
#include <srsran/phy/fec/crc.h>
#include <srsran/phy/fec/polar/polar_chanalloc.h>
#include <srsran/phy/fec/polar/polar_code.h>
#include <srsran/phy/fec/polar/polar_encoder.h>
#include <srsran/phy/fec/polar/polar_interleaver.h>
#include <srsran/phy/fec/polar/polar_rm.h>

#include <phch/pbch_nr.c> /* whose steps are functions of that file alone */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t state = 38;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((state >> 33) % below);
}

/* The sum of twelve draws is close enough to white noise. */
static double noise(double sigma)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += draw(1 << 20) / (double)(1 << 20);
    return sigma * sum;
}

/* An LLR, positive for 0; bit 2: nothing was sent. */
static void put_llr(FILE *out, unsigned bit, double sigma)
{
    const double y = (bit == 2 ? 0 : 1 - 2.0 * bit) + noise(sigma);

    fputc((int)lrint(fmax(-127, fmin(127, 16 * y))) & 255, out);
}

static void put_bits(FILE *out, const uint8_t *bits, unsigned n)
{
    for (unsigned i = 0; i < n; i += 8) {
        unsigned byte = 0;

        for (unsigned b = 0; b < 8; b++)
            byte = byte << 1 | bits[i + b];
        fputc((int)byte, out);
    }
}

static void pbch(FILE *llrs, FILE *bits)
{
    srsran_convcoder_t encoder = {.K = 7, .R = 3, .tail_biting = true, .poly = {0x6d, 0x4f, 0x57}};
    uint8_t message[40], word[120], sent[1920];
    srsran_crc_t crc;

    srsran_crc_init(&crc, SRSRAN_LTE_CRC16, 16);
    for (unsigned i = 0; i < 24; i++)
        message[i] = (uint8_t)draw(2);
    put_bits(bits, message, 24);
    srsran_crc_attach(&crc, message, 24);
    for (unsigned i = 24; i < 40; i++)
        message[i] ^= 1; /* two antenna ports */
    srsran_convcoder_encode(&encoder, message, word, 40);
    srsran_rm_conv_tx(word, 120, sent, 1920);
    srsran_sequence_apply_bit(sent, sent, 1920, 301);
    for (unsigned i = 0; i < 1920; i++)
        put_llr(llrs, sent[i], 2);
}

static void dci(FILE *llrs, FILE *bits, unsigned rnti)
{
    enum { K = 64, E = 432 };
    uint8_t c[24 + K], mixed[K], allocated[512], d[512], sent[E];
    srsran_polar_encoder_t encoder;
    srsran_polar_code_t code;
    srsran_polar_rm_t match;
    srsran_crc_t crc;

    srsran_crc_init(&crc, SRSRAN_LTE_CRC24C, 24);
    srsran_polar_code_init(&code);
    srsran_polar_encoder_init(&encoder, SRSRAN_POLAR_ENCODER_PIPELINED, 9);
    srsran_polar_rm_tx_init(&match);
    srsran_polar_code_get(&code, K, E, 9);
    memset(c, 1, 24);
    for (unsigned i = 0; i < K - 24; i++)
        c[24 + i] = (uint8_t)draw(2);
    srsran_crc_attach(&crc, c, K);
    for (unsigned i = 0; i < 16; i++)
        c[24 + K - 16 + i] ^= rnti >> (15 - i) & 1;
    put_bits(bits, c + 24, K - 24);
    fputc((int)(rnti >> 8), bits);
    fputc((int)(rnti & 255), bits);
    srsran_polar_interleaver_run_u8(c + 24, mixed, K, true);
    srsran_polar_chanalloc_tx(mixed, allocated, code.N, code.K, code.nPC, code.K_set, code.PC_set);
    srsran_polar_encoder_encode(&encoder, allocated, d, code.n);
    srsran_polar_rm_tx(&match, d, sent, code.n, E, K, 0);
    srsran_sequence_apply_bit(sent, sent, E, 500);
    for (unsigned i = 0; i < E; i++)
        put_llr(llrs, sent[i], 1);
}

static void broadcast(FILE *llrs, FILE *bits, unsigned number)
{
    const srsran_pbch_nr_cfg_t cell = {.N_id = 500, .Lmax = 8};
    srsran_pbch_msg_nr_t message = {
        .sfn_4lsb = (uint8_t)number, .hrf = number & 1, .k_ssb_msb = number >> 3 & 1};
    uint8_t a[32], b[56], d[512], f[864], more[8] = {0};
    srsran_pbch_nr_t q = {0};

    srsran_crc_init(&q.crc, SRSRAN_LTE_CRC24C, 24);
    srsran_polar_code_init(&q.code);
    srsran_polar_code_get(&q.code, 56, 864, 9);
    srsran_polar_encoder_init(&q.polar_encoder, SRSRAN_POLAR_ENCODER_PIPELINED, 9);
    srsran_polar_rm_tx_init(&q.polar_rm_tx);
    for (unsigned i = 0; i < 24; i++)
        message.payload[i] = (uint8_t)draw(2);
    for (unsigned i = 0; i < 4; i++)
        more[i] = number >> (3 - i) & 1;
    more[4] = message.hrf;
    more[5] = (uint8_t)message.k_ssb_msb;
    put_bits(bits, message.payload, 24);
    put_bits(bits, more, 8);
    pbch_nr_pbch_msg_pack(&cell, &message, a);
    pbch_nr_scramble(&cell, a, b);
    srsran_crc_attach(&q.crc, b, 32);
    pbch_nr_polar_encode(&q, b, d);
    pbch_nr_polar_rm_tx(&q, d, f);
    pbch_nr_scramble_tx(&cell, 0, f, f);
    for (unsigned i = 0; i < 864; i++)
        put_llr(llrs, f[i], 1.4);
}

static FILE *create(const char *folder, const char *name)
{
    char path[512];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "wb");
}

int main(int argc, char **argv)
{
    FILE *llrs, *bits;

    if (argc < 2)
        return 1;
    llrs = create(argv[1], "lte_pbch.i1");
    bits = create(argv[1], "lte_pbch_msg.bin");
    pbch(llrs, bits);
    pbch(llrs, bits);
    fclose(llrs);
    fclose(bits);
    llrs = create(argv[1], "nr_dci.i1");
    bits = create(argv[1], "nr_dci_msg.bin");
    for (unsigned candidate = 0; candidate < 12; candidate++) {
        if (candidate == 3 || candidate == 8)
            dci(llrs, bits, candidate == 3 ? 0x4601 : 0x17);
        else
            for (unsigned i = 0; i < 432; i++)
                put_llr(llrs, 2, 1);
    }
    fclose(llrs);
    fclose(bits);
    llrs = create(argv[1], "nr_pbch.i1");
    bits = create(argv[1], "nr_pbch_msg.bin");
    for (unsigned number = 0; number < 16; number += 5)
        broadcast(llrs, bits, number);
    return fclose(llrs) || fclose(bits);
}
