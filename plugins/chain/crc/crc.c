/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * crc.attach and crc.check: the cyclic redundancy checks of TS 38.212 5.1 and TS 36.212 5.1.1.
 * Parity goes out highest power first, the register starts at 0 and nothing is inverted.
 */
#include "plugins/chain/plugin.h"

#include <fecrun/sdk/mask.h>

#include "plugins/chain/codes.h"
#include "plugins/common/crc/crc.h"

enum { P_CRC, P_ONES, P_MASK, P_MASKS, P_VERDICT };

#define CRC_PARAMS \
    FECRUN_PARAM(.name = "crc", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_REQUIRED, \
                 .choices = crc_names + 1, .help = "polynomial of TS 38.212 5.1"), \
        FECRUN_PARAM(.name = "ones", .type = FECRUN_VALUE_INT, .unit = "bits", .imin = 0, \
                     .imax = 64, .default_text = "0", \
                     .help = \
                         "ones before the message that the CRC includes (downlink control: 24)"), \
        FECRUN_PARAM(.name = "mask", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SIZE, \
                     .imin = 0, .imax = 0xffffff, .default_text = "0", \
                     .help = "XORed onto the last bits of the parity (TS 38.212 7.3.2: the " \
                             "RNTI)"), \
        FECRUN_PARAM(.name = "masks", .type = FECRUN_VALUE_PORT, \
                     .help = "a source of values: the mask of each frame")

static const struct fecrun_param *const attach_params[] = {CRC_PARAMS, NULL};

static const struct fecrun_param *const check_params[] = {
    CRC_PARAMS,
    FECRUN_CHOICE("verdict", (const char *const[]){"both", "crc", NULL}, .default_text = "both",
                  .help = "which frames are marked as failed; both: those whose CRC is wrong and "
                          "those that an earlier stage, such as a decoder, has marked; crc: only "
                          "those whose CRC is wrong"),
    NULL,
};

static struct crc_kind kind_of(const struct fecrun_values *values)
{
    return crc_kinds[fecrun_value(values, P_CRC)->i + 1]; /* none is no choice */
}

static struct crc_code *make_code(const struct fecrun_values *values,
                                  const struct fecrun_frame *const ports[],
                                  struct fecrun_plan *plan, struct fecrun_error *err)
{
    const struct fecrun_frame *in = ports[0];
    uint32_t mask = (uint32_t)fecrun_value(values, P_MASK)->i;
    const struct crc_kind crc = kind_of(values);
    struct crc_code *code;

    if (in->stream) {
        fecrun_fail(err, NULL, "a CRC needs frames, not the pieces of a stream");
        return NULL;
    }
    if (crc_check_mask(mask, crc.width, err) ||
        fecrun_mask_port("masks", ports[1], fecrun_value(values, P_MASK)->given == 2,
                         fecrun_value(values, P_MASKS), err))
        return NULL;
    code = fecrun_code(plan, sizeof *code, err);
    if (!code)
        return NULL;
    code->width = crc.width;
    code->polynomial = crc.polynomial;
    code->mask = mask;
    for (int64_t i = 0; i < fecrun_value(values, P_ONES)->i; i++)
        code->start = crc_step(code->start, code->polynomial, 1);
    return code;
}

static int attach_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct crc_code *code = make_code(values, in, plan, err);

    (void)host;
    if (!code)
        return -1;
    code->message = in[0]->items;
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = in[0]->items + code->width;
    return 0;
}

static int check_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    const unsigned width = kind_of(values).width;
    struct crc_code *code;

    (void)host;
    code = crc_check_room(in[0]->items, width, err) ? NULL : make_code(values, in, plan, err);
    if (!code)
        return -1;
    code->message = in[0]->items - width;
    code->alone = fecrun_value(values, P_VERDICT)->i == 1;
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = code->message;
    return 0;
}

static int crc_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const struct crc_code *code = args->codes[0];
    struct crc_table *table = malloc(sizeof *table);

    *instance = table;
    if (!table)
        return fecrun_no_memory(err);
    crc_table_make(table, code->polynomial);
    return 0;
}

/* -1, and 0 as the mask: what the frame brought along is none. */
static int mask_of(const struct crc_code *code, const struct fecrun_view *masks, uint64_t f,
                   uint32_t *mask)
{
    *mask = code->mask;
    return masks ? fecrun_mask_read(fecrun_row(masks, f), code->width, mask) : 0;
}

/* The parity of the first bits of a frame. */
static uint32_t parity(const struct crc_table *table, const struct crc_code *code, uint32_t type,
                       const uint8_t *row)
{
    uint32_t state = type == FECRUN_PACKED ? crc_packed(table, code->start, row, code->message)
                                           : crc_bytes(table, code->start, row, code->message);

    return state >> (32 - code->width);
}

