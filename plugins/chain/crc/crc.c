/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * crc.attach and crc.check: the cyclic redundancy checks of TS 38.212 5.1 and TS 36.212 5.1.1, whose
 * register starts at 0 and where nothing is inverted, and those of any polynomial. Parity goes out
 * highest power first.
 */
#include "plugins/chain/plugin.h"

#include <fecrun/sdk/mask.h>

#include "plugins/chain/codes.h"
#include "plugins/chain/crc/general.h"
#include "plugins/common/crc/crc.h"

#include <inttypes.h>

enum {
    P_CRC,
    P_POLY,
    P_WIDTH,
    P_INIT,
    P_XOR,
    P_REFLECT,
    P_ONES,
    P_MASK,
    P_MASKS,
    P_VERDICT,
    P_UNKNOWN
};

/* Registers are given as they are in catalogues of CRCs. */
#define REGISTER_PARAM(param_name, text) \
    FECRUN_PARAM(.name = param_name, .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SHARED, \
                 .unless = "crc", .imin = 0, .imax = INT64_MAX, .help = text)

#define CRC_PARAMS \
    FECRUN_PARAM(.name = "crc", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_SHARED, \
                 .unless = "poly", .choices = crc_names + 1, \
                 .help = "polynomial of TS 38.212 5.1; or give poly and width"), \
        REGISTER_PARAM( \
            "poly", "the polynomial without its highest power, 0x1021 of x^16 + x^12 + x^5 + 1"), \
        FECRUN_PARAM(.name = "width", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SHARED, \
                     .unless = "crc", .unit = "bits", .imin = 1, .imax = CRC_GENERAL_WIDTH, \
                     .help = "of poly: its highest power"), \
        REGISTER_PARAM("init", "of poly: the register before the first bit; default: 0"), \
        REGISTER_PARAM("xor", "of poly: XORed onto the parity; default: 0"), \
        FECRUN_PARAM( \
                .name = "reflect", .type = FECRUN_VALUE_BOOL, .flags = FECRUN_PARAM_SHARED, \
                .unless = "crc", \
                .help = \
                    "of poly: bytes are taken from their last bit on, as in Ethernet, and the " \
                    "parity is such bytes; default: false"), \
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
    FECRUN_INT("unknown", 0, CRC_GENERAL_WIDTH, .unit = "bits", .default_text = "0",
               .help = "last bits of the parity that have an unknown mask: they are not checked "
                       "(RNTIs of downlink control: 16)"),
    NULL,
};

/* ---- Planning ------------------------------------------------------------------------------ */

static int check_register(const struct fecrun_values *values, int param, const char *name,
                          unsigned width, struct fecrun_error *err)
{
    const int64_t value = fecrun_value(values, (size_t)param)->i;

    return value >> width
               ? fecrun_fail(err, name, "0x%" PRIx64 " is wider than %u bits", value, width)
               : 0;
}

static int read_poly(const struct fecrun_values *values, struct crc_general *crc,
                     struct fecrun_error *err)
{
    const unsigned width = (unsigned)fecrun_value(values, P_WIDTH)->i;
    uint64_t change = (uint64_t)fecrun_value(values, P_XOR)->i;

    if (!fecrun_value(values, P_WIDTH)->given)
        return fecrun_fail(err, "width", "missing: bits of the parity");
    if (check_register(values, P_POLY, "poly", width, err) ||
        check_register(values, P_INIT, "init", width, err) ||
        check_register(values, P_XOR, "xor", width, err))
        return -1;
    crc->width = width;
    crc->reflect = fecrun_value(values, P_REFLECT)->i != 0;
    crc->polynomial = (uint64_t)fecrun_value(values, P_POLY)->i << (64 - width);
    crc->start = (uint64_t)fecrun_value(values, P_INIT)->i << (64 - width);
    crc->start = crc_general_ones(crc, crc->start, (uint64_t)fecrun_value(values, P_ONES)->i);
    crc->change = crc->reflect ? crc_general_turn(change, width) : change;
    if (crc->reflect && width % 8)
        return fecrun_fail(err, "width", "must be a multiple of 8 with `reflect: true`");
    return 0;
}

