/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bch.encode and bch.decode on each backend: parity that was made from EN 302 307-1's tables and by galois, all errors
 * that have to be corrected, and what must not; by definition, over all words of a small code.
 */
#include "t/outer/stage.h"

#include "plugins/outer/code/bch.h"
#include <fecrun/sdk/bits.h>

enum { MOST_N = 65536 };

struct link {
    struct coder encoder[N_BACKENDS], decoder[N_BACKENDS];
    bool there[N_BACKENDS];
    uint32_t n, k, t;
    uint8_t sent[MOST_N], word[MOST_N], received[MOST_N];
};

struct got {
    uint8_t bits[MOST_N];
    float corrected;
    struct fecrun_frame_info info;
};

static void open_link(struct link *l, const struct wish *wish, uint32_t n, uint32_t k, uint32_t t)
{
    l->n = n;
    l->k = k;
    l->t = t;
    for (unsigned b = 0; b < N_BACKENDS; b++) {
        l->there[b] = coder_open_on(&l->decoder[b], b, &outer_bch_decode_stage, wish, n, 0);
        if (l->there[b])
            coder_open_on(&l->encoder[b], b, &outer_bch_encode_stage, wish, k, 0);
    }
}

static void close_link(struct link *l)
{
    for (unsigned b = 0; b < N_BACKENDS; b++)
        if (l->there[b]) {
            coder_close(&l->encoder[b]);
            coder_close(&l->decoder[b]);
        }
}

static void encode(struct link *l, unsigned b, bool packed, uint8_t *word)
{
    static uint8_t in[MOST_N / 8 + 1], out[MOST_N / 8 + 1];

    if (!packed) {
        coder_run(&l->encoder[b], FECRUN_U8, 1, l->sent, 0, NULL, 0, word, 0, NULL, NULL);
        return;
    }
    fecrun_bits_pack(in, l->sent, l->k);
    out[(l->n + 7) / 8 - 1] = 0xff;
    coder_run(&l->encoder[b], FECRUN_PACKED, 1, in, 0, NULL, 0, out, 0, NULL, NULL);
    fecrun_bits_unpack(word, out, l->n);
    if (l->n % 8 && out[l->n / 8] & (0xff >> l->n % 8))
        word[0] ^= 1; /* pad bits are zeros */
}

static void send(struct link *l)
{
    for (uint32_t i = 0; i < l->k; i++)
        l->sent[i] = (uint8_t)random_below(2);
    encode(l, REF, false, l->word);
    memcpy(l->received, l->word, l->n);
}

static void receive(struct link *l, unsigned b, bool packed, struct got *got)
{
    static uint8_t in[MOST_N / 8 + 1], out[MOST_N / 8 + 1];

    got->info = (struct fecrun_frame_info){.flags = 0};
    got->corrected = 1e9f;
    if (packed)
        fecrun_bits_pack(in, l->received, l->n);
    coder_run(&l->decoder[b], packed ? FECRUN_PACKED : FECRUN_U8, 1, packed ? in : l->received, 0,
              NULL, 0, packed ? out : got->bits, 0, &got->corrected, &got->info);
    if (packed)
        fecrun_bits_unpack(got->bits, out, l->k);
}

/* Inverts e different bits, the first ones at both ends of the word and of its information. */
static void disturb(struct link *l, uint32_t e)
{
    const uint32_t ends[] = {0, l->n - 1, l->k - 1, l->k};

    for (uint32_t i = 0; i < e; i++) {
        uint32_t at = i < 4 && e > 3 ? ends[i] : random_below(l->n);

        while (l->received[at] != l->word[at])
            at = (at + 1) % l->n;
        l->received[at] ^= 1;
    }
}

static void check_link(struct link *l, const char *name, unsigned rounds)
{
    unsigned wrong[N_BACKENDS] = {0}, failed = 0, differ = 0;
    static struct got want, got;
    static uint8_t word[MOST_N];

    for (uint32_t e = 0; e <= l->t; e++) {
        send(l);
        disturb(l, e);
        for (unsigned b = 0; b < N_BACKENDS; b++) {
            if (!l->there[b] || (b == REF && l->n > 20000 && e % 4))
                continue;
            encode(l, b, e % 2, word);
            receive(l, b, e % 2, &got);
            wrong[b] += memcmp(word, l->word, l->n) != 0 || memcmp(got.bits, l->sent, l->k) != 0 ||
                        got.info.flags != FECRUN_FRAME_CHECKED || got.corrected != (float)e;
        }
    }
    for (unsigned b = 0; b < N_BACKENDS; b++)
        if (l->there[b])
            is_int(wrong[b], 0, "%s: %s corrects 0 to %u bits", name, backend_names[b], l->t);
    for (unsigned round = 0; round < rounds; round++) {
        send(l);
        if (l->t + 1 + round % 3 <= l->n)
            disturb(l, l->t + 1 + round % 3);
        for (uint32_t i = 0; round % 4 == 3 && i < l->n; i++)
            l->received[i] = (uint8_t)random_below(2);
        receive(l, REF, false, &want);
        if (want.info.flags & FECRUN_FRAME_FAILED) {
            failed++;
            differ += memcmp(want.bits, l->received, l->k) != 0 || want.corrected != -1;
        }
        for (unsigned b = AVX2; b < N_BACKENDS; b++) {
            if (!l->there[b])
                continue;
            receive(l, b, round % 2, &got);
            differ += memcmp(got.bits, want.bits, l->k) != 0 || got.corrected != want.corrected ||
                      got.info.flags != want.info.flags;
        }
    }
    is_int(differ, 0, "... more is left as it is, and all say so alike (%u of %u failed)", failed,
           rounds);
}

