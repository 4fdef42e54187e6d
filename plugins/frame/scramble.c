/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frame.scramble and frame.descramble: a pseudo-random sequence is added to bits, or changes the signs
 * of LLRs. Both do the same. The sequence is made by plan() and repeated in `round` bits.
 */
#include "plugins/frame/code/sequence.h"
#include "plugins/frame/code/codes.h"
#include "plugins/frame/plugin.h"

#include <fecrun/sdk/bits.h>
#include <inttypes.h>

enum { P_SCHEME, P_POLYNOMIAL, P_SEED, P_OUTPUT, P_RESTART, P_FIRST };

enum scheme { CCSDS, DVB, DVB_S2, WIFI, M17, NR, NR_PBCH, NR_PBCH_64 };

enum {
    LONG = 1 << 26,   /* bits of the sequence of a frame */
    MOST = 1 << 23,   /* bits of one that begins anew */
    ENOUGH = 1 << 12, /* bits of the table, so that loops are long */
    MOST_CELL = 1007, /* identity of a cell of 5G NR */
};

static const char *const schemes[] = {"ccsds", "dvb",     "dvb-s2",     "wifi", "m17",
                                      "nr",    "nr-pbch", "nr-pbch-64", NULL};

static const char *const schemes_help[] = {
    "CCSDS 131.0-B, TM: x^8 + x^7 + x^5 + x^3 + 1 from all ones on",
    "EN 300 421 4.4.1 (DVB-S, -T, -C): eight packets of 188 bytes, the first sync byte inverted",
    "EN 302 307-1 5.2.2: frames of baseband",
    "IEEE 802.11-2020 17.3.5.5: x^7 + x^4 + 1, `seed` 1 to 127, its highest bit x7",
    "M17: 368 bits",
    "TS 38.211 5.2.1, TS 36.211 7.2: `seed` is c_init",
    "TS 38.212 7.1.2, payloads of 32 bits: `seed` is the cell's identity; at most 8 blocks",
    "the same with 64 blocks in a half frame",
    NULL};

static const char *const outputs_words[] = {"feedback", "register", NULL};

static const struct fecrun_param *const params[] = {
    FECRUN_CHOICE("scheme", schemes, .flags = FECRUN_PARAM_SHARED, .unless = "polynomial",
                  .choices_help = schemes_help,
                  .help = "a standard's sequence; or give polynomial and seed"),
    FECRUN_PARAM(.name = "polynomial", .type = FECRUN_VALUE_INTS, .imin = 1,
                 .imax = SEQUENCE_DEGREE, .flags = FECRUN_PARAM_SHARED, .unless = "scheme",
                 .help =
                     "exponents: [15, 14] of x^15 + x^14 + 1. Bit n is the sum of those 15 and 14 "
                     "bits before it"),
    FECRUN_INT(
        "seed", 0, UINT32_MAX, .flags = FECRUN_PARAM_SHARED,
        .help = "of polynomial: the stages of the register, the first one the highest bit, as "
                "0b100101010000000; of wifi, nr, nr-pbch and nr-pbch-64: see scheme"),
    FECRUN_CHOICE(
        "output", outputs_words, .flags = FECRUN_PARAM_SHARED, .unless = "scheme",
        .default_text = "feedback",
        .help = "of polynomial: the sum, or the last stage, so that the seed comes out first"),
    FECRUN_INT(
        "restart", 1, MOST, .flags = FECRUN_PARAM_SHARED, .unit = "items",
        .help = "the sequence begins anew every so many; default: with each frame, in a stream "
                "never"),
    FECRUN_INT("first", 0, MOST, .flags = FECRUN_PARAM_SHARED, .default_text = "0", .unit = "items",
               .help = "streams: place of the stream's first item in the sequence"),
    NULL,
};

/* ---- Planning ------------------------------------------------------------------------------ */

