/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer target: a whole pipeline, planned and run. "in" is a file that it may read: 64 bytes. */
#include "t/fuzz/pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char in[64] = "0 1 2 3\n1 -1 0 1\n";
    char *text = malloc(size + 1);

    if (!fuzz_registry)
        fuzz_begin();
    memcpy(text, data, size);
    text[size] = 0;
    if (fuzz_is_small(text)) {
        fuzz_put("in", in, sizeof in);
        fuzz_run(text, size, NULL);
        fuzz_clear();
    }
    free(text);
    return 0;
}