static int read_name(const struct fecrun_values *values, struct crc_code *crc,
                     struct fecrun_error *err)
{
    static const char *const of_poly[] = {"width", "init", "xor", "reflect"};
    const struct crc_kind kind =
        crc_kinds[fecrun_value(values, P_CRC)->i + 1]; /* none is no choice */

    for (int i = P_WIDTH; i <= P_REFLECT; i++)
        if (fecrun_value(values, (size_t)i)->given)
            return fecrun_fail(err, of_poly[i - P_WIDTH], "is of poly: a CRC by name has its own");
    crc->width = kind.width;
    crc->polynomial = kind.polynomial;
    for (int64_t i = 0; i < fecrun_value(values, P_ONES)->i; i++)
        crc->start = crc_step(crc->start, crc->polynomial, 1);
    return 0;
}

static int read_crc(const struct fecrun_values *values, struct crc_plan *code,
                    struct fecrun_error *err)
{
    const bool named = fecrun_value(values, P_CRC)->given != 0;
    const uint32_t mask = (uint32_t)fecrun_value(values, P_MASK)->i;

    if (named == (fecrun_value(values, P_POLY)->given != 0))
        return fecrun_fail(err, named ? "crc" : NULL, "give one of crc or poly");
    if (named ? read_name(values, &code->crc, err) : read_poly(values, &code->general, err))
        return -1;
    if (!named)
        code->crc.width = code->general.width;
    code->crc.mask = mask;
    code->general.change ^= mask;
    return code->crc.width < 32 ? crc_check_mask(mask, code->crc.width, err) : 0;
}

static struct crc_plan *make_code(const struct fecrun_values *values,
                                  const struct fecrun_frame *const ports[],
                                  struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct crc_plan code = {.crc = {.width = 0}}, *made;

    if (ports[0]->stream) {
        fecrun_fail(err, NULL, "a CRC needs frames, not the pieces of a stream");
        return NULL;
    }
    if (read_crc(values, &code, err) ||
        fecrun_mask_port("masks", ports[1], fecrun_value(values, P_MASK)->given == 2,
                         fecrun_value(values, P_MASKS), err))
        return NULL;
    if (code.general.reflect && ports[0]->items % 8) {
        fecrun_fail(err, "reflect", "frames of %" PRIu64 " bits are no whole bytes",
                    ports[0]->items);
        return NULL;
    }
    if (code.general.width)
        fecrun_identity(
            plan, "poly 0x%" PRIx64 " of width %u, init 0x%" PRIx64 ", xor 0x%" PRIx64 "%s",
            code.general.polynomial >> (64 - code.crc.width), code.crc.width,
            code.general.start >> (64 - code.crc.width), code.general.change ^ code.crc.mask,
            code.general.reflect ? ", reflect" : "");
    made = fecrun_code(plan, sizeof *made, err);
    if (made)
        *made = code;
    return made;
}

static int attach_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct crc_plan *code = make_code(values, in, plan, err);

    (void)host;
    if (!code)
        return -1;
    code->crc.message = in[0]->items;
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = in[0]->items + code->crc.width;
    return 0;
}

/* Something has to be left to check. */
static int check_unknown(int64_t unknown, unsigned width, struct fecrun_error *err)
{
    if (unknown && unknown >= width)
        return fecrun_fail(err, "unknown", "must be less than the %u bits of the parity", width);
    return 0;
}

static int check_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct crc_plan *code = make_code(values, in, plan, err);

    (void)host;
    if (!code)
        return -1;
    if (crc_check_room(in[0]->items, code->crc.width, err) ||
        check_unknown(fecrun_value(values, P_UNKNOWN)->i, code->crc.width, err)) {
        free(code);
        plan->code = NULL;
        return -1;
    }
    code->crc.message = in[0]->items - code->crc.width;
    code->crc.alone = fecrun_value(values, P_VERDICT)->i == 1;
    code->crc.unknown = (uint32_t)fecrun_value(values, P_UNKNOWN)->i;
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = code->crc.message;
    fecrun_frame_copy(out[1], in[0]);
    out[1]->items = code->crc.width;
    return 0;
}