static const struct fecrun_value *value_of(const struct fecrun_values *values, int i)
{
    return fecrun_value(values, (size_t)i);
}

/* What a sequence is made of: a shift register, or a function. */
struct maker {
    struct shift_register shift; /* degree 0: none */
    enum scheme scheme;
    uint32_t seed;
    uint64_t round; /* fixed by the standard; 0: none */
};

static int read_polynomial(const struct fecrun_values *values, struct maker *maker,
                           struct fecrun_error *err)
{
    const struct fecrun_value *polynomial = value_of(values, P_POLYNOMIAL);
    struct shift_register *shift = &maker->shift;

    if (!polynomial->count)
        return fecrun_fail(err, "polynomial", "has no exponents");
    for (size_t i = 0; i < polynomial->count; i++)
        if (polynomial->ints[i] > shift->degree)
            shift->degree = (unsigned)polynomial->ints[i];
    for (size_t i = 0; i < polynomial->count; i++) {
        const uint32_t tap = UINT32_C(1) << (shift->degree - (unsigned)polynomial->ints[i]);

        if (shift->taps & tap)
            return fecrun_fail(err, "polynomial", "has %" PRId64 " twice", polynomial->ints[i]);
        shift->taps |= tap;
    }
    if (!value_of(values, P_SEED)->given)
        return fecrun_fail(err, "seed",
                           "missing: the register's stages, the first one the highest bit");
    if (!maker->seed || (uint64_t)maker->seed >> shift->degree)
        return fecrun_fail(err, "seed", "is %" PRIu32 ": 1 to %" PRIu64 " are states of %u stages",
                           maker->seed, (UINT64_C(1) << shift->degree) - 1, shift->degree);
    shift->state = maker->seed;
    shift->last = value_of(values, P_OUTPUT)->i == 1;
    return 0;
}

static int read_seed(const struct fecrun_values *values, struct maker *maker, uint32_t least,
                     uint32_t most, struct fecrun_error *err)
{
    if (!value_of(values, P_SEED)->given)
        return fecrun_fail(err, "seed", "missing: %s has one, %" PRIu32 " to %" PRIu32,
                           schemes[maker->scheme], least, most);
    if (maker->seed < least || maker->seed > most)
        return fecrun_fail(err, "seed", "is %" PRIu32 ": %s takes %" PRIu32 " to %" PRIu32,
                           maker->seed, schemes[maker->scheme], least, most);
    return 0;
}

/* Do bits of the frame choose the sequence? */
static bool is_chosen(const struct maker *maker)
{
    return !maker->shift.degree && maker->scheme >= NR_PBCH;
}

static int read_scheme(const struct fecrun_values *values, struct maker *maker,
                       struct fecrun_error *err)
{
    maker->scheme = (enum scheme)value_of(values, P_SCHEME)->i;
    if (maker->scheme == NR)
        return read_seed(values, maker, 0, INT32_MAX, err);
    if (is_chosen(maker)) {
        maker->round = 4 * SEQUENCE_PBCH;
        return read_seed(values, maker, 0, MOST_CELL, err);
    }
    if (maker->scheme == WIFI) {
        maker->shift = sequence_wifi(maker->seed);
        return read_seed(values, maker, 1, 127, err);
    }
    if (value_of(values, P_SEED)->given)
        return fecrun_fail(err, "seed", "%s has a seed of its own", schemes[maker->scheme]);
    if (maker->scheme == CCSDS)
        maker->shift = sequence_ccsds();
    else if (maker->scheme == DVB_S2)
        maker->shift = sequence_dvb_s2();
    else
        maker->round = maker->scheme == DVB ? SEQUENCE_DVB : SEQUENCE_M17;
    return 0;
}

static int read_maker(const struct fecrun_values *values, struct maker *maker,
                      struct fecrun_error *err)
{
    const bool scheme = value_of(values, P_SCHEME)->given;

