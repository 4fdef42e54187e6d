// SPDX-License-Identifier: BSD-2-Clause
/*
 * frame/dab_fic.i1 and frame/dab_fic_msg.bin: four fast information channels of DAB, transmission mode I, 2304 LLRs each
 * with noise, and their 3 x 30 bytes, by the scrambler, encoder, puncturer and CRC of ODR-DabMod 3.0.1
 * (github.com/Opendigitalradio/ODR-DabMod at 87fce94):
 *
 *     S=ODR-DabMod/src L=ODR-DabMod/lib; c++ -std=c++17 -w '-DPACKAGE_NAME="x"' '-DPACKAGE_VERSION="x"' -o dab_fic dab_fic.cc \
 *         $S/{PrbsGenerator,ConvEncoder,PuncturingEncoder,PuncturingRule,FicSource,Buffer,ModPlugin}.cpp \
 *         $L/{Log,Globals}.cpp $L/crc.c -I $S -I $L -I ODR-DabMod/fpm -lpthread -Wl,--unresolved-symbols=ignore-all
 *     ./dab_fic frame
 */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

#include "ConvEncoder.h"
#include "FicSource.h"
#include "PrbsGenerator.h"
#include "PuncturingEncoder.h"
extern "C" {
#include "crc.h"
}

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

int main(int argc, char **argv)
{
    const std::string folder = argc > 1 ? argv[1] : ".";
    FILE *llrs = fopen((folder + "/dab_fic.i1").c_str(), "wb");
    FILE *bits = fopen((folder + "/dab_fic_msg.bin").c_str(), "wb");

    if (!llrs || !bits)
        return 1;
    for (int fic = 0; fic < 4; fic++) {
        uint8_t fib[96];
        FicSource source(1, 1);
        PrbsGenerator scrambler(source.getFramesize(), 0x110);
        ConvEncoder encoder(source.getFramesize());
        PuncturingEncoder puncturer;
        Buffer in, scrambled, coded, sent;

        for (int i = 0; i < 3; i++) {
            uint16_t crc = 0xffff;

            for (int b = 0; b < 30; b++)
                fib[32 * i + b] = (uint8_t)draw(256);
            crc = crc16(crc, fib + 32 * i, 30) ^ 0xffff;
            fib[32 * i + 30] = (uint8_t)(crc >> 8);
            fib[32 * i + 31] = (uint8_t)crc;
            fwrite(fib + 32 * i, 1, 30, bits);
        }
        in.setData(fib, sizeof fib);
        for (const auto &rule : source.get_rules())
            puncturer.append_rule(rule);
        puncturer.append_tail_rule(PuncturingRule(3, 0xcccccc));
        scrambler.process({&in}, {&scrambled});
        encoder.process(&scrambled, &coded);
        puncturer.process(&coded, &sent);
        for (size_t i = 0; i < 8 * sent.getLength(); i++) {
            const auto *byte = (const uint8_t *)sent.getData();
            const double y = (byte[i / 8] >> (7 - i % 8) & 1 ? -1 : 1) + noise(0.7);

            fputc((int)lrint(std::fmax(-127, std::fmin(127, 20 * y))) & 255, llrs);
        }
    }
    return fclose(llrs) || fclose(bits);
}
