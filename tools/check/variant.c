/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds by trial which frames a stage takes with some parameters, as only plan() knows. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"

#include <fecrun/sdk/stage.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Flavours of a frame, sizes aside ---- */

struct flavour {
    uint32_t type;
    uint32_t kind; /* 0: the type's usual one */
    double llr_max, llr_scale;
    const char *scheme; /* a name, or NULL */
    uint32_t symbol_bits, dimensions;
    double n0;
};

static const struct flavour flavours[] = {
    {.type = FECRUN_U8},
    {.type = FECRUN_U8},
    {.type = FECRUN_I8, .llr_max = 127, .llr_scale = 4},
    {.type = FECRUN_F32},
    {.type = FECRUN_I8, .llr_max = 10, .llr_scale = 2},
    {.type = FECRUN_I4, .llr_max = 7, .llr_scale = 1},
    {.type = FECRUN_I8, .llr_max = 7, .llr_scale = 1},
    {.type = FECRUN_I16, .llr_max = 2047, .llr_scale = 64},
    {.type = FECRUN_C8, .scheme = "bpsk", .symbol_bits = 1, .dimensions = 1, .n0 = 0.5},
    {.type = FECRUN_C8, .scheme = "qpsk", .symbol_bits = 2, .dimensions = 2, .n0 = 0.3},
    {.type = FECRUN_C8, .scheme = "16qam", .symbol_bits = 4, .dimensions = 2, .n0 = 0.1},
    {.type = FECRUN_C8, .scheme = "64qam", .symbol_bits = 6, .dimensions = 2, .n0 = 0.02},
    {.type = FECRUN_C8, .scheme = "256qam", .symbol_bits = 8, .dimensions = 2, .n0 = 0.005},
    {.type = FECRUN_C8, .n0 = 0.1}, /* of any other scheme, or of one that the stage is told */
    {.type = FECRUN_F32, .kind = FECRUN_KIND_VALUES},
};

enum { FLAVOURS = sizeof flavours / sizeof *flavours };

static uint32_t kind_of(const struct flavour *flavour)
{
    return flavour->kind ? flavour->kind : fecrun_type_kind(flavour->type);
}

static void fill_frame(struct fecrun_frame *frame, const struct flavour *flavour, uint64_t items,
                       bool stream)
{
    *frame = (struct fecrun_frame){.size = sizeof *frame,
                                   .kind = kind_of(flavour),
                                   .type = flavour->type,
                                   .items = items,
                                   .pieces = 1,
                                   .info_bits = items,
                                   .n0 = flavour->n0,
                                   .llr_scale = flavour->llr_scale,
                                   .llr_max = flavour->llr_max,
                                   .stream = stream,
                                   .facts = {CHECK_FACT}};
    if (frame->kind == FECRUN_KIND_LLR) {
        frame->info_bits = items / 2 ? items / 2 : 1;
        frame->channel_bits = items;
        frame->bits_per_symbol = 1;
        frame->llr_scale = flavour->type == FECRUN_F32 ? 1 : flavour->llr_scale;
    }
    if (frame->kind == FECRUN_KIND_SYMBOLS) {
        if (flavour->scheme)
            fecrun_frame_scheme(frame, flavour->scheme, flavour->symbol_bits, flavour->dimensions);
        frame->channel_bits = items * frame->bits_per_symbol;
    }
}

/* Other ports get as many items; a flavour of the first kind that they take. */
static void fill_ports(const struct check *check, struct check_variant *v,
                       const struct flavour *flavour, uint64_t items, bool stream, bool link)
{
    const struct fecrun_stage *stage = check->stage->stage;

    memset(v, 0, sizeof *v);
    for (unsigned p = 0; stage->inputs[p]; p++, v->n_in++) {
        const struct flavour *own = flavour;

        for (size_t i = 0; p && !(kind_of(own) & stage->inputs[p]->kinds) && i < FLAVOURS; i++)
            own = &flavours[i];
        fill_frame(&v->in[p], own, items, stream);
        v->linked[p] = link || !(stage->inputs[p]->flags & FECRUN_PORT_OPTIONAL);
    }
    while (stage->outputs[v->n_out])
        v->n_out++;
}

