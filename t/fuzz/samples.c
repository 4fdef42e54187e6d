/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer target: a file of samples, .npy or raw; the first byte says how it is read. */
#include "t/fuzz/pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const ways[] = {
    "kind: llr",
    "kind: bits",
    "kind: symbols",
    "kind: llr, dtype: i1, frame: 16",
    "kind: llr, dtype: f4",
    "kind: bits, dtype: u1, frame: 8",
    "kind: llr, dtype: i2, frame: 4, loop: true",
    "kind: symbols, dtype: c8, frame: 3",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *rest = "", *invert, *part;
    char text[320];

    if (!fuzz_registry)
        fuzz_begin();
    if (!size)
        return 0;
    if (data[0] & 8)
        rest = "  - llr.quantize: {type: i8, scale: 4}\n  - viterbi.decode: {code: ieee80211}\n";
    invert = data[0] & 16 ? ", invert: true" : "";
    part = data[0] & 64 ? ", skip: 8, count: 16" : data[0] & 32 ? ", skip: 8" : "";
    snprintf(text, sizeof text,
             "fecrun: 1\npipeline:\n  - source.file: {path: in, %s%s%s}\n%s  - sink.file: {path: "
             "out.npy}\n",
             ways[data[0] % 8], invert, part, rest);
    fuzz_put("in", data + 1, size - 1);
    fuzz_run(text, strlen(text), NULL);
    fuzz_clear();
    return 0;
}