    *maker = (struct maker){.seed = (uint32_t)value_of(values, P_SEED)->i};
    if (scheme == (value_of(values, P_POLYNOMIAL)->given != 0))
        return fecrun_fail(err, scheme ? "scheme" : NULL, "give one of scheme or polynomial");
    return scheme ? read_scheme(values, maker, err) : read_polynomial(values, maker, err);
}

/* Items until the sequence begins anew; 0 and *err. */
static uint64_t find_round(const struct maker *maker, const struct fecrun_value *restart,
                           const struct fecrun_frame *in, struct fecrun_error *err)
{
    uint64_t round;

    if (is_chosen(maker) &&
        (in->stream || in->items != SEQUENCE_PBCH || in->kind != FECRUN_KIND_BITS))
        fecrun_fail(err, "scheme", "%s takes frames of %d bits", schemes[maker->scheme],
                    SEQUENCE_PBCH);
    else if (is_chosen(maker) && restart->given)
        fecrun_fail(err, "restart", "%s has a sequence for each frame", schemes[maker->scheme]);
    else if (is_chosen(maker))
        return maker->round;
    else if (maker->round && restart->given)
        fecrun_fail(err, "restart", "%s begins anew every %" PRIu64 " items by itself",
                    schemes[maker->scheme], maker->round);
    else if (maker->round && !in->stream && in->items % maker->round)
        fecrun_fail(err, "scheme",
                    "frames of %" PRIu64 " items are no multiple of %" PRIu64
                    ", the items of a round of %s",
                    in->items, maker->round, schemes[maker->scheme]);
    else if (maker->round || restart->given)
        return maker->round ? maker->round : (uint64_t)restart->i;
    else if (!in->stream && in->items <= LONG)
        return in->items;
    else if (in->stream && maker->shift.degree && (round = sequence_round(maker->shift, MOST)))
        return round;
    else
        fecrun_fail(err, "restart", "missing: %s needs it, at most %d",
                    in->stream ? "a stream" : "a long frame", MOST);
    return 0;
}

static void make_bits(const struct maker *maker, uint8_t *bits, uint64_t round)
{
    struct shift_register shift = maker->shift;

    if (shift.degree)
        sequence_register(&shift, bits, round);
    else if (maker->scheme == NR)
        sequence_nr(maker->seed, bits, round);
    else if (is_chosen(maker))
        sequence_pbch(maker->seed, maker->scheme == NR_PBCH_64 ? 64 : 8, bits);
    else if (maker->scheme == DVB)
        sequence_dvb(bits);
    else
        sequence_m17(bits);
}

/* The table has the round once for frames that are no longer, else so often that it ends with a byte, and is long
   enough. */
static uint64_t table_length(const struct scramble_code *code, uint64_t items)
{
    const uint64_t least = ENOUGH / code->round + 1;

    return code->round * (!code->stream && items <= code->round ? 1 : (least + 7) / 8 * 8);
}

static int make_table(struct scramble_code *code, const struct maker *maker, uint64_t items,
                      struct fecrun_error *err)
{
    code->length = table_length(code, items);
    code->bits = malloc(code->length);
    code->packed = malloc((code->length + 7) / 8);
    if (!code->bits || !code->packed)
        return fecrun_no_memory(err);
    make_bits(maker, code->bits, code->round);
    for (uint64_t i = code->round; i < code->length; i++)
        code->bits[i] = code->bits[i - code->round];
    fecrun_bits_pack(code->packed, code->bits, code->length);
    return 0;
}

static void code_free(void *data)
{
    struct scramble_code *code = data;

    if (code) {
        free(code->bits);
        free(code->packed);
    }
    free(code);
}

static int plan_code(struct scramble_code *code, const struct fecrun_values *values,
                     const struct fecrun_frame *in, struct fecrun_plan *plan,
                     struct fecrun_error *err)
{
    struct maker maker;

