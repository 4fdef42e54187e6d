/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes lines of turbo_itpp.csv: error rates of LTE turbo codes over BPSK and white noise, decoded by
 * IT++ (4.3.1, Debian's libitpp-dev), whose encoder, interleaver and decoder they are: 6 iterations,
 * floats, all 12 tail bits sent.
 *
 *     c++ -O2 -o turbo_itpp turbo_itpp.cc -litpp
 *     ./turbo_itpp BITS LOGMAP|LOGMAX EBN0_DB FRAMES ERRORS SEED
 *
 * decode() is not told the bits that were sent, with which it would stop at the first iteration that has them all.
 * Ends after so many frames or wrong frames. LOGMAP is the exact sum; LOGMAX takes the largest term, and
 * extrinsic LLRs times 0.75.
 */
#include <itpp/itcomm.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

int main(int argc, char **argv)
{
    if (argc != 7)
        return 2;
    const int bits = atoi(argv[1]);
    const std::string metric = argv[2];
    const double n0 = (3.0 * bits + 12) / bits / pow(10, atof(argv[3]) / 10);
    const long most = atol(argv[4]), enough = atol(argv[5]);
    itpp::Turbo_Codec code;
    itpp::AWGN_Channel channel(n0 / 2);
    itpp::BPSK bpsk;
    long frames = 0, bit_errors = 0, frame_errors = 0;

    itpp::RNG_reset(atoi(argv[6]));
    code.set_parameters("013 015", "013 015", 4, itpp::lte_turbo_interleaver_sequence(bits), 6, metric,
                        metric == "LOGMAX" ? 0.75 : 1.0, false);
    code.set_awgn_channel_parameters(1.0, n0);
    while (frames < most && frame_errors < enough) {
        const itpp::bvec sent = itpp::randb(bits);
        itpp::bvec word, decoded;
        long wrong = 0;

        code.encode(sent, word);
        code.decode(channel(bpsk.modulate_bits(word)), decoded);
        for (int i = 0; i < bits; i++)
            wrong += decoded(i) != sent(i);
        frames++;
        bit_errors += wrong;
        frame_errors += wrong > 0;
    }
    printf("%d,%s,%s,%ld,%ld,%ld\n", bits, argv[2], argv[3], frames, bit_errors, frame_errors);
}
