/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer target: --set options, one a line, for a pipeline with much to set. */
#include "t/fuzz/pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char text[] =
    "fecrun: 1\nseed: 1\npipeline:\n  - source.random: {id: s, bits: 40}\n"
    "  - crc.attach: {crc: 16}\n  - conv.encode: {id: e, code: ieee80211}\n"
    "  - conv.puncture: {id: p, scheme: ieee80211, rate: 3/4}\n  - modem.map: {id: m, scheme: "
    "qpsk}\n"
    "  - channel.awgn: {id: c, ebn0_db: 4}\n  - modem.demap: {id: d}\n"
    "  - llr.quantize: {id: q, type: i8, scale: 4}\n  - conv.depuncture: {id: u}\n"
    "  - viterbi.decode: {id: v}\n  - crc.check: {id: k, crc: 16}\n  - sink.errors: {id: r}\n"
    "sweep: {c.ebn0_db: [2, 4]}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *sets[FUZZ_SETS + 1] = {NULL};
    char *lines = malloc(size + 1), *at = lines;

    if (!fuzz_registry)
        fuzz_begin();
    memcpy(lines, data, size);
    lines[size] = 0;
    if (fuzz_is_small(lines)) {
        for (size_t n = 0; n < FUZZ_SETS && *at; n++) {
            sets[n] = at;
            at += strcspn(at, "\n");
            if (*at)
                *at++ = 0;
        }
        fuzz_run(text, sizeof text - 1, sets);
        fuzz_clear();
    }
    free(lines);
    return 0;
}
