/* SPDX-License-Identifier: BSD-2-Clause */
/* libfec's functions as a program written for libfec calls them; the encoder is this file's own. */
#include "t/lib/tap.h"

#include "tools/libfec/fec.h"

#include <fecrun/plugin.h>
#include <fecrun/sdk/gauss.h>
#include <fecrun/sdk/rng.h>
#include <pthread.h>

enum { MOST = 4096, MANY = 150, MOST_SYMBOLS = (MOST + 14) * 6 };

struct code {
    const char *name;
    unsigned K, n;
    int polys[6];
    float sigma; /* of the noise, at which a fair decoder makes no error in a few frames */
    void *(*create)(int len);
    void (*set)(int *polys);
    int (*init)(void *vp, int starting_state);
    int (*update)(void *vp, unsigned char *syms, int nbits);
    int (*chainback)(void *vp, unsigned char *data, unsigned nbits, unsigned endstate);
    void (*delete)(void *vp);
    int (*many)(void *vp, const unsigned char *syms, unsigned char *data, unsigned nbits,
                unsigned endstate, unsigned frames);
};

#define CODE(name, K, n, polys, sigma) \
    { \
#name, K, n, polys, sigma, create_##name, set_##name##_polynomial, init_##name, \
            update_##name##_blk, chainback_##name, delete_##name, decode_##name##_many \
    }
#define LIST(...) \
    { \
        __VA_ARGS__ \
    }

static const struct code codes[] = {
    CODE(viterbi27, 7, 2, LIST(V27POLYA, V27POLYB), 0.5f),
    CODE(viterbi29, 9, 2, LIST(V29POLYA, V29POLYB), 0.5f),
    CODE(viterbi39, 9, 3, LIST(V39POLYA, V39POLYB, V39POLYC), 0.6f),
    CODE(viterbi615, 15, 6, LIST(V615POLYA, V615POLYB, V615POLYC, V615POLYD, V615POLYE, V615POLYF),
         1.0f),
};

/* ---- The channel ---- */

static struct fecrun_rng rng = {.seed = 19};
static uint64_t frame; /* each has words and noise of its own */

static void random_bits(unsigned char *packed, size_t bytes)
{
    uint32_t words[MOST / 8 / 4 + 4];

    fecrun_rng_words(&rng, frame++, 0, words, (bytes + 15) / 16);
    memcpy(packed, words, bytes);
}

static unsigned bit_of(const unsigned char *packed, size_t i)
{
    return packed[i / 8] >> (7 - i % 8) & 1;
}

/* From a state, then K-1 bits that lead to another: (bits + K-1) n of 0 and 1. */
static void encode(const struct code *c, const int *polys, const unsigned char *packed,
                   unsigned bits, unsigned start, unsigned end, unsigned char *coded)
{
    unsigned sr = start;

    for (unsigned i = 0; i < bits + c->K - 1; i++) {
        unsigned bit = i < bits ? bit_of(packed, i) : end >> (bits + c->K - 2 - i) & 1;
        sr = sr << 1 | bit;
        for (unsigned j = 0; j < c->n; j++) {
            unsigned seen = sr & (unsigned)abs(polys[j]) & ((1u << c->K) - 1);
            *coded++ = (unsigned char)((__builtin_popcount(seen) & 1) ^ (polys[j] < 0));
        }
    }
}

/* 0 and 1 as symbols round 128 with this amplitude and noise of sigma times it. */
static void send(unsigned char *symbols, size_t count, float amplitude, float sigma)
{
    static float noise[MOST_SYMBOLS + 4];

    fecrun_gauss(&rng, frame++, 0, noise, count);
    for (size_t i = 0; i < count; i++) {
        float level = symbols[i] ? amplitude : -amplitude;
        float value = 128 + level + amplitude * sigma * noise[i];
        symbols[i] = value < 0 ? 0 : value > 255 ? 255 : (unsigned char)value;
    }
}

static unsigned wrong_bits(const unsigned char *a, const unsigned char *b, size_t bits)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < bits; i++)
        wrong += bit_of(a, i) != bit_of(b, i);
    return wrong;
}

static unsigned char sent[MOST / 8 + 8], got[MOST / 8 + 8], symbols[MOST_SYMBOLS];

static void *must_create(const struct code *c, int len)
{
    void *vp = c->create(len);

    if (!vp)
        bail("%s", fecrun_fec_message());
    return vp;
}

static size_t steps_symbols(const struct code *c, unsigned bits)
{
    return (size_t)(bits + c->K - 1) * c->n;
}

/* ---- Frames ---- */

