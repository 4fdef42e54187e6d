/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reference of ldpc.decode against the theory: on a graph without cycles sum-product gives the
 * exact marginals and min-sum the best word; one row and one column by hand; what LLRs mean, and
 * those that come out.
 */
#include "t/ldpc/ref.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 64 };

/* A code without structure, from the columns of each row, each list ended by END. */
#define END UINT32_MAX

struct toy {
    struct ldpc_code code;
    struct ldpc_decode decode;
    uint32_t row_first[MOST + 1];
    struct ldpc_edge edge[MOST];
};

static void make(struct toy *toy, uint32_t columns, const uint32_t *lists, uint32_t rows)
{
    struct fecrun_error err = {.size = sizeof err};
    uint32_t edges = 0;

    memset(toy, 0, sizeof *toy);
    for (uint32_t r = 0; r < rows; r++, lists++) {
        for (; *lists != END; lists++)
            toy->edge[edges++] = (struct ldpc_edge){.col = *lists, .skip = LDPC_NO_LANE};
        toy->row_first[r + 1] = edges;
    }
    toy->code = (struct ldpc_code){.family = LDPC_ALIST,
                                   .z = 1,
                                   .rows = rows,
                                   .cols = columns,
                                   .core_rows = rows,
                                   .row_first = toy->row_first,
                                   .edge = toy->edge,
                                   .k = columns,
                                   .n = columns};
    toy->decode = (struct ldpc_decode){.code = &toy->code,
                                       .rows = rows,
                                       .iterations = 20,
                                       .alpha = 1,
                                       .llr_scale = 1,
                                       .bits = columns};
    toy->decode.schedule = ldpc_schedule_new(&toy->code, 0, false, &err);
    if (!toy->decode.schedule)
        bail("no schedule: %s", err.text);
}

static void clear(struct toy *toy)
{
    ldpc_schedule_free(toy->decode.schedule);
}

/* ---- graphs without cycles ----------------------------------------------------------------- */

/* Seven checks on sixteen bits, a tree; degrees 2 to 4. */
static const uint32_t tree[] = {
    0,   1, 2, END, 2,  3,   4, 5,  END, 5,  6,  END, 6,  7,   8,
    END, 4, 9, 10,  11, END, 1, 12, END, 12, 13, 14,  15, END,
};
enum { TREE_ROWS = 7, TREE_COLUMNS = 16 };

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

static bool is_word(const struct ldpc_code *c, uint32_t word)
{
    for (uint32_t r = 0; r < c->rows; r++) {
        unsigned sum = 0;
        for (uint32_t e = c->row_first[r]; e < c->row_first[r + 1]; e++)
            sum ^= word >> c->edge[e].col & 1;
        if (sum)
            return false;
    }
    return true;
}

/* Log of the sum (or the largest) of the probabilities of the words with bit 0 less that with 1. */
static void all_words(const struct ldpc_code *c, const float *llr, bool largest, double *margin)
{
    double sum[2][MOST];

    for (uint32_t v = 0; v < c->cols; v++)
        sum[0][v] = sum[1][v] = 0;
    for (uint32_t word = 0; word < UINT32_C(1) << c->cols; word++) {
        double log_p = 0, p;
        if (!is_word(c, word))
            continue;
        for (uint32_t v = 0; v < c->cols; v++)
            log_p -= word >> v & 1 ? (double)llr[v] : 0;
        p = exp(log_p);
        for (uint32_t v = 0; v < c->cols; v++) {
            double *s = &sum[word >> v & 1][v];
            *s = !largest ? *s + p : p > *s ? p : *s;
        }
    }
    for (uint32_t v = 0; v < c->cols; v++)
        margin[v] = log(sum[0][v] / sum[1][v]);
}

