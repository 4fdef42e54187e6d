/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Words of the recursive codes of GSM's AMR speech by libosmocore's encoder, not punctured. Lines: name, K, outputs, bits in
 * and out, both in hexadecimal, the first bit in the highest place. cc conv_osmo.c -losmocoding -losmogsm -losmocore
 */
#include <osmocom/core/conv.h>
#include <osmocom/gsm/gsm0503.h>

#include <stdio.h>
#include <stdlib.h>

#define CODES(X) \
    X(afs_12_2) \
    X(afs_10_2) \
    X(afs_7_95) \
    X(afs_7_4) \
    X(afs_6_7) \
    X(afs_5_9) \
    X(afs_5_15) \
    X(afs_4_75) \
    X(ahs_7_95) \
    X(ahs_7_4) \
    X(ahs_6_7) \
    X(ahs_5_9) \
    X(ahs_5_15) \
    X(ahs_4_75) \
    X(axs_sid_update)
#define ROW(code) {#code, &gsm0503_tch_##code},

static const struct {
    const char *name;
    const struct osmo_conv_code *code;
} codes[] = {CODES(ROW)};

static void print_bits(const ubit_t *bits, int n)
{
    for (int i = 0; i < n; i += 4) {
        int digit = 0;

        for (int j = 0; j < 4; j++)
            digit = digit << 1 | (i + j < n ? bits[i + j] : 0);
        printf("%x", digit);
    }
}

int main(void)
{
    srandom(38);
    for (size_t c = 0; c < sizeof codes / sizeof *codes; c++) {
        struct osmo_conv_code code = *codes[c].code;
        ubit_t in[1000], out[5000];
        int n_in, n_out;

        code.puncture = NULL;
        n_in = osmo_conv_get_input_length(&code, 0);
        n_out = osmo_conv_get_output_length(&code, 0);
        for (int i = 0; i < n_in; i++)
            in[i] = random() >> 8 & 1;
        osmo_conv_encode(&code, in, out);
        printf("%s,%d,%d,%d,%d,", codes[c].name, code.K, code.N, n_in, n_out);
        print_bits(in, n_in);
        putchar(',');
        print_bits(out, n_out);
        putchar('\n');
    }
    return 0;
}