static void test_round_trip(const struct code *c)
{
    static const float amplitudes[] = {127, 60, 12};
    const unsigned bits = c->K == 15 ? 256 : 1024;
    void *vp = must_create(c, (int)bits);

    for (size_t i = 0; i < 3; i++) {
        random_bits(sent, bits / 8);
        encode(c, c->polys, sent, bits, 0, 0, symbols);
        send(symbols, steps_symbols(c, bits), amplitudes[i], c->sigma);
        is_int(c->init(vp, 0), 0, "%s: init", c->name);
        is_int(c->update(vp, symbols, (int)(bits + c->K - 1)), 0, "update");
        memset(got, 0xaa, sizeof got);
        is_int(c->chainback(vp, got, bits, 0), 0, "chainback");
        is_int(wrong_bits(got, sent, bits), 0, "noise is corrected, amplitude %.0f", amplitudes[i]);
        is_int(got[bits / 8], 0xaa, "nothing is written behind the bits");
    }
    c->delete (vp);
}

static void test_pieces(const struct code *c)
{
    static const int pieces[] = {1, 7, 64, 0, 3, 100};
    const int bits = 203, steps = bits + (int)c->K - 1;
    unsigned char whole[32], last;
    void *vp = must_create(c, bits);
    int at = 0;

    random_bits(sent, 26);
    encode(c, c->polys, sent, (unsigned)bits, 0, 0, symbols);
    send(symbols, steps_symbols(c, (unsigned)bits), 100, c->sigma);
    c->init(vp, 0);
    c->update(vp, symbols, steps);
    c->chainback(vp, whole, (unsigned)bits, 0);
    c->init(vp, 0);
    for (size_t i = 0; at < steps; i = (i + 1) % 6) {
        int n = pieces[i] < steps - at ? pieces[i] : steps - at;
        if (c->update(vp, symbols + (size_t)at * c->n, n))
            break;
        at += n;
    }
    is_int(at, steps, "%s: an update may have any number of steps", c->name);
    is_int(c->chainback(vp, got, (unsigned)bits, 0), 0, "chainback");
    ok(memcmp(got, whole, 26) == 0, "pieces are decoded as the whole is");
    is_int(wrong_bits(got, sent, (size_t)bits), 0, "and rightly");
    last = (unsigned char)(sent[25] & 0xe0);
    is_int(got[25], last, "behind the bits of a frame that ends in 0 are zeros");
    is_int(c->chainback(vp, got, (unsigned)bits, 0), 0, "chainback again");
    ok(memcmp(got, whole, 26) == 0, "gives the same");
    c->delete (vp);
}

/* A long frame's first bits while it comes, with the state that the encoder has then. */
static void test_parts(const struct code *c)
{
    const unsigned bits = 600, first = 250, m = c->K - 1;
    unsigned state = 0;
    void *vp = must_create(c, (int)bits);

    random_bits(sent, bits / 8);
    encode(c, c->polys, sent, bits, 0, 0, symbols);
    send(symbols, steps_symbols(c, bits), 100, c->sigma / 2);
    for (unsigned i = 0; i < m; i++)
        state = state << 1 | bit_of(sent, first + i);
    c->init(vp, 0);
    c->update(vp, symbols, (int)(first + m));
    is_int(c->chainback(vp, got, first, state), 0, "%s: chainback of a part", c->name);
    is_int(wrong_bits(got, sent, first), 0, "its bits");
    is_int(wrong_bits(got, sent, 256), 0, "the last byte goes on with the state's bits");
    c->update(vp, symbols + (size_t)(first + m) * c->n, (int)(bits - first));
    is_int(c->chainback(vp, got, bits, 0), 0, "then of the whole");
    is_int(wrong_bits(got, sent, bits), 0, "its bits");
    c->delete (vp);
}

static void test_states(const struct code *c)
{
    const unsigned bits = 120, mask = (1u << (c->K - 1)) - 1;
    unsigned wrong = 0, unknown = 0;
    void *vp = must_create(c, (int)bits);

    for (unsigned i = 0; i < 20; i++) {
        unsigned start = i * 2741 & mask, end = i * 7919 & mask;
        random_bits(sent, bits / 8);
        encode(c, c->polys, sent, bits, start, end, symbols);
        send(symbols, steps_symbols(c, bits), 100, c->sigma / 2);
        c->init(vp, (int)start);
        c->update(vp, symbols, (int)(bits + c->K - 1));
        c->chainback(vp, got, bits, end);
        wrong += wrong_bits(got, sent, bits);
        c->init(vp, (int)(~start & mask)); /* all of its bits are wrong */
        c->update(vp, symbols, (int)(bits + c->K - 1));
        c->chainback(vp, got, bits, end);
        unknown += wrong_bits(got, sent, bits);
    }
    is_int(wrong, 0, "%s: frames begin and end in any state", c->name);
    ok(unknown <= 3, "a wrong start state costs hardly a bit: %u of %u", unknown, 20 * bits);
    c->delete (vp);
}