/* ---- Running ------------------------------------------------------------------------------- */

struct tables {
    struct crc_table named;
    struct crc_general_table general;
};

static int crc_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const struct crc_plan *code = args->codes[0];
    struct tables *tables = malloc(sizeof *tables);

    *instance = tables;
    if (!tables)
        return fecrun_no_memory(err);
    if (code->general.width)
        crc_general_make(&tables->general, code->general.polynomial);
    else
        crc_table_make(&tables->named, code->crc.polynomial);
    return 0;
}

/* -1: what the frame brought along is no mask. *mask: what its own one changes in the parity. */
static int mask_of(const struct crc_plan *code, const struct fecrun_view *masks, uint64_t f,
                   uint32_t *mask)
{
    const unsigned width = code->crc.width;

    *mask = 0;
    return masks ? fecrun_mask_read(fecrun_row(masks, f), width < 32 ? width : 31, mask) : 0;
}

/* The parity of the first bits of a frame, under the mask of all frames. */
static uint64_t parity(const struct tables *tables, const struct crc_plan *code, uint32_t type,
                       const uint8_t *row)
{
    const uint64_t n = code->crc.message;
    const bool packed = type == FECRUN_PACKED;
    uint32_t state;

    if (code->general.width)
        return (packed ? crc_general_packed : crc_general_bytes)(&code->general, &tables->general,
                                                                 row, n);
    state = (packed ? crc_packed : crc_bytes)(&tables->named, code->crc.start, row, n);
    return (state >> (32 - code->crc.width)) ^ code->crc.mask;
}

/* The first n bits of a frame, and nothing behind them in the last byte. */
static void copy_bits(uint8_t *to, const uint8_t *from, uint32_t type, uint64_t n)
{
    memcpy(to, from, fecrun_bytes(type, n));
    if (type == FECRUN_PACKED && n % 8)
        to[n / 8] &= (uint8_t)(0xff << (8 - n % 8));
}

/* Where bit i of the parity stands that begins at bit `at`: with `reflect` at the other end of its byte. */
static uint64_t place_of(const struct crc_plan *code, uint64_t at, unsigned i)
{
    return at + (code->general.reflect ? i - i % 8 + 7 - i % 8 : i);
}

static void put_parity(const struct crc_plan *code, uint8_t *row, uint32_t type, uint64_t at,
                       uint64_t value)
{
    const unsigned width = code->crc.width;

    if (type == FECRUN_PACKED) {
        uint64_t used = (at + 7) / 8;

        memset(row + used, 0, (at + width + 7) / 8 - used);
    }
    for (unsigned i = 0; i < width; i++) {
        const unsigned bit = value >> (width - 1 - i) & 1;
        const uint64_t place = place_of(code, at, i);

        if (type == FECRUN_PACKED)
            row[place / 8] |= (uint8_t)(bit << (7 - place % 8));
        else
            row[place] = (uint8_t)bit;
    }
}

static uint64_t get_parity(const struct crc_plan *code, const uint8_t *row, uint32_t type,
                           uint64_t at)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < code->crc.width; i++) {
        const uint64_t place = place_of(code, at, i);
        const unsigned bit = type == FECRUN_PACKED ? row[place / 8] >> (7 - place % 8) & 1u
                                                   : row[place] & 1u;

        value = value << 1 | bit;
    }
    return value;
}

static int attach_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    const struct crc_plan *code = call->codes[0];
    uint32_t type = in[0]->type;

    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint8_t *from = fecrun_row(in[0], f);
        uint8_t *to = fecrun_row(out[0], f);
        uint32_t mask;

        mask_of(code, in[1], f, &mask);
        copy_bits(to, from, type, code->crc.message);
        put_parity(code, to, type, code->crc.message, parity(instance, code, type, from) ^ mask);
    }
    return 0;
}

