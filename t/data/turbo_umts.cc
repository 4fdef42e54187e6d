/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes turbo/umts.csv, words of UMTS turbo codes, or with `i` turbo/umts_interleaver.csv, a sum over the interleavers of
 * 25 sizes a line, by IT++ (4.3.1, Debian's libitpp-dev).
 *
 *     c++ -O2 -o turbo_umts turbo_umts.cc -litpp
 *     ./turbo_umts >turbo/umts.csv; ./turbo_umts i >turbo/umts_interleaver.csv
 *
 * The sum of a size k: h = 31 h + pi(i) for all i, modulo 2^32; that of a line: the sizes' sums one after the other the same way.
 */
#include <cstdint>
#include <cstdio>
#include <itpp/itcomm.h>

static void print_hex(const itpp::bvec &bits)
{
    for (int i = 0; i < bits.size(); i += 4) {
        int digit = 0;

        for (int b = 0; b < 4; b++)
            digit = 2 * digit + (i + b < bits.size() ? static_cast<int>(bits(i + b)) : 0);
        printf("%x", digit);
    }
}

int main(int argc, char **)
{
    static const int sizes[] = {40, 41, 159, 160, 200, 201, 481, 530, 531, 1024, 2281, 2480, 3163, 3210, 5114};

    itpp::RNG_reset(38);
    puts(argc > 1 ? "first,sum" : "k,word_bits,message,word");
    for (int first = 40; argc > 1 && first <= 5114; first += 25) {
        uint32_t all = 0;

        for (int k = first; k < first + 25 && k <= 5114; k++) {
            const itpp::ivec pi = itpp::wcdma_turbo_interleaver_sequence(k);
            uint32_t h = 0;

            for (int i = 0; i < k; i++)
                h = 31 * h + static_cast<uint32_t>(pi(i));
            all = 31 * all + h;
        }
        printf("%d,%u\n", first, all);
    }
    for (int k : sizes) {
        const itpp::bvec message = itpp::randb(k);
        itpp::Turbo_Codec code;
        itpp::bvec word;

        if (argc > 1)
            break;
        code.set_parameters("013 015", "013 015", 4, itpp::wcdma_turbo_interleaver_sequence(k));
        code.encode(message, word);
        printf("%d,%d,", k, word.size());
        print_hex(message);
        printf(",");
        print_hex(word);
        printf("\n");
    }
}