    if (read_maker(values, &maker, err))
        return -1;
    code->round = find_round(&maker, value_of(values, P_RESTART), in, err);
    code->first = (uint64_t)value_of(values, P_FIRST)->i;
    code->stream = in->stream != 0;
    code->chosen = is_chosen(&maker);
    code->bytes = code->first % 8 == 0 && in->items % 8 == 0;
    if (!code->round)
        return -1;
    if (code->first && !in->stream)
        return fecrun_fail(err, "first", "is of streams: a frame begins with the sequence");
    if (code->first >= code->round)
        return fecrun_fail(err, "first",
                           "is %" PRIu64 ": 0 to %" PRIu64 " are places of the sequence",
                           code->first, code->round - 1);
    if (make_table(code, &maker, in->items, err))
        return -1;
    snprintf(plan->note, sizeof plan->note, "the sequence begins anew every %" PRIu64 " items",
             code->round);
    fecrun_identity(plan, "a sequence of %" PRIu64 " from place %" PRIu64 ", digest %016" PRIx64,
                    code->round, code->first, fecrun_digest(0, code->bits, code->round));
    return 0;
}

static int scramble_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                         const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                         struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct scramble_code *code = fecrun_code(plan, sizeof *code, err);

    (void)host;
    if (!code || plan_code(code, values, in[0], plan, err)) {
        code_free(code);
        plan->code = NULL;
        return -1;
    }
    fecrun_frame_copy(out[0], in[0]);
    return 0;
}

/* ---- Running ------------------------------------------------------------------------------- */

/* Fixed point is symmetric: the least value is read as the next one. */
#define SIGNED(name, type, least) \
    static void name(const uint8_t *bits, const void *from, void *to, uint64_t n) \
    { \
        const type *in = from; \
        type *out = to; \
        for (uint64_t i = 0; i < n; i++) { \
            const type value = in[i] == (least) ? (type)((least) + 1) : in[i]; \
            const type sign = (type)-bits[i]; \
            out[i] = (type)((value ^ sign) - sign); \
        } \
    }

/* Numbers with a sign of their own; 0 has none, as in fixed point. */
#define FLOATING(name, type) \
    static void name(const uint8_t *bits, const void *from, void *to, uint64_t n) \
    { \
        const type *in = from, top = (type)((type)1 << (8 * sizeof(type) - 1)); \
        type *out = to; \
        for (uint64_t i = 0; i < n; i++) { \
            const type turn = (type)(bits[i] & ((in[i] & (type)~top) != 0)); \
            out[i] = in[i] ^ (type)(turn << (8 * sizeof(type) - 1)); \
        } \
    }

SIGNED(add_i8, int8_t, INT8_MIN)
SIGNED(add_i16, int16_t, INT16_MIN)
FLOATING(add_f16, uint16_t)
FLOATING(add_f32, uint32_t)

static void add_u8(const uint8_t *bits, const void *from, void *to, uint64_t n)
{
    const uint8_t *in = from;
    uint8_t *out = to;

    for (uint64_t i = 0; i < n; i++)
        out[i] = in[i] ^ bits[i];
}

/* Whole bytes of the sequence; what fills the last one is 0 and stays it. */
static void add_packed(const uint8_t *packed, const void *from, void *to, uint64_t n)
{
    add_u8(packed, from, to, (n + 7) / 8);
    if (n % 8)
        ((uint8_t *)to)[n / 8] &= (uint8_t)(0xff00 >> n % 8);
}

typedef void adder(const uint8_t *bits, const void *from, void *to, uint64_t n);

static adder *adder_of(uint32_t type)
{
    switch (type) {
    case FECRUN_I8:
        return add_i8;
    case FECRUN_I16:
        return add_i16;
    case FECRUN_F16:
        return add_f16;
    case FECRUN_F32:
        return add_f32;
    default:
        return add_u8;
    }
}

