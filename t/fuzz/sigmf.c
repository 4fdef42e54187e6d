/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer target: the description of a SigMF recording of 64 bytes. */
#include "t/fuzz/pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char text[] =
        "fecrun: 1\npipeline:\n  - source.file: {path: r.sigmf-data, frame: 3}\n"
        "  - sink.file: {path: out.npy}\n";
    static const char samples[64] = "samples";

    if (!fuzz_registry)
        fuzz_begin();
    fuzz_put("r.sigmf-data", samples, sizeof samples);
    fuzz_put("r.sigmf-meta", data, size);
    fuzz_run(text, strlen(text), NULL);
    fuzz_clear();
    return 0;
}
