/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes turbo/ccsds.csv: words of the turbo codes of CCSDS 131.0-B, by the encoders of github.com/geeanlooca/deepspace-turbo
 * at 7f26d3f6, which the satellites DSLWP were received with. Its program has the interleaver, the polynomials and the
 * puncturing as here.
 *
 *     cc -O2 -o turbo_ccsds turbo_ccsds.c libconvcodes.c libturbocodes.c -lm && ./turbo_ccsds >turbo/ccsds.csv
 */
#include "libconvcodes.h"
#include "libturbocodes.h"
#include <stdio.h>
#include <stdlib.h>

static void print_hex(const int *bits, int n)
{
    for (int i = 0; i < n; i += 4) {
        int digit = 0;

        for (int b = 0; b < 4; b++)
            digit = 2 * digit + (i + b < n ? bits[i + b] : 0);
        printf("%x", digit);
    }
}

static int *interleaver(int octets)
{
    static const int p[8] = {31, 37, 43, 47, 53, 59, 61, 67};
    const int k2 = 223 * octets;
    int *pi = malloc(8 * (size_t)k2 * sizeof *pi);

    for (int s = 0; s < 8 * k2; s++) {
        const int m = s % 2, i = s / (2 * k2), j = s / 2 - i * k2, t = (19 * i + 1) % 4;

        pi[s] = 2 * (t + (p[t % 8] * j + 21 * m) % k2 * 4 + 1) - m - 1;
    }
    return pi;
}

static void make(const char *rate, int octets, char **upper, int n_upper, char **lower, int n_lower)
{
    const int k = 223 * 8 * octets;
    t_turbocode *code = turbo_initialize(convcode_initialize(upper, "0011", n_upper),
                                         convcode_initialize(lower, "0011", n_lower),
                                         interleaver(octets), k);
    int *message = malloc((size_t)k * sizeof *message), *word, n = 0;

    for (int i = 0; i < k; i++)
        message[i] = rand() >> 8 & 1;
    word = turbo_encode(message, code);
    for (int i = 0; i < code->encoded_length; i++)
        if (rate[2] != '2' || i % 3 == 0 || i % 3 == (i / 3 % 2 ? 2 : 1))
            word[n++] = word[i];
    printf("%s,%d,%d,", rate, k, n);
    print_hex(message, k);
    printf(",");
    print_hex(word, n);
    printf("\n");
}

int main(void)
{
    char *upper[] = {"10011", "11011", "10101", "11111"}, *quarter[] = {"10011", "10101", "11111"};
    char *lower[] = {"11011", "11111"};

    puts("rate,k,word_bits,message,word");
    srand(1);
    make("1/2", 1, upper, 2, lower, 1);
    make("1/3", 1, upper, 2, lower, 1);
    make("1/4", 1, quarter, 3, lower, 1);
    make("1/6", 1, upper, 4, lower, 2);
    make("1/6", 2, upper, 4, lower, 2);
    make("1/2", 4, upper, 2, lower, 1);
    make("1/4", 4, quarter, 3, lower, 1);
    make("1/3", 5, upper, 2, lower, 1);
    return 0;
}