/* ---- Sizes ---- */

enum { MOST_SCANNED = 70000, MOST_SIDE_ITEMS = 4096 };

struct search {
    const struct check *check;
    const struct check_point *point;
    struct check_random random;
    double end;      /* when to give up */
    double enough;   /* the same where something was found */
    double scan_end; /* the same for trying all sizes */
    uint64_t hint;   /* items that may do; 0: none is known */
    unsigned number; /* of the variant: later ones are larger */
    bool no_side_items;
    struct fecrun_error err;
};

static bool has_optional(const struct fecrun_stage *stage)
{
    for (unsigned p = 0; stage->inputs[p]; p++)
        if (stage->inputs[p]->flags & FECRUN_PORT_OPTIONAL)
            return true;
    return false;
}

static bool try_plan(struct search *s, struct check_variant *v)
{
    struct fecrun_error err;

    if (!check_plan(s->check, s->point, v, &err))
        return true;
    if (!s->err.text[0])
        s->err = err;
    return false;
}

static bool try_ports(struct search *s, struct check_variant *v, uint64_t items)
{
    for (unsigned p = 1; p < v->n_in; p++)
        v->in[p].items = items;
    return items && try_plan(s, v);
}

/* Ports beside the first want as many items as it has, or as come out, or one for each symbol of
   several bits, or some number of their own. */
static bool try_side_ports(struct search *s, struct check_variant *v, uint64_t out)
{
    const uint64_t items = v->in[0].items;

    if (try_ports(s, v, out))
        return true;
    for (uint64_t n = 2; n <= 16; n++)
        if (items % n == 0 && try_ports(s, v, items / n))
            return true;
    for (uint64_t n = 1; n <= MOST_SIDE_ITEMS && !s->no_side_items && check_clock() < s->end; n++)
        if (try_ports(s, v, n))
            return true;
    s->no_side_items = true; /* one search is enough */
    return false;
}

static void wish_pieces(const struct search *s, struct check_variant *v)
{
    for (unsigned p = 0; p < v->n_in && s->point->wish.pieces; p++)
        v->in[p].pieces = (uint32_t)s->point->wish.pieces;
}

static bool try_size(struct search *s, const struct flavour *flavour, uint64_t items, bool stream,
                     bool link, struct check_variant *v)
{
    struct check_variant bare;

    fill_ports(s->check, v, flavour, items, stream, link);
    wish_pieces(s, v);
    if (try_plan(s, v))
        return true;
    if (!link || !has_optional(s->check->stage->stage))
        return false;
    fill_ports(s->check, &bare, flavour, items, stream, false);
    wish_pieces(s, &bare);
    if (!try_plan(s, &bare))
        return false;
    check_plan_free(s->check->stage->stage, bare.plan.code);
    return try_side_ports(s, v, bare.out[0].items);
}

/* What the stage's own encoder makes of some number of bits. */
static bool try_encoder(struct search *s, const struct flavour *flavour, bool stream, bool link,
                        struct check_variant *v)
{
    static const uint64_t common[] = {40, 64, 100, 128, 256, 512, 1024, 0};

    for (unsigned i = 0; i < 6 + sizeof common / sizeof *common; i++) {
        uint64_t bits = i < 6 ? 20 + check_random_below(&s->random, s->number ? 500 : 120)
                              : common[i - 6];
        struct check_encoder encoder;
        uint64_t items;

        if (check_clock() > s->end)
            return false;
        if (!bits || !check_encoder_open(&encoder, s->check, s->point, bits, stream))
            continue;
        items = encoder.variant.out[0].items;
        check_encoder_close(&encoder);
        if (try_size(s, flavour, items, stream, link, v))
            return true;
    }
    return false;
}