static void against_all_words(struct toy *toy, uint64_t seed, const char *name)
{
    const bool largest = toy->decode.algorithm == LDPC_NMS;
    int wrong = 0, close = 0, far = 0, differ = 0;

    for (int frame = 0; frame < 60; frame++) {
        double margin[MOST];
        float llr[MOST], scaled[MOST], soft[MOST], word[MOST];
        uint8_t bits[MOST];
        for (uint32_t v = 0; v < toy->code.cols; v++) {
            llr[v] = (float)(6 * uniform(&seed) - 3);
            scaled[v] = llr[v] * (float)toy->decode.llr_scale;
        }
        all_words(&toy->code, llr, largest, margin);
        decode_ref_soft(&toy->decode, scaled, FECRUN_F32, bits, FECRUN_U8, soft, word);
        differ += memcmp(soft, word, toy->code.cols * sizeof *soft) != 0;
        for (uint32_t v = 0; v < toy->code.cols; v++) {
            far += !(fabs((double)soft[v] / toy->decode.llr_scale - margin[v]) < 1e-4);
            differ += bits[v] != (soft[v] < 0);
            close += fabs(margin[v]) < 1e-4;
            wrong += fabs(margin[v]) >= 1e-4 && bits[v] != (margin[v] < 0);
        }
    }
    diag("%s: %d bits too close to a tie", name, close);
    is_int(wrong, 0, "%s: the decisions of all words' probabilities", name);
    is_int(far, 0, "%s: and their LLRs, in units of the input", name);
    is_int(differ, 0, "%s: LLRs of bits, of the word, and bits agree", name);
}

static void test_tree(uint64_t seed)
{
    struct toy toy;

    make(&toy, TREE_COLUMNS, tree, TREE_ROWS);
    for (int rule = LDPC_LAYERED; rule <= LDPC_FLOODING; rule++) {
        toy.decode.rule = (enum ldpc_rule)rule;
        toy.decode.algorithm = LDPC_SPA;
        toy.decode.llr_scale = 1;
        against_all_words(&toy, seed, rule ? "flooding spa on a tree" : "layered spa on a tree");
        toy.decode.llr_scale = 16;
        against_all_words(&toy, seed, rule ? "the same, LLRs times 16" : "the same, times 16");
        toy.decode.algorithm = LDPC_NMS;
        against_all_words(&toy, seed, rule ? "flooding min-sum, alpha = 1" : "layered min-sum");
    }
    clear(&toy);
}

/* ---- by hand ------------------------------------------------------------------------------- */

/* First bit of one check on three bits after one iteration. */
static int first_bit(struct ldpc_decode *d, float a, float b, float c)
{
    const float llr[3] = {a, b, c};
    uint8_t bits[3];

    decode_ref(d, llr, FECRUN_F32, bits, FECRUN_U8);
    return bits[0];
}

/* And its LLR. */
static float first_llr(struct ldpc_decode *d, float a, float b, float c)
{
    const float llr[3] = {a, b, c};
    float soft[3], word[3];
    uint8_t bits[3];

    decode_ref_soft(d, llr, FECRUN_F32, bits, FECRUN_U8, soft, NULL);
    decode_ref_soft(d, llr, FECRUN_F32, bits, FECRUN_U8, NULL, word);
    return memcmp(soft, word, sizeof soft) ? NAN : soft[0];
}