static void run_row(const struct scramble_code *code, uint32_t type, uint64_t place,
                    const uint8_t *from, uint8_t *to, uint64_t n)
{
    const bool packed = type == FECRUN_PACKED;
    adder *add = packed ? add_packed : adder_of(type);

    for (uint64_t at = 0, part; at < n; at += part, place = 0) {
        const uint64_t byte = fecrun_bytes(type, at);

        part = n - at < code->length - place ? n - at : code->length - place;
        add(packed ? code->packed + place / 8 : code->bits + place, from + byte, to + byte, part);
    }
}

/* Of the four sequences of nr-pbch, the place of that of these bits, one a byte. */
static uint64_t choose(const uint8_t *bits)
{
    return (uint64_t)SEQUENCE_PBCH * (2u * (bits[PBCH_THIRD] & 1) + (bits[PBCH_SECOND] & 1));
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct scramble_code *code = call->codes[0];
    const uint64_t items = in[0]->items;

    (void)instance, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint64_t item = code->stream ? call->first_item + code->first + f * items : 0;
        const uint64_t place = code->chosen ? choose(fecrun_row(in[0], f)) : item % code->length;

        run_row(code, in[0]->type, place, fecrun_row(in[0], f), fecrun_row(out[0], f), items);
    }
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_PACKED),
    FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8),
    FECRUN_ONE_FORM(FECRUN_I8, FECRUN_I8),
    FECRUN_ONE_FORM(FECRUN_I16, FECRUN_I16),
    FECRUN_ONE_FORM(FECRUN_F16, FECRUN_F16),
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_F32),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(run), .forms = forms, .takes = scramble_takes),
    &frame_scramble_cuda,
    NULL,
};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{scheme: ccsds}", .batch = 64),
    FECRUN_EXAMPLE(.params = "{scheme: dvb}", .stream = 1),
    FECRUN_EXAMPLE(.params = "{scheme: dvb-s2}"),
    FECRUN_EXAMPLE(.params = "{scheme: wifi, seed: 93}"),
    FECRUN_EXAMPLE(.params = "{scheme: m17}", .items = 368),
    FECRUN_EXAMPLE(.params = "{scheme: nr, seed: 4660}"),
    FECRUN_EXAMPLE(.params = "{scheme: nr-pbch, seed: 500}", .items = 32),
    FECRUN_EXAMPLE(.params = "{scheme: nr-pbch-64, seed: 1007}", .items = 32),
    FECRUN_EXAMPLE(.params = "{polynomial: [9, 5], seed: 0b111111111}"),
    FECRUN_EXAMPLE(.params = "{polynomial: [5, 2], seed: 9, output: register, first: 3}",
                   .stream = 1),
    FECRUN_EXAMPLE(.params = "{polynomial: [23, 18], seed: 77, restart: 100}"),
    NULL,
};

enum { KINDS = FECRUN_KIND_BITS | FECRUN_KIND_LLR };

const struct fecrun_stage frame_scramble = {
    FECRUN_TRANSFORM(scramble_plan, code_free),
    .name = "frame.scramble",
    .summary = "adds a pseudo-random sequence to bits; of LLRs it changes the signs",
    .params = params,
    .inputs = FECRUN_ONE_PORT("in", KINDS, "bits or LLRs"),
    .outputs = FECRUN_ONE_PORT("out", KINDS, "the same, scrambled"),
    .backends = backends,
    .examples = examples,
};

const struct fecrun_stage frame_descramble = {
    FECRUN_TRANSFORM(scramble_plan, code_free),
    .name = "frame.descramble",
    .summary = "takes the sequence of frame.scramble away again",
    .params = params,
    .inputs = FECRUN_ONE_PORT("in", KINDS, "bits or LLRs"),
    .outputs = FECRUN_ONE_PORT("out", KINDS, "the same, descrambled"),
    .backends = backends,
    .examples = examples,
    .undoes = "frame.scramble",
};