static bool try_sizes(struct search *s, const struct flavour *flavour, bool stream, bool link,
                      struct check_variant *v)
{
    static const uint64_t usual[] = {24,   60,   64,    84,    100,   120,  128,  132,
                                     240,  256,  264,   360,   420,   512,  648,  840,
                                     1024, 1296, 1944,  2048,  2304,  2520, 3808, 4096,
                                     6144, 8192, 16200, 25344, 64800, 1,    2,    0};
    uint64_t unit = s->number % 3 == 2 ? 1 : s->number ? 60 : 12;

    if (s->point->wish.items)
        return try_size(s, flavour, s->point->wish.items, stream, link, v);
    if (try_encoder(s, flavour, stream, link, v))
        return true;
    for (int i = 0; i < 4; i++)
        if (try_size(s, flavour, unit * (4 + check_random_below(&s->random, 40)), stream, link, v))
            return true;
    if (s->hint && try_size(s, flavour, s->hint, stream, link, v))
        return true;
    for (size_t i = 0; usual[i] && check_clock() < s->end; i++)
        if (try_size(s, flavour, usual[i], stream, link, v))
            return true;
    return false;
}

/* Frames first, then a stream; optional ports are linked in every other variant. */
static bool try_flavour(struct search *s, const struct flavour *flavour, struct check_variant *v)
{
    int wish = s->point->wish.stream;

    for (int stream = wish > 0; stream <= (wish ? 1 : 0); stream++)
        for (int link = 0; link < 2 && check_clock() < s->end; link++)
            if (try_sizes(s, flavour, stream, link != (int)(s->number % 2), v))
                return true;
    return false;
}

/* ---- Variants of a point ---- */

static int add(struct check_variants *variants, const struct check_variant *v)
{
    if (variants->n == variants->room) {
        size_t room = variants->room ? 2 * variants->room : 64;
        struct check_variant *more = realloc(variants->variant, room * sizeof *more);

        if (!more)
            return -1;
        variants->variant = more;
        variants->room = room;
    }
    variants->variant[variants->n++] = *v;
    return 0;
}

static bool wanted(const struct check_wish *wish, const struct flavour *flavour)
{
    return (!wish->type || wish->type == flavour->type) &&
           (!(wish->llr_max > 0) || wish->type || flavour->llr_max == wish->llr_max) &&
           (!wish->scheme[0] || !strcmp(wish->scheme, flavour->scheme ? flavour->scheme : "") ||
            (flavour->type == FECRUN_C8 && !flavour->scheme));
}

/* The same frames, with optional ports linked where they were not, and the other way round. */
static void add_other_links(struct search *s, struct check_variants *variants,
                            const struct flavour *flavour, const struct check_variant *v)
{
    struct check_variant other;
    bool linked = true;

    for (unsigned p = 0; p < v->n_in; p++)
        linked = linked && v->linked[p];
    if (try_size(s, flavour, v->in[0].items, v->in[0].stream, !linked, &other) &&
        add(variants, &other))
        check_plan_free(s->check->stage->stage, other.plan.code);
}

/* `limit` of each kind that the first port takes, beginning at another one for each point. */
static size_t find_flavours(struct search *s, struct check_variants *variants, size_t turn,
                            unsigned limit)
{
    const struct check_wish *wish = &s->point->wish;
    uint32_t kinds = s->check->stage->stage->inputs[0]->kinds;
    unsigned found[FECRUN_KIND_VALUES + 1] = {0};
    size_t n = 0;

    for (size_t i = 0; i < FLAVOURS && check_clock() < s->end; i++) {
        struct flavour flavour = flavours[(i + turn) % FLAVOURS];
        uint32_t kind = kind_of(&flavour);
        struct check_variant v;

        if (n && s->enough < s->end)
            s->end = s->enough;
        if (!(kind & kinds) || found[kind] >= limit || !wanted(wish, &flavour))
            continue;
        flavour.llr_max = wish->llr_max > 0 ? wish->llr_max : flavour.llr_max;
        flavour.n0 = wish->n0 > 0 ? wish->n0 : flavour.n0;
        if (wish->scheme[0] && flavour.type == FECRUN_C8)
            flavour.scheme = wish->scheme;
        s->number = found[kind];
        if (!try_flavour(s, &flavour, &v))
            continue;
        found[kind]++;
        n++;
        if (!variants || add(variants, &v)) {
            check_plan_free(s->check->stage->stage, v.plan.code);
            return n;
        }
        if (has_optional(s->check->stage->stage) && check_clock() < s->enough)
            add_other_links(s, variants, &flavour, &v);
    }
    return n;
}