static void test_sizes(const struct code *c)
{
    unsigned wrong = 0, refused = 0;
    void *vp = must_create(c, 300);

    for (unsigned bits = 1; bits <= 300; bits += bits < 20 ? 1 : 31) {
        random_bits(sent, 40);
        encode(c, c->polys, sent, bits, 0, 0, symbols);
        send(symbols, steps_symbols(c, bits), 127, 0.1f);
        c->init(vp, 0);
        refused += c->update(vp, symbols, (int)(bits + c->K - 1)) != 0;
        refused += c->chainback(vp, got, bits, 0) != 0;
        wrong += wrong_bits(got, sent, bits);
    }
    is_int(refused, 0, "%s: frames of any size up to the decoder's", c->name);
    is_int(wrong, 0, "their bits");
    c->delete (vp);
}

static void test_polynomials(const struct code *c)
{
    int other[6], given[6];
    const unsigned bits = 200;
    void *vp = must_create(c, (int)bits);

    memcpy(given, c->polys, sizeof given);
    for (unsigned j = 0; j < c->n; j++) /* in the other order, every other symbol complemented */
        other[j] = j % 2 ? c->polys[c->n - 1 - j] : -c->polys[c->n - 1 - j];
    c->set(other);
    random_bits(sent, bits / 8);
    encode(c, other, sent, bits, 1, 2, symbols);
    send(symbols, steps_symbols(c, bits), 100, c->sigma / 2);
    c->init(vp, 1);
    c->update(vp, symbols, (int)(bits + c->K - 1));
    is_int(c->chainback(vp, got, bits, 2), 0, "%s: other generators", c->name);
    is_int(wrong_bits(got, sent, bits), 0, "are taken by decoders that are there");
    c->set(NULL);
    c->set(given);
    c->delete (vp);
}

static void test_many(const struct code *c)
{
    const unsigned bits = 101, bytes = 13;
    const size_t row = steps_symbols(c, bits);
    unsigned char *all = malloc(MANY * row), *truth = malloc(MANY * bytes),
                  *out = malloc(MANY * bytes);
    unsigned same = 0, wrong = 0;
    void *vp = must_create(c, 128);

    for (unsigned f = 0; f < MANY; f++) {
        random_bits(truth + f * bytes, bytes);
        encode(c, c->polys, truth + f * bytes, bits, 3, 5, all + f * row);
        send(all + f * row, row, 100, c->sigma);
    }
    c->init(vp, 3);
    is_int(c->many(vp, all, out, bits, 5, MANY), 0, "%s: %d frames at once", c->name, MANY);
    for (unsigned f = 0; f < MANY; f++) {
        c->init(vp, 3);
        c->update(vp, all + f * row, (int)(bits + c->K - 1));
        c->chainback(vp, got, bits, 5);
        same += memcmp(got, out + f * bytes, bytes) == 0;
        wrong += wrong_bits(out + f * bytes, truth + f * bytes, bits) > 0;
    }
    is_int(same, MANY, "are decoded as one by one");
    ok(wrong < MANY / 10, "and rightly but for %u", wrong);
    is_int(c->many(vp, all, out, bits, 5, 0), 0, "no frame is fine");
    is_int(c->many(vp, all, out, 129, 5, 1), -1, "frames longer than the decoder's are not");
    is_int(c->many(vp, NULL, out, bits, 5, 1), -1, "nor none");
    is_int(c->many(NULL, all, out, bits, 5, 1), -1, "nor no decoder");
    c->delete (vp);
    free(all);
    free(truth);
    free(out);
}

/* ---- What is refused ---- */

static bool said(const char *text)
{
    if (strstr(fecrun_fec_message(), text))
        return true;
    diag("message: %s", fecrun_fec_message());
    return false;
}

