/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer target: the first bytes of a .npy file. */
#include "plugins/common/files/npy.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was read can be written and read again. */
static void check_again(const struct npy *npy)
{
    unsigned char header[NPY_HEADER];
    struct fecrun_error err = {.size = sizeof err};
    struct npy again;

    npy_make_header(header, npy);
    if (npy_parse_header(header, sizeof header, &again, &err) || again.type != npy->type ||
        again.dims != npy->dims || again.frames != npy->frames || again.items != npy->items ||
        again.payload != npy->payload)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fecrun_error err = {.size = sizeof err};
    struct npy npy;

    memset(&npy, 0, sizeof npy);
    if (npy_parse_header(data, size, &npy, &err)) {
        if (!err.text[0])
            abort();
        return 0;
    }
    if (npy.header > size || npy.payload + npy.header < npy.payload ||
        npy_check_size(&npy, npy.header + npy.payload, &err) ||
        !npy_check_size(&npy, npy.header + npy.payload + 1, &err))
        abort();
    check_again(&npy);
    return 0;
}