/* Every size from 1 on, with the first flavour of each kind; the one that plan() takes is the hint. */
static bool scan(struct search *s)
{
    const uint32_t kinds = s->check->stage->stage->inputs[0]->kinds;

    for (uint64_t items = 1; items <= MOST_SCANNED; items++) {
        uint32_t tried = 0;

        if (check_clock() > s->scan_end)
            return false;
        for (size_t i = 0; i < FLAVOURS; i++) {
            uint32_t kind = kind_of(&flavours[i]);
            struct check_variant v;

            if (!(kind & kinds & ~tried) || !wanted(&s->point->wish, &flavours[i]))
                continue;
            tried |= kind;
            if (!try_size(s, &flavours[i], items, s->point->wish.stream > 0, false, &v))
                continue;
            check_plan_free(s->check->stage->stage, v.plan.code);
            s->hint = items;
            return true;
        }
    }
    return false;
}

static size_t find_variants(struct search *s, struct check_variants *variants, size_t turn,
                            unsigned limit)
{
    size_t n = find_flavours(s, variants, turn, limit);

    if (n || s->point->wish.items || check_clock() > s->scan_end || !scan(s))
        return n;
    s->end = check_clock() + 0.5;
    return find_flavours(s, variants, turn, limit);
}

static size_t find_source(struct search *s, struct check_variants *variants)
{
    struct check_variant v;

    if (!try_size(s, &flavours[0], 1, false, false, &v))
        return 0;
    if (!variants || add(variants, &v))
        check_plan_free(s->check->stage->stage, v.plan.code);
    return 1;
}

/* An example has to be taken, so it may take longer; that it is, the stage's own turn finds out. */
static struct search new_search(const struct check *check, const struct check_point *point)
{
    const double left = check_budget_left(), most = point->example ? 10 : 0.5;
    const bool late = check->backend && left < most;

    return (struct search){
        .check = check,
        .point = point,
        .random = check_random_for(check->options->seed, point->text, 0),
        .end = check_clock() + (!late        ? most
                                : left > 0.5 ? left
                                             : 0.5),
        .enough = check_clock() + left,
    };
}

bool check_point_accepted(const struct check *check, const struct check_point *point,
                          struct check_scan *scan)
{
    struct search s = new_search(check, point);
    size_t n;

    s.scan_end = check_clock() + scan->seconds;
    s.hint = scan->hint;
    check_now(check->report, "plan() with %s", point->text);
    n = check->stage->stage->inputs[0] ? find_variants(&s, NULL, 0, 1) : find_source(&s, NULL);
    scan->hint = n ? s.hint : 0;
    scan->err = s.err;
    return n > 0;
}

bool check_variant_like(const struct check *check, const struct check_point *point,
                        const struct check_variant *like, bool other_size,
                        struct check_variant *variant)
{
    enum { TRIES = 8 };
    const struct fecrun_frame *in = &like->in[0];
    const struct flavour flavour = {.type = in->type,
                                    .kind = in->kind,
                                    .llr_max = in->llr_max,
                                    .llr_scale = in->llr_scale,
                                    .scheme = in->scheme[0] ? in->scheme : NULL,
                                    .symbol_bits = in->bits_per_symbol,
                                    .dimensions = in->symbol_dimensions,
                                    .n0 = in->n0};
    struct search s = new_search(check, point);
    bool link = false;