/* The first n bits of a frame, and nothing behind them in the last byte. */
static void copy_bits(uint8_t *to, const uint8_t *from, uint32_t type, uint64_t n)
{
    memcpy(to, from, fecrun_bytes(type, n));
    if (type == FECRUN_PACKED && n % 8)
        to[n / 8] &= (uint8_t)(0xff << (8 - n % 8));
}

static void put_parity(uint8_t *row, uint32_t type, uint64_t at, uint32_t value, unsigned width)
{
    if (type == FECRUN_PACKED) {
        uint64_t used = (at + 7) / 8;

        memset(row + used, 0, (at + width + 7) / 8 - used);
    }
    for (unsigned i = 0; i < width; i++, at++) {
        unsigned bit = value >> (width - 1 - i) & 1;

        if (type == FECRUN_PACKED)
            row[at / 8] |= (uint8_t)(bit << (7 - at % 8));
        else
            row[at] = (uint8_t)bit;
    }
}

static uint32_t get_parity(const uint8_t *row, uint32_t type, uint64_t at, unsigned width)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < width; i++, at++) {
        unsigned bit = type == FECRUN_PACKED ? row[at / 8] >> (7 - at % 8) & 1u : row[at] & 1u;

        value = value << 1 | bit;
    }
    return value;
}

static int attach_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    const struct crc_code *code = call->codes[0];
    uint32_t type = in[0]->type;

    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint8_t *from = fecrun_row(in[0], f);
        uint8_t *to = fecrun_row(out[0], f);
        uint32_t mask;

        mask_of(code, in[1], f, &mask);
        copy_bits(to, from, type, code->message);
        put_parity(to, type, code->message, parity(instance, code, type, from) ^ mask, code->width);
    }
    return 0;
}

static int check_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    const struct crc_code *code = call->codes[0];
    uint32_t type = in[0]->type;

    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint8_t *from = fecrun_row(in[0], f);
        uint32_t got = get_parity(from, type, code->message, code->width), mask;
        bool good = mask_of(code, in[1], f, &mask) == 0;

        good = good && got == (parity(instance, code, type, from) ^ mask);
        if (code->alone)
            fecrun_frame_checked(&call->info[f], good);
        else
            fecrun_frame_checked_too(&call->info[f], good);
        copy_bits(fecrun_row(out[0], f), from, type, code->message);
    }
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_PACKED}, {.type = FECRUN_F32}),
                FECRUN_OUT({.type = FECRUN_PACKED})),
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}, {.type = FECRUN_F32}),
                FECRUN_OUT({.type = FECRUN_U8})),
    NULL,
};

static const struct fecrun_backend *const attach_backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .create = crc_create, .run = attach_run,
                   .destroy = free),
    &chain_crc_attach_cuda,
    NULL,
};

static const struct fecrun_backend *const check_backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .create = crc_create, .run = check_run,
                   .destroy = free),
    &chain_crc_check_cuda,
    NULL,
};

static const struct fecrun_port *const inputs[] = {
    FECRUN_PORT(.name = "in", .kinds = FECRUN_KIND_BITS, .help = "bits"),
    FECRUN_PORT(.name = "masks", .kinds = FECRUN_KIND_VALUES, .flags = FECRUN_PORT_OPTIONAL,
                .help = "a number for each frame; crc.check fails a frame if it is no mask"),
    NULL,
};
static const struct fecrun_port *const outputs[] = {
    FECRUN_PORT(.name = "out", .kinds = FECRUN_KIND_BITS, .help = "bits with, or without, parity"),
    NULL,
};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{crc: 24a, ones: 24}"),
    FECRUN_EXAMPLE(.params = "{crc: 16, mask: 0xbeef}"),
    FECRUN_EXAMPLE(.params = "{crc: 6, ones: 64, mask: 63}"), NULL};

const struct fecrun_stage chain_crc_attach = {
    FECRUN_TRANSFORM(attach_plan, free),
    .name = "crc.attach",
    .summary = "appends CRC parity bits",
    .params = attach_params,
    .inputs = inputs,
    .outputs = outputs,
    .backends = attach_backends,
    .examples = examples,
};

const struct fecrun_stage chain_crc_check = {
    FECRUN_TRANSFORM(check_plan, free),
    .name = "crc.check",
    .flags = FECRUN_STAGE_CHECKS,
    .summary = "removes CRC parity bits and marks frames whose CRC is wrong as failed",
    .params = check_params,
    .inputs = inputs,
    .outputs = outputs,
    .backends = check_backends,
    .examples = examples,
    .undoes = "crc.attach",
};