static void test_refusals(const struct code *c)
{
    void *vp = must_create(c, 100);
    const int steps = 100 + (int)c->K - 1;

    ok(!c->create(-1) && said("len is -1"), "%s: no negative length", c->name);
    is_int(c->init(NULL, 0), -1, "no decoder: init");
    is_int(c->update(NULL, symbols, 1), -1, "update");
    is_int(c->chainback(NULL, got, 1, 0), -1, "chainback");
    c->delete (NULL);
    c->init(vp, 0);
    is_int(c->update(vp, symbols, -1), -1, "a negative number of steps");
    is_int(c->update(vp, NULL, 1), -1, "no symbols");
    ok(said("there are no symbols"), "says so");
    is_int(c->update(vp, NULL, 0), 0, "no steps");
    is_int(c->chainback(vp, got, 1, 0), -1, "bits that have not come");
    memset(symbols, 0, (size_t)steps * c->n);
    is_int(c->update(vp, symbols, steps), 0, "a whole frame");
    ok(c->update(vp, symbols, 1) == -1 && said("a frame of at most 100 bits has"), "one step more");
    is_int(c->chainback(vp, got, 101, 0), -1, "one bit more");
    is_int(c->chainback(vp, NULL, 100, 0), -1, "no room for bits");
    is_int(c->chainback(vp, NULL, 0, 0), 0, "no bits");
    is_int(c->chainback(vp, got, 100, 0), 0, "the frame is still there");
    c->delete (vp);
}

static void test_bad_generators(void)
{
    int none[2] = {0, 0}, right[2] = {V27POLYA, V27POLYB};
    void *vp = must_create(&codes[0], 100);

    set_viterbi27_polynomial(none);
    init_viterbi27(vp, 0);
    memset(symbols, 0, sizeof symbols);
    update_viterbi27_blk(vp, symbols, 106);
    is_int(chainback_viterbi27(vp, got, 100, 0), -1, "generators of 0 are refused");
    ok(said("viterbi.decode.generators"), "by the stage that they are for");
    set_viterbi27_polynomial(right);
    is_int(chainback_viterbi27(vp, got, 100, 0), 0,
           "and after right ones the frame is still there");
    delete_viterbi27(vp);
}

/* A frame that is decoded in tiles. */
static void test_long(void)
{
    const unsigned bits = 40000;
    const struct code *c = &codes[0];
    unsigned char *in = malloc(bits / 8), *out = malloc(bits / 8), *s = malloc((bits + 6) * 2);
    void *vp = must_create(c, (int)bits);

    for (unsigned i = 0; i < bits / 8; i += 500)
        random_bits(in + i, 500);
    encode(c, c->polys, in, bits, 0, 0, s);
    for (unsigned i = 0; i < (bits + 6) * 2; i += 4000)
        send(s + i, (bits + 6) * 2 - i < 4000 ? (bits + 6) * 2 - i : 4000, 100, c->sigma);
    c->init(vp, 0);
    c->update(vp, s, (int)bits + 6);
    is_int(c->chainback(vp, out, bits, 0), 0, "a frame of %u bits", bits);
    ok(wrong_bits(in, out, bits) < 40, "%u bits are wrong", wrong_bits(in, out, bits));
    c->delete (vp);
    free(in);
    free(out);
    free(s);
}

/* ---- Threads ---- */

static void *decode_frames(void *arg)
{
    const unsigned char *coded = arg;
    unsigned char *mine = malloc(1024 * 2), out[128], zero[128] = {0};
    long wrong = 0;

    memcpy(mine, coded, (800 + 6) * 2);
    for (int i = 0; i < 40; i++) { /* programs make a decoder for each packet */
        void *vp = create_viterbi27(800);
        wrong += !vp || init_viterbi27(vp, 0) || update_viterbi27_blk(vp, mine, 806) ||
                 chainback_viterbi27(vp, out, 800, 0) || memcmp(out, zero, 100) != 0;
        delete_viterbi27(vp);
    }
    free(mine);
    return (void *)wrong;
}

static void test_threads(void)
{
    pthread_t threads[4];
    unsigned char coded[(800 + 6) * 2] = {0};
    long wrong = 0;

    send(coded, sizeof coded, 100, 0.3f);
    for (int i = 0; i < 4; i++)
        if (pthread_create(&threads[i], NULL, decode_frames, coded))
            bail("no thread");
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        wrong += (long)result;
    }
    is_int(wrong, 0, "four threads with decoders of their own");
}

int main(void)
{
    const char *top = getenv("top_builddir");
    char plugins[4096];

    snprintf(plugins, sizeof plugins, "%s/lib/fecrun/%d", top ? top : ".", FECRUN_ABI);
    setenv("FECRUN_PLUGIN_PATH", plugins, 1);
    is_str(fecrun_fec_message(), "", "no message before the first failure");
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        test_round_trip(&codes[i]);
        test_pieces(&codes[i]);
        test_parts(&codes[i]);
        test_states(&codes[i]);
        test_sizes(&codes[i]);
        test_polynomials(&codes[i]);
        test_many(&codes[i]);
        test_refusals(&codes[i]);
    }
    test_bad_generators();
    test_long();
    test_threads();
    return done_testing();
}
