/* SPDX-License-Identifier: BSD-2-Clause */
/* ldpc.observables: which logical observables a correction flips. */
#include <fecrun/sdk/stage.h>

#include "plugins/common/checks/checks.h"
#include "plugins/ldpc/plugin.h"
#include "plugins/ldpc/syndrome/dem.h"

enum { P_PATH };

static void free_code(void *code)
{
    ldpc_dem_free(code);
}

static int check(const struct ldpc_dem *dem, const char *path, const struct fecrun_frame *in,
                 struct fecrun_error *err)
{
    if (checks_frames(in, "block codes work", err))
        return -1;
    if (!dem->observables)
        return fecrun_fail(err, "path", "%s: has no observable (L0)", path);
    if (in->items == dem->cols)
        return 0;
    return fecrun_fail(err, NULL, "the input has %llu bits a frame and the model has %u columns",
                       (unsigned long long)in->items, dem->cols);
}

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    const char *path = fecrun_value(values, P_PATH)->s;
    struct ldpc_dem *dem = ldpc_dem_read(path, err);

    (void)host;
    if (!dem || check(dem, path, in[0], err)) {
        ldpc_dem_free(dem);
        return -1;
    }
    result->code = dem;
    fecrun_frame_bits(out[0], in[0], dem->observables);
    return 0;
}

static void add(const struct ldpc_dem *dem, uint32_t col, uint8_t *row, uint32_t type)
{
    for (uint32_t k = dem->flips[col]; k < dem->first[col + 1]; k++)
        ldpc_dem_flip(row, type, dem->target[k]);
}

static void run_row(const struct ldpc_dem *dem, const uint8_t *error, uint32_t from, uint8_t *row,
                    uint32_t to)
{
    memset(row, 0, fecrun_bytes(to, dem->observables));
    for (uint32_t j = 0; from != FECRUN_PACKED && j < dem->cols; j++)
        if (error[j] & 1)
            add(dem, j, row, to);
    for (uint32_t i = 0; from == FECRUN_PACKED && i < (dem->cols + 7) / 8; i++)
        for (unsigned bits = error[i]; bits; bits &= bits - 1) {
            const uint32_t col = 8 * i + 7 - (uint32_t)__builtin_ctz(bits);

            if (col < dem->cols)
                add(dem, col, row, to);
        }
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    (void)instance;
    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++)
        run_row(call->codes[0], fecrun_row(in[0], f), in[0]->type, fecrun_row(out[0], f),
                out[0]->type);
    return 0;
}

static const struct fecrun_param *const params[] = {
    FECRUN_PARAM(.name = "path", .type = FECRUN_VALUE_PATH, .flags = FECRUN_PARAM_REQUIRED,
                 .help = "detector error model of stim, a text file (.dem)"),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(run),
                   .forms = FECRUN_FORMS(FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_PACKED),
                                         FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8))),
    NULL};

const struct fecrun_stage ldpc_observables_stage = {
    FECRUN_TRANSFORM(plan, free_code),
    .name = "ldpc.observables",
    .summary = "logical observables that a correction flips, by a detector error model",
    .params = params,
    .inputs = FECRUN_ONE_PORT("error", FECRUN_KIND_BITS, "bits of the columns: the correction"),
    .outputs = FECRUN_ONE_PORT("observables", FECRUN_KIND_BITS, "bits of the observables"),
    .backends = backends,
};