static void test_one_check(void)
{
    static const uint32_t check[] = {0, 1, 2, END};
    struct toy toy;
    struct ldpc_decode *d = &toy.decode;

    make(&toy, 3, check, 1);
    d->iterations = 1;
    d->alpha = 0.75;
    is_int(first_bit(d, 1.4f, -2, 3), 1, "nms: 1.4 - 0.75 x 2 is negative");
    is_int(first_bit(d, 1.6f, -2, 3), 0, "nms: 1.6 - 0.75 x 2 is not");
    is_int(first_bit(d, 1.5f, -2, 3), 0, "a tie decides 0");
    is_int(first_bit(d, -1.4f, -2, -3), 0, "nms: -1.4 + 0.75 x 2");
    is_int(first_bit(d, -1.4f, 0, -3), 1, "an LLR of 0 says nothing");
    ok(fabs((double)first_llr(d, 1.6f, -2, 3) - 0.1) < 1e-6, "nms: the LLR is 1.6 - 0.75 x 2");
    is_int((int)first_llr(d, 0, -2e6f, 3e6f), -786432, "nms: what is too large counts as 2^20");
    is_int((int)first_llr(d, 2e6f, 2e6f, 3e6f), 1048576, "and no LLR is larger");
    is_int((int)first_llr(d, -2e6f, 2e6f, -3e6f), -1048576, "of either sign");
    d->algorithm = LDPC_OMS;
    d->beta = 0.5;
    is_int(first_bit(d, 1.4f, -2, 3), 1, "oms: 1.4 - (2 - 0.5)");
    is_int(first_bit(d, 1.6f, -2, 3), 0, "oms: 1.6 - (2 - 0.5)");
    is_int(first_bit(d, -0.1f, 0.4f, 3), 1, "oms: 0.4 is less than the offset, and no message");
    d->llr_scale = 4;
    is_int(first_bit(d, 0.1f, -2, 3), 0, "oms: the offset is 0.5 in natural units, here 2");
    is_int(first_bit(d, 0.1f, -2.2f, 3), 1, "oms: 0.1 - (2.2 - 2)");
    d->algorithm = LDPC_SPA;
    d->llr_scale = 1;
    /* 2 atanh(tanh(1) tanh(1.5)) = 1.69... */
    is_int(first_bit(d, 1.68f, -2, 3), 1, "spa: 1.68 - 1.6928");
    is_int(first_bit(d, 1.70f, -2, 3), 0, "spa: 1.70 - 1.6928");
    is_int(first_bit(d, 890, -900, 1000), 1, "spa: 890 - 900, where exp(-900) is no number");
    is_int(first_bit(d, 910, -900, 1000), 0, "spa: 910 - 900");
    ok(fabs((double)first_llr(d, 1.7f, -2, 3) - 0.006546) < 1e-5, "spa: the LLR is 1.7 - 1.693454");
    clear(&toy);
}

/* ---- what LLRs mean ------------------------------------------------------------------------ */

static void test_llrs(void)
{
    static const uint32_t check[] = {0, 1, 2, END};
    struct toy toy;
    struct ldpc_decode *d = &toy.decode;
    const int8_t low[] = {-128, 127, -3};
    const float wild[] = {NAN, -INFINITY, INFINITY};
    uint8_t bits[3], packed;
    struct fecrun_frame_info info;

    make(&toy, 3, check, 1);
    d->iterations = 1;
    info = decode_ref(d, low, FECRUN_I8, bits, FECRUN_U8);
    is_int(bits[0] << 2 | bits[1] << 1 | bits[2], 5, "-128 is read as -127, which +3 do not turn");
    is_int(info.flags, FECRUN_FRAME_CHECKED, "a word: checked and not failed");
    info = decode_ref(d, wild, FECRUN_F32, bits, FECRUN_U8);
    is_int(bits[0] << 2 | bits[1] << 1 | bits[2], 6, "NaN is read as 0; infinity is just large");
    for (int algorithm = LDPC_NMS; algorithm <= LDPC_SPA; algorithm++) {
        d->algorithm = (enum ldpc_algorithm)algorithm;
        d->early_stop = false;
        d->iterations = 1000;
        info = decode_ref(d, wild, FECRUN_F32, &packed, FECRUN_PACKED);
        is_int(packed, 6 << 5, "algorithm %d: nothing overflows in 1000 iterations", algorithm);
        is_int(info.iterations, 1000, "and all of them are done without early stop");
    }
    clear(&toy);
}