static int check_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    const struct crc_plan *code = call->codes[0];
    const uint64_t message = code->crc.message;
    uint32_t type = in[0]->type;

    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint8_t *from = fecrun_row(in[0], f);
        uint32_t mask;
        bool good = mask_of(code, in[1], f, &mask) == 0;
        const uint64_t rest = get_parity(code, from, type, message) ^
                              parity(instance, code, type, from) ^ mask;

        good = good && rest >> code->crc.unknown == 0;
        if (code->crc.alone)
            fecrun_frame_checked(&call->info[f], good);
        else
            fecrun_frame_checked_too(&call->info[f], good);
        copy_bits(fecrun_row(out[0], f), from, type, message);
        if (out[1])
            put_parity(code, fecrun_row(out[1], f), type, 0, rest);
    }
    return 0;
}

static const struct fecrun_form *const attach_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_PACKED}, {.type = FECRUN_F32}),
                FECRUN_OUT({.type = FECRUN_PACKED})),
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}, {.type = FECRUN_F32}),
                FECRUN_OUT({.type = FECRUN_U8})),
    NULL,
};

static const struct fecrun_form *const check_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_PACKED}, {.type = FECRUN_F32}),
                FECRUN_OUT({.type = FECRUN_PACKED}, {.type = FECRUN_PACKED})),
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}, {.type = FECRUN_F32}),
                FECRUN_OUT({.type = FECRUN_U8}, {.type = FECRUN_U8})),
    NULL,
};

static const struct fecrun_backend *const attach_backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = attach_forms, .create = crc_create, .run = attach_run,
                   .destroy = free),
    &chain_crc_attach_cuda,
    NULL,
};

static const struct fecrun_backend *const check_backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = check_forms, .create = crc_create, .run = check_run,
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
static const struct fecrun_port *const attach_outputs[] = {
    FECRUN_PORT(.name = "out", .kinds = FECRUN_KIND_BITS, .help = "bits with parity"),
    NULL,
};
static const struct fecrun_port *const check_outputs[] = {
    FECRUN_PORT(.name = "out", .kinds = FECRUN_KIND_BITS, .help = "bits without parity"),
    FECRUN_PORT(.name = "remainder", .kinds = FECRUN_KIND_BITS, .flags = FECRUN_PORT_OPTIONAL,
                .help =
                    "the parity of the frame XORed with the right one: 0 where it is right, else "
                    "the mask that would make it right, such as an RNTI"),
    NULL,
};

#define EXAMPLES \
    FECRUN_EXAMPLE(.params = "{crc: 24a, ones: 24}"), \
        FECRUN_EXAMPLE(.params = "{crc: 16, mask: 0xbeef}"), \
        FECRUN_EXAMPLE(.params = "{crc: 6, ones: 64, mask: 63}"), \
        FECRUN_EXAMPLE(.params = "{poly: 0x5935, width: 16, init: 0xffff}"), \
        FECRUN_EXAMPLE(.params = "{poly: 0x04c11db7, width: 32, init: 0xffffffff, xor: " \
                                 "0xffffffff, reflect: true}", \
                       .items = 96), \
        FECRUN_EXAMPLE(.params = "{poly: 0x4820009, width: 40, xor: 0xffffffffff, mask: 5}")

static const struct fecrun_example *const attach_examples[] = {EXAMPLES, NULL};

static const struct fecrun_example *const check_examples[] = {
    EXAMPLES,
    FECRUN_EXAMPLE(.params = "{crc: 6, unknown: 5}"),
    FECRUN_EXAMPLE(.params = "{poly: 0x4820009, width: 40, unknown: 38}"),
    NULL,
};

const struct fecrun_stage chain_crc_attach = {
    FECRUN_TRANSFORM(attach_plan, free),
    .name = "crc.attach",
    .summary = "appends CRC parity bits",
    .params = attach_params,
    .inputs = inputs,
    .outputs = attach_outputs,
    .backends = attach_backends,
    .examples = attach_examples,
};

const struct fecrun_stage chain_crc_check = {
    FECRUN_TRANSFORM(check_plan, free),
    .name = "crc.check",
    .flags = FECRUN_STAGE_CHECKS,
    .summary = "removes CRC parity bits and marks frames whose CRC is wrong as failed",
    .params = check_params,
    .inputs = inputs,
    .outputs = check_outputs,
    .backends = check_backends,
    .examples = check_examples,
    .undoes = "crc.attach",
};
