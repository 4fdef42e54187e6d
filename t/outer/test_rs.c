/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rs.encode and rs.decode on each backend: words that galois and reedsolo made, all that a bounded-distance decoder has
 * to correct, and what it must not; by definition, over all words of a small code.
 */
#include "t/outer/stage.h"

#include "plugins/outer/code/rs_frame.h"
#include <fecrun/sdk/bits.h>

enum { MOST_N = 544, MOST_BITS = 8 * 16 * MOST_N };

/* A code as parameters; `code` is the number of a name, 0: custom. */
struct kind {
    const char *text;
    struct wish wish[10];
};

static const struct kind kinds[] = {
    {"ccsds-255-223", {{"code", 1, NULL}}},
    {"ccsds-255-239, depth 5, 3 shortened",
     {{"code", 2, NULL}, {"depth", 5, NULL}, {"shortened", 3, NULL}}},
    {"dvb-204-188", {{"code", 3, NULL}}},
    {"dvb-h-255-191", {{"code", 4, NULL}}},
    {"atsc-207-187, depth 8", {{"code", 5, NULL}, {"depth", 8, NULL}}},
    {"p25-36-20, depth 2", {{"code", 10, NULL}, {"depth", 2, NULL}}},
    {"(7, 4) of 3 bits, fcr 1",
     {{"symbol_bits", 3, NULL}, {"n", 7, NULL}, {"k", 4, NULL}, {"fcr", 1, NULL}}},
    {"(31, 20) of 5 bits, prim 3, depth 3",
     {{"symbol_bits", 5, NULL},
      {"n", 31, NULL},
      {"k", 20, NULL},
      {"polynomial", 0x2f, NULL},
      {"prim", 3, NULL},
      {"fcr", 30, NULL},
      {"depth", 3, NULL}}},
    {"(255, 212) of 8 bits: 43 parity symbols", {{"n", 255, NULL}, {"k", 212, NULL}}},
    {"(65, 23) of 8 bits: 42 parity symbols",
     {{"n", 65, NULL}, {"k", 23, NULL}, {"fcr", 255, NULL}}},
    {"(64, 63) of 8 bits", {{"n", 64, NULL}, {"k", 63, NULL}, {"prim", 7, NULL}}},
    {"(129, 65) of 8 bits", {{"n", 129, NULL}, {"k", 65, NULL}, {"polynomial", 0x187, NULL}}},
    {"(3, 1) of 8 bits", {{"n", 3, NULL}, {"k", 1, NULL}}},
    {"(544, 514) of 10 bits", {{"symbol_bits", 10, NULL}, {"n", 544, NULL}, {"k", 514, NULL}}},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

/* ---- Golden words ---------------------------------------------------------------------------- */

static unsigned golden_wrong, golden_runs;

static unsigned bits_of(const char *hex, uint64_t n, uint8_t *bits)
{
    for (uint64_t i = 0; i < n; i++)
        bits[i] = hex_byte(hex + i / 8 * 2) >> (7 - i % 8) & 1;
    return 0;
}

static void golden_line(char *field[MOST_FIELDS])
{
    const bool named = strcmp(field[0], "-") != 0;
    const uint32_t m = (uint32_t)atoi(field[1]), n = (uint32_t)atoi(field[2]),
                   k = (uint32_t)atoi(field[3]);
    const int64_t basis = choice_of(&outer_rs_encode_stage, "basis", field[7]);
    const struct wish custom[] = {{"symbol_bits", m, NULL},
                                  {"n", n, NULL},
                                  {"k", k, NULL},
                                  {"polynomial", strtol(field[4], NULL, 16), NULL},
                                  {"fcr", atoi(field[5]), NULL},
                                  {"prim", atoi(field[6]), NULL},
                                  {"basis", basis, NULL},
                                  {NULL, 0, NULL}};
    const struct wish name[] = {
        {"code", named ? choice_of(&outer_rs_encode_stage, "code", field[0]) : 0, NULL},
        {"basis", basis, NULL},
        {NULL, 0, NULL}};
    static uint8_t want[MOST_BITS], got[MOST_BITS], packed[MOST_BITS / 8], word[MOST_BITS / 8];
    struct coder c;

    bits_of(field[8], (uint64_t)n * m, want);
    for (unsigned b = 0; b < N_BACKENDS; b++)
        for (unsigned by_name = 0; by_name <= named; by_name++) {
            if (!coder_open_on(&c, b, &outer_rs_encode_stage, by_name ? name : custom,
                               (uint64_t)k * m, 0))
                continue;
            coder_run(&c, FECRUN_U8, 1, want, 0, NULL, 0, got, 0, NULL, NULL);
            golden_wrong += memcmp(got, want, n * m) != 0;
            fecrun_bits_pack(packed, want, k * m);
            memset(word, 0xff, sizeof word);
            coder_run(&c, FECRUN_PACKED, 1, packed, 0, NULL, 0, word, 0, NULL, NULL);
            fecrun_bits_pack(packed, want, n * m);
            golden_wrong += memcmp(word, packed, (n * m + 7) / 8) != 0;
            golden_wrong += word[(n * m + 7) / 8] != 0xff;
            golden_runs++;
            coder_close(&c);
        }
}

static void check_golden(void)
{
    is_int(each_line("rs.csv", golden_line), 17, "17 words of galois and reedsolo");
    is_int(golden_wrong, 0, "all are ours, %u times", golden_runs);
}

/* ---- Words with errors and erasures ------------------------------------------------------------ */

/* A code's coders, and a frame on its way. */
struct link {
    struct coder encoder, decoder[N_BACKENDS];
    bool there[N_BACKENDS];
    struct rs_code *code;
    uint8_t sent[MOST_BITS], word[MOST_BITS], received[MOST_BITS];
    float marks[16 * MOST_N];
};

static void open_link(struct link *l, const struct wish *wish)
{
    struct fecrun_value value[MOST_PARAMS];
    const struct fecrun_value *list[MOST_PARAMS];
    const struct fecrun_values values = {sizeof values, MOST_PARAMS, list};
    struct fecrun_error err = {.size = sizeof err};

    for (unsigned i = 0; i < MOST_PARAMS; i++)
        list[i] = &value[i];
    read_values(&outer_rs_encode_stage, wish, value);
    l->code = rs_read_code(&values, &err);
    if (!l->code)
        bail("%s: %s", err.param, err.text);
    coder_open(&l->encoder, &outer_rs_encode_stage, 0, 0, wish, rs_bit(l->code, l->code->k, 0), 0);
    for (unsigned b = 0; b < N_BACKENDS; b++)
        l->there[b] = coder_open_on(&l->decoder[b], b, &outer_rs_decode_stage, wish,
                                    rs_bit(l->code, l->code->n, 0),
                                    (uint64_t)l->code->n * l->code->depth);
}

static void close_link(struct link *l)
{
    coder_close(&l->encoder);
    for (unsigned b = 0; b < N_BACKENDS; b++)
        if (l->there[b])
            coder_close(&l->decoder[b]);
    free(l->code);
}

static void send(struct link *l)
{
    const uint64_t k = rs_bit(l->code, l->code->k, 0), n = rs_bit(l->code, l->code->n, 0);

    for (uint64_t i = 0; i < k; i++)
        l->sent[i] = (uint8_t)random_below(2);
    coder_run(&l->encoder, FECRUN_U8, 1, l->sent, 0, NULL, 0, l->word, 0, NULL, NULL);
    memcpy(l->received, l->word, n);
    for (uint32_t i = 0; i < l->code->n * l->code->depth; i++)
        l->marks[i] = 0;
}

/* Changes e symbols of word c, and marks f others as erased, of which each second one is changed. Returns how
   many were changed. */
static unsigned disturb(struct link *l, uint32_t c, uint32_t e, uint32_t f)
{
    const struct rs_code *code = l->code;
    uint8_t used[MOST_N] = {0};
    unsigned changed = 0;

    for (uint32_t i = 0; i < e + f; i++) {
        uint32_t at = random_below(code->n);

        while (used[at])
            at = (at + 1) % code->n;
        used[at] = 1;
        if (i >= e)
            l->marks[at * code->depth + c] = i % 3 ? 1.0f : -0.25f;
        if (i >= e && i % 2)
            continue;
        bits_flip(l->received, FECRUN_U8, rs_bit(code, at, c), code->m,
                  1 + random_below((1u << code->m) - 1));
        changed++;
    }
    return changed;
}

struct got {
    uint8_t bits[MOST_BITS];
    float corrected[RS_MOST_DEPTH];
    struct fecrun_frame_info info;
};

/* Decodes on a backend, in bytes or packed. marks: with them, or none are linked. */
static void receive(struct link *l, unsigned b, bool packed, bool marks, struct got *got)
{
    const uint64_t k = rs_bit(l->code, l->code->k, 0), n = rs_bit(l->code, l->code->n, 0);
    static uint8_t in[MOST_BITS / 8], out[MOST_BITS / 8];

    memset(got, 0xee, sizeof *got);
    got->info = (struct fecrun_frame_info){.flags = 0};
    if (packed)
        fecrun_bits_pack(in, l->received, n);
    coder_run(&l->decoder[b], packed ? FECRUN_PACKED : FECRUN_U8, 1, packed ? in : l->received, 0,
              marks ? l->marks : NULL, l->code->n * l->code->depth, packed ? out : got->bits, 0,
              got->corrected, &got->info);
    if (packed)
        fecrun_bits_unpack(got->bits, out, k);
}

/* All that has to be corrected is, with the count of what was wrong. */
static unsigned correctable(struct link *l, unsigned b, uint32_t f)
{
    static struct got got;
    unsigned wrong = 0;

    for (uint32_t e = 0; 2 * e + f <= l->code->parity; e++) {
        unsigned changed[RS_MOST_DEPTH];

        send(l);
        for (uint32_t c = 0; c < l->code->depth; c++)
            changed[c] = disturb(l, c, c % 2 ? e / 2 : e, f);
        receive(l, b, (e + f) % 2, f > 0, &got);
        wrong += memcmp(got.bits, l->sent, rs_bit(l->code, l->code->k, 0)) != 0;
        wrong += got.info.flags != FECRUN_FRAME_CHECKED;
        for (uint32_t c = 0; c < l->code->depth; c++)
            wrong += got.corrected[c] != (float)changed[c];
    }
    return wrong;
}

/* More than can be corrected, or anything: every backend says what ref says. Returns how many failed in *failed. */
static unsigned hopeless(struct link *l, unsigned rounds, unsigned *failed)
{
    static struct got want, got;
    const uint64_t k = rs_bit(l->code, l->code->k, 0);
    const uint32_t t = l->code->parity / 2;
    unsigned wrong = 0;

    for (unsigned round = 0; round < rounds; round++) {
        const uint32_t f = round % 4 == 3 ? random_below(l->code->parity + 2) : 0;
        const uint32_t e = f ? random_below(t + 2) : t + 1 + round % 3;

        send(l);
        for (uint32_t c = 0; c < l->code->depth; c++)
            if (round % 5 != 4)
                disturb(l, c, e + f <= l->code->n ? e : 0, f <= l->code->n ? f : 0);
        for (uint64_t i = 0; round % 5 == 4 && i < rs_bit(l->code, l->code->n, 0); i++)
            l->received[i] = (uint8_t)random_below(2);
        receive(l, REF, false, f > 0, &want);
        for (uint32_t c = 0; c < l->code->depth; c++)
            for (uint32_t i = 0; want.corrected[c] < 0 && i < l->code->k; i++)
                wrong += bits_get(want.bits, FECRUN_U8, rs_bit(l->code, i, c), l->code->m) !=
                         bits_get(l->received, FECRUN_U8, rs_bit(l->code, i, c), l->code->m);
        *failed += (want.info.flags & FECRUN_FRAME_FAILED) != 0;
        for (unsigned b = AVX2; b < N_BACKENDS; b++) {
            if (!l->there[b])
                continue;
            receive(l, b, round % 2, f > 0, &got);
            wrong += memcmp(got.bits, want.bits, k) != 0 || got.info.flags != want.info.flags ||
                     memcmp(got.corrected, want.corrected,
                            l->code->depth * sizeof *got.corrected) != 0;
        }
    }
    return wrong;
}

static void check_kind(const struct kind *kind)
{
    static struct link l;
    unsigned failed = 0;

    open_link(&l, kind->wish);
    for (unsigned b = 0; b < N_BACKENDS; b++) {
        const uint32_t stride = b == REF && l.code->n > 100 ? 7 : 1;
        unsigned wrong = 0;

        if (!l.there[b])
            continue;
        for (uint32_t f = 0; f <= l.code->parity; f += stride)
            wrong += correctable(&l, b, f);
        is_int(wrong, 0, "%s: %s corrects 2 e + f <= n - k", kind->text, backend_names[b]);
    }
    is_int(hopeless(&l, tap_rounds(l.code->m > 8 ? 16 : 60), &failed), 0,
           "... more is left as it is, and all say so alike (%u failed)", failed);
    ok(failed > 0 || l.code->n < 8, "... some are found to be hopeless");
    close_link(&l);
}

/* ---- By definition ----------------------------------------------------------------------------- */

/* The only word of a small code with 2 e + f <= parity, by trying all; -1: none. */
static int nearest(uint8_t words[][21], unsigned n_words, const struct link *l, uint32_t f)
{
    const struct rs_code *code = l->code;

    for (unsigned w = 0; w < n_words && f <= code->parity; w++) {
        uint32_t e = 0;

        for (uint32_t i = 0; i < code->n; i++)
            e += l->marks[i] == 0 && bits_get(words[w], FECRUN_U8, 3 * i, 3) !=
                                         bits_get(l->received, FECRUN_U8, 3 * i, 3);
        if (2 * e + f <= code->parity)
            return (int)w;
    }
    return -1;
}

static void check_definition(uint32_t n, uint32_t k)
{
    const struct wish wish[] = {{"symbol_bits", 3, NULL}, {"n", n, NULL},    {"k", k, NULL},
                                {"fcr", 2, NULL},         {"prim", 3, NULL}, {NULL, 0, NULL}};
    static uint8_t words[4096][21];
    const unsigned n_words = 1u << 3 * k, rounds = tap_rounds(20000);
    unsigned wrong = 0, found = 0;
    static struct link l;
    static struct got got;

    open_link(&l, wish);
    for (unsigned w = 0; w < n_words; w++) {
        uint8_t bits[12];

        for (uint32_t i = 0; i < 3 * k; i++)
            bits[i] = w >> i & 1;
        coder_run(&l.encoder, FECRUN_U8, 1, bits, 0, NULL, 0, words[w], 0, NULL, NULL);
    }
    for (unsigned round = 0; round < rounds; round++) {
        uint32_t f = 0;
        int want;

        for (uint32_t i = 0; i < 3 * n; i++)
            l.received[i] = (uint8_t)random_below(2);
        for (uint32_t i = 0; i < n; i++) {
            l.marks[i] = round % 2 && random_below(4) == 0;
            f += l.marks[i] != 0;
        }
        want = nearest(words, n_words, &l, f);
        found += want >= 0;
        for (unsigned b = 0; b < N_BACKENDS; b++) {
            if (!l.there[b])
                continue;
            receive(&l, b, false, f > 0, &got);
            wrong += (want < 0) != !!(got.info.flags & FECRUN_FRAME_FAILED);
            wrong += memcmp(got.bits, want < 0 ? l.received : words[want], 3 * k) != 0;
        }
    }
    is_int(wrong, 0, "(%u, %u) of 3 bits: %u random words as the definition says", n, k, rounds);
    ok(found > rounds / 100 && found < rounds - rounds / 100, "... %u can be corrected", found);
    close_link(&l);
}

/* More erasures than parity symbols are a failure, also of a word without an error. */
static void check_erased(void)
{
    static const struct wish wish[] = {{"code", 3, NULL}, {NULL, 0, NULL}};
    static struct link l;
    static struct got got;

    open_link(&l, wish);
    for (unsigned b = 0; b < N_BACKENDS; b++)
        for (uint32_t f = 16; l.there[b] && f <= 17; f++) {
            send(&l);
            for (uint32_t i = 0; i < f; i++)
                l.marks[11 * i] = 1;
            receive(&l, b, true, true, &got);
            ok(!memcmp(got.bits, l.sent, 188 * 8) && got.corrected[0] == (f > 16 ? -1 : 0) &&
                   !!(got.info.flags & FECRUN_FRAME_FAILED) == (f > 16),
               "%s: %u erasures of a clean word: %s", backend_names[b], f,
               f > 16 ? "failed" : "good");
        }
    close_link(&l);
}

/* The corrected word of one frame does not touch another, and of several words of a frame one fails alone. */
static void check_depth(void)
{
    static const struct wish wish[] = {{"code", 1, NULL}, {"depth", 4, NULL}, {NULL, 0, NULL}};
    static struct link l;
    static struct got got;

    open_link(&l, wish);
    for (unsigned b = 0; b < N_BACKENDS; b++) {
        unsigned same = 0;

        if (!l.there[b])
            continue;
        send(&l);
        disturb(&l, 0, 3, 0);
        disturb(&l, 2, 100, 0);
        disturb(&l, 3, 16, 0);
        receive(&l, b, true, false, &got);
        for (uint32_t i = 0; i < l.code->k; i++)
            for (uint32_t c = 0; c < 4; c++)
                same += bits_get(got.bits, FECRUN_U8, rs_bit(l.code, i, c), 8) ==
                        bits_get(c == 2 ? l.received : l.sent, FECRUN_U8, rs_bit(l.code, i, c), 8);
        is_int(same, 4 * 223, "%s: of four words the one that fails is passed on",
               backend_names[b]);
        ok(got.corrected[0] == 3 && got.corrected[1] == 0 && got.corrected[2] == -1 &&
               got.corrected[3] == 16 && got.info.flags & FECRUN_FRAME_FAILED,
           "... counts are 3, 0, -1 and 16, and the frame has failed");
    }
    close_link(&l);
}

int main(void)
{
    check_golden();
    for (unsigned i = 0; i < N_KINDS; i++)
        check_kind(&kinds[i]);
    check_definition(7, 4);
    check_definition(5, 1);
    check_depth();
    check_erased();
    return done_testing();
}
