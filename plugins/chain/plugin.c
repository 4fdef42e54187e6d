/* SPDX-License-Identifier: BSD-2-Clause */
#include "chain.h"

int chain_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct fecrun_form *form = malloc(sizeof *form);

    *instance = form;
    if (!form)
        return fecrun_fail(err, NULL, "out of memory");
    *form = *args->form;
    return 0;
}

void *chain_code(struct fecrun_plan *plan, size_t bytes, struct fecrun_error *err)
{
    plan->code = calloc(1, bytes);
    if (!plan->code)
        fecrun_fail(err, NULL, "out of memory");
    return plan->code;
}

void chain_free(void *code)
{
    free(code);
}

const char *chain_type_name(uint32_t type)
{
    static const char *const names[] = {
        [FECRUN_NONE] = "none", [FECRUN_U8] = "u8",   [FECRUN_PACKED] = "packed",
        [FECRUN_F32] = "f32",   [FECRUN_F16] = "f16", [FECRUN_I16] = "i16",
        [FECRUN_I8] = "i8",     [FECRUN_I4] = "i4",   [FECRUN_C8] = "c8",
    };

    return type < sizeof names / sizeof *names ? names[type] : "unknown";
}

const uint8_t *chain_bits(const struct fecrun_view *view, uint64_t frame, uint64_t first, size_t n,
                          uint8_t *buffer)
{
    const uint8_t *row = fecrun_row(view, frame);

    if (view->type == FECRUN_U8)
        return row + first;
    fecrun_bits_unpack(buffer, row + first / 8, n);
    return buffer;
}

static const struct fecrun_stage *const stages[] = {
    &chain_source_random, &chain_source_file,
    &chain_sink_errors,   &chain_sink_file,
    &chain_sink_null,     &chain_crc_attach,
    &chain_crc_check,     &chain_modem_map,
    &chain_modem_demap,   &chain_channel_awgn,
    &chain_channel_bsc,   &chain_channel_bec,
    &chain_llr_quantize,  NULL,
};

FECRUN_EXPORT const struct fecrun_plugin fecrun_plugin = {
    .size = sizeof fecrun_plugin,
    .abi = FECRUN_ABI,
    .name = "chain",
    .version = "1.0",
    .license = "BSD-2-Clause",
    .stages = stages,
};