/* ---- Golden parity --------------------------------------------------------------------------- */

static unsigned parity_wrong, size_wrong;

static void golden_line(char *field[MOST_FIELDS])
{
    const bool custom = !strcmp(field[0], "custom"), is_short = !strcmp(field[1], "short");
    const uint32_t m = (uint32_t)atoi(field[3]), k = (uint32_t)atoi(field[5]),
                   n = (uint32_t)atoi(field[6]), t = (uint32_t)atoi(field[7]);
    const struct wish dvbs2[] = {
        {"code", 1, NULL}, {"frame", is_short, NULL}, {"rate", 0, field[2]}, {NULL, 0, NULL}};
    const struct wish free_code[] = {{"m", m, NULL},
                                     {"t", t, NULL},
                                     {"polynomial", strtol(field[4], NULL, 16), NULL},
                                     {"shortened", (1 << m) - 1 - n, NULL},
                                     {NULL, 0, NULL}};
    const uint32_t digits = (uint32_t)strlen(field[9]);
    static uint8_t word[MOST_N];
    static struct link l;
    char name[64];
    uint32_t x = 1;

    open_link(&l, custom ? free_code : dvbs2, n, k, t);
    for (uint32_t i = 0; i < k; i++) {
        if (i % 8 == 0)
            x = (1103515245 * x + 12345) % (1u << 31);
        l.sent[i] = (x >> 16 & 255) >> (7 - i % 8) & 1;
    }
    for (unsigned b = 0; b < N_BACKENDS; b++) {
        if (!l.there[b])
            continue;
        encode(&l, b, b % 2, word);
        for (uint32_t i = 0; i < n - k; i++) { /* bit i counts from the last one */
            const char digit[2] = {field[9][digits - 1 - i / 4], 0};

            parity_wrong += (strtoul(digit, NULL, 16) >> i % 4 & 1) != word[n - 1 - i];
        }
        size_wrong += l.decoder[b].out[0].items != k || l.encoder[b].out[0].items != n;
    }
    snprintf(name, sizeof name, "%s %s %s, (%u, %u)", field[0], field[1], field[2], n, k);
    check_link(&l, name, tap_rounds(n > 20000 ? 4 : 12));
    close_link(&l);
}

static void check_golden(void)
{
    is_int(each_line("bch.csv", golden_line), 26, "26 codes");
    is_int(size_wrong, 0, "... have the sizes of tables 5a and 5b");
    is_int(parity_wrong, 0, "... and the parity that others made");
}

/* ---- By definition ----------------------------------------------------------------------------- */

/* All 2^n words of a code over GF(2^4); k is at most 5. */
static void check_definition(uint32_t n, uint32_t k, uint32_t t)
{
    const struct wish wish[] = {
        {"m", 4, NULL}, {"t", t, NULL}, {"shortened", 15 - n, NULL}, {NULL, 0, NULL}};
    unsigned wrong = 0, found = 0;
    uint32_t words[32] = {0};
    static struct link l;
    static struct got got;

    open_link(&l, wish, n, k, t);
    for (unsigned w = 0; w < 1u << k; w++) {
        for (unsigned i = 0; i < k; i++)
            l.sent[i] = w >> i & 1;
        encode(&l, REF, false, l.word);
        for (unsigned i = 0; i < n; i++)
            words[w] |= (uint32_t)l.word[i] << i;
    }
    for (uint32_t r = 0; r < 1u << n; r += tap_sanitized() ? 8 : 1) {
        uint32_t want = r;
        bool good = false;

        for (unsigned w = 0; w < 1u << k; w++)
            if (__builtin_popcount(words[w] ^ r) <= (int)t) {
                want = words[w];
                good = true;
            }
        found += good;
        for (unsigned i = 0; i < n; i++)
            l.received[i] = r >> i & 1;
        for (unsigned b = 0; b < N_BACKENDS; b++) {
            if (!l.there[b])
                continue;
            receive(&l, b, false, &got);
            wrong += good != !(got.info.flags & FECRUN_FRAME_FAILED);
            for (unsigned i = 0; i < k; i++)
                wrong += got.bits[i] != (want >> i & 1);
        }
    }
    is_int(wrong, 0, "(%u, %u), t = %u: all 2^%u words as the definition says", n, k, t, n);
    ok(found > 0, "... %u can be corrected", found);
    close_link(&l);
}

int main(void)
{
    check_definition(15, 5, 3);
    check_definition(10, 2, 2);
    check_definition(13, 5, 2);
    check_golden();
    return done_testing();
}