static void test_types(uint64_t seed)
{
    struct toy toy;
    int8_t i8[TREE_COLUMNS];
    int16_t i16[TREE_COLUMNS];
    float f32[TREE_COLUMNS];
    int differ = 0;

    make(&toy, TREE_COLUMNS, tree, TREE_ROWS);
    toy.decode.alpha = 0.7;
    toy.decode.early_stop = true;
    for (int frame = 0; frame < 100; frame++) {
        uint8_t bits[3][TREE_COLUMNS], packed[3][2], again[2] = {0, 0};
        float soft[3][TREE_COLUMNS];
        for (int v = 0; v < TREE_COLUMNS; v++)
            f32[v] = i16[v] = i8[v] = (int8_t)(40 * uniform(&seed) - 20);
        decode_ref_soft(&toy.decode, i8, FECRUN_I8, bits[0], FECRUN_U8, soft[0], NULL);
        decode_ref_soft(&toy.decode, i16, FECRUN_I16, bits[1], FECRUN_U8, soft[1], NULL);
        decode_ref_soft(&toy.decode, f32, FECRUN_F32, bits[2], FECRUN_U8, soft[2], NULL);
        decode_ref(&toy.decode, i8, FECRUN_I8, packed[0], FECRUN_PACKED);
        decode_ref(&toy.decode, i16, FECRUN_I16, packed[1], FECRUN_PACKED);
        decode_ref(&toy.decode, f32, FECRUN_F32, packed[2], FECRUN_PACKED);
        for (int v = 0; v < TREE_COLUMNS; v++)
            again[v / 8] |= (uint8_t)(bits[0][v] << (7 - v % 8));
        for (int i = 0; i < 3; i++)
            differ += memcmp(bits[0], bits[i], sizeof bits[0]) || memcmp(again, packed[i], 2) ||
                      memcmp(soft[0], soft[i], sizeof soft[0]);
    }
    is_int(differ, 0,
           "the same integers as i8, i16, f32, to u8 and packed: the same bits and LLRs");
    differ = 0;
    for (int frame = 0; frame < 100; frame++) {
        uint8_t bits[2][TREE_COLUMNS];
        float soft[2][TREE_COLUMNS];
        for (int v = 0; v < TREE_COLUMNS; v++)
            f32[v] = i16[v] = (int16_t)(uniform(&seed) < 0.3 ? -32768
                                                             : 65000 * uniform(&seed) - 32500);
        decode_ref_soft(&toy.decode, i16, FECRUN_I16, bits[0], FECRUN_U8, soft[0], NULL);
        decode_ref_soft(&toy.decode, f32, FECRUN_F32, bits[1], FECRUN_U8, soft[1], NULL);
        differ += memcmp(bits[0], bits[1], sizeof bits[0]) ||
                  memcmp(soft[0], soft[1], sizeof soft[0]);
    }
    is_int(differ, 0, "and of all i16, the least one among them");
    clear(&toy);
}

/* ---- verdicts ------------------------------------------------------------------------------ */

static void test_verdicts(void)
{
    /* Two checks that ask for opposite values of bit 0 as long as bits 1 to 4 are sure. */
    static const uint32_t checks[] = {0, 1, 2, END, 0, 3, 4, END};
    const float clash[] = {0, 9, 9, 9, -9}, word[] = {1, 2, 3, 4, 5};
    const float lone[] = {-1, 9, 9, 9, 9};
    struct toy toy;
    uint8_t bits[5];
    struct fecrun_frame_info info;

    make(&toy, 5, checks, 2);
    toy.decode.early_stop = true;
    toy.decode.alpha = 0.5;
    toy.decode.iterations = 1;
    info = decode_ref(&toy.decode, clash, FECRUN_F32, bits, FECRUN_U8);
    is_int(info.flags, FECRUN_FRAME_CHECKED | FECRUN_FRAME_FAILED, "a check does not hold: failed");
    toy.decode.iterations = 7;
    info = decode_ref(&toy.decode, word, FECRUN_F32, bits, FECRUN_U8);
    is_int(info.iterations, 1, "a word that is right takes one iteration");
    info = decode_ref(&toy.decode, lone, FECRUN_F32, bits, FECRUN_U8);
    ok(!bits[0] && info.flags == FECRUN_FRAME_CHECKED, "a wrong bit is corrected");
    toy.decode.early_stop = false;
    info = decode_ref(&toy.decode, word, FECRUN_F32, bits, FECRUN_U8);
    is_int(info.iterations, 7, "without early stop all iterations are done");
    is_int(info.flags, FECRUN_FRAME_CHECKED, "and the end is checked");
    clear(&toy);
}