    for (unsigned p = 0; p < like->n_in; p++)
        link = link ||
               (like->linked[p] && check->stage->stage->inputs[p]->flags & FECRUN_PORT_OPTIONAL);
    if (!other_size && try_size(&s, &flavour, in->items, false, link, variant))
        return true;
    for (; s.number < TRIES && try_sizes(&s, &flavour, false, link, variant); s.number++) {
        if (!other_size || variant->in[0].items != in->items)
            return true;
        check_plan_free(check->stage->stage, variant->plan.code);
    }
    return false;
}

/* In the stage's own turn all are planned that somebody means; in a backend's the first one, and what
   --bench wants. */
static bool is_needed(const struct check *check, const struct check_point *point, size_t i)
{
    if (!check->backend)
        return !i || check_point_meant(point);
    return !i || (check->options->bench && point->example && point->example->batch);
}

int check_variants_make(struct check_variants *variants, const struct check *check,
                        const struct check_points *points)
{
    /* of all together; where sizes are usual, what is refused is refused for another reason */
    double scan_end = check_clock() + (points->hint ? CHECK_SCAN_SECONDS : 0);
    uint64_t hint = points->hint;

    memset(variants, 0, sizeof *variants);
    for (size_t i = 0; i < points->n; i++) {
        const struct check_point *point = &points->point[i];
        struct search s = new_search(check, point);
        size_t n;

        if (!is_needed(check, point, i) && !check_budget_allows(0)) {
            check_left_out(check->report, "all sets of parameters");
            variants->untried++;
            continue;
        }
        if (check->backend && !is_needed(check, point, i) && s.enough < s.end)
            s.end = s.enough;
        s.scan_end = scan_end;
        s.hint = hint;
        check_now(check->report, "plan() with %s", point->text);
        n = check->stage->stage->inputs[0] ? find_variants(&s, variants, i, i ? 2 : FLAVOURS)
                                           : find_source(&s, variants);
        hint = s.hint;
        variants->accepted += n > 0;
        variants->refused += !n;
        if (n || check->backend)
            continue;
        check_note(check->report, "refused: %s (%s): %s", point->text, point->origin, s.err.text);
        if (point->example)
            check_fail(check->report, 1, "example %s: %s", point->text, s.err.text);
    }
    return 0;
}

void check_variants_free(struct check_variants *variants, const struct check *check)
{
    for (size_t i = 0; i < variants->n; i++)
        check_plan_free(check->stage->stage, variants->variant[i].plan.code);
    free(variants->variant);
    memset(variants, 0, sizeof *variants);
}

/* ---- Encoders ---- */

bool check_encoder_open(struct check_encoder *encoder, const struct check *check,
                        const struct check_point *point, uint64_t bits, bool stream)
{
    const char *undoes = check->stage->stage->undoes;
    struct check own = *check;
    struct fecrun_error err;
    struct diag diag = {0};
    char *text;
    bool good;

    memset(encoder, 0, sizeof *encoder);
    encoder->stage = undoes ? registry_find(check->registry, undoes) : NULL;
    if (!encoder->stage || !encoder->stage->stage->inputs[0] || !encoder->stage->stage->outputs[0])
        return false;
    text = check_map_text(point, encoder->stage->stage->params, NULL, NULL);
    good = text && check_point_read(&encoder->point, encoder->stage, text, "encoder", &diag);
    free(text);
    if (!good)
        return false;
    own.stage = encoder->stage;
    own.backend = &encoder->stage->backends[0]; /* no report on the encoder here */
    fill_ports(&own, &encoder->variant, &flavours[0], bits, stream, false);
    if (!check_plan(&own, &encoder->point, &encoder->variant, &err))
        return true;
    check_point_clear(&encoder->point);
    return false;
}

void check_encoder_close(struct check_encoder *encoder)
{
    check_plan_free(encoder->stage->stage, encoder->variant.plan.code);
    check_point_clear(&encoder->point);
}
