/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer target: a CSV of blocks, for three families; the first byte says which. */
#include "t/fuzz/pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const pipelines[] = {
    "fecrun: 1\nblocks: in\npipeline:\n  - source.random: {}\n  - ldpc.encode: {code: nr}\n"
    "  - ldpc.rate_match: {}\n  - channel.bsc: {p: 0.01}\n  - llr.quantize: {type: i8, scale: 4}\n"
    "  - ldpc.rate_recover: {}\n  - ldpc.decode: {iterations: 2}\n  - sink.errors: {}\n",
    "fecrun: 1\nblocks: in\npipeline:\n  - source.random: {}\n  - turbo.encode: {code: lte}\n"
    "  - channel.bsc: {p: 0.01}\n  - llr.quantize: {type: i8, scale: 4}\n"
    "  - turbo.decode: {iterations: 1}\n  - sink.errors: {}\n",
    "fecrun: 1\nblocks: in\npipeline:\n  - source.random: {}\n  - polar.encode: {code: nr}\n"
    "  - channel.bsc: {p: 0.01}\n  - llr.quantize: {type: i8, scale: 4}\n"
    "  - polar.decode: {algorithm: sc}\n  - sink.errors: {}\n",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text;
    char *csv;

    if (!fuzz_registry)
        fuzz_begin();
    if (!size)
        return 0;
    csv = malloc(size);
    memcpy(csv, data + 1, size - 1);
    csv[size - 1] = 0;
    text = pipelines[data[0] % 3];
    if (fuzz_is_small(csv)) {
        fuzz_put("in", csv, size - 1);
        fuzz_run(text, strlen(text), NULL);
        fuzz_clear();
    }
    free(csv);
    return 0;
}