/* ---- NR: fillers, rows, punctured columns -------------------------------------------------- */

static void test_nr(uint64_t seed)
{
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *code = ldpc_code_nr(2, 8, 20, &err);
    struct ldpc_decode d = {.code = code,
                            .rows = 10,
                            .iterations = 15,
                            .alpha = 0.75,
                            .reverse = true,
                            .early_stop = true,
                            .llr_scale = 1};
    const uint32_t filler = 80 - 20 - 2 * 8, end = (10 + 10 - 2) * 8; /* items */
    float llr[400], soft[80], word[400];
    uint8_t bits[80];
    int wrong = 0, failed = 0, sure = 0, kept = 0, differ = 0, better = 0;

    if (!code)
        bail("no code: %s", err.text);
    d.bits = code->k - code->fillers;
    d.schedule = ldpc_schedule_new(code, d.rows, d.reverse, &err);
    /* The word of zeros; fillers are at K - F - 2 z and on; columns 10 to 19 have rows 0 to 9. */
    for (int frame = 0; frame < 200; frame++) {
        for (uint32_t i = 0; i < code->n; i++)
            llr[i] = (float)(4 + 6 * (uniform(&seed) - 0.5));
        for (uint32_t i = code->k - code->fillers - code->punctured; i < code->k - code->punctured;
             i++)
            llr[i] = -100;
        for (uint32_t i = (10 + d.rows) * code->z - code->punctured; i < code->n; i++)
            llr[i] = -100;
        d.early_stop = frame % 2;
        failed += decode_ref_soft(&d, llr, FECRUN_F32, bits, FECRUN_U8, soft, word).flags !=
                  FECRUN_FRAME_CHECKED;
        for (uint32_t i = 0; i < d.bits; i++) {
            wrong += bits[i];
            differ += bits[i] != (soft[i] < 0) || (i >= 16 && soft[i] != word[i - 16]);
        }
        for (uint32_t i = 0; i < code->n; i++) {
            sure += i >= filler && i < filler + 20 && word[i] == 1048576;
            kept += i >= end && word[i] == -100;
            better += !d.early_stop && (i < filler || (i >= filler + 20 && i < end)) &&
                      word[i] > llr[i];
        }
        for (uint32_t i = 0; i < 16; i++)
            better += !d.early_stop && soft[i] > 0;
    }
    is_int(wrong, 0, "what arrives in place of fillers and of rows not in use does no harm");
    is_int(failed, 0, "and is not part of the verdict");
    is_int(differ, 0, "LLRs of information bits are those of the word, and have the bits' signs");
    is_int(sure, 200 * 20, "fillers have the largest LLR in the word's");
    is_int(kept, 200 * (400 - (int)end), "bits that no row in use reaches keep what arrived");
    is_int(better, 100 * (16 + (int)end - 20), "and in the end more is known of all others");
    ldpc_schedule_free(d.schedule);
    ldpc_code_free(code);
}

int main(void)
{
    const char *text = getenv("FECRUN_TEST_SEED");
    const uint64_t seed = text ? strtoull(text, NULL, 0) : 1;

    test_tree(seed);
    test_one_check();
    test_llrs();
    test_types(seed);
    test_verdicts();
    test_nr(seed);
    return done_testing();
}
