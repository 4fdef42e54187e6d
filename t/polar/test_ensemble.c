/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ensembles of decoders: which orders of the word a code has, that words stay words in them, that
 * successive cancellation does not see those that are said to be none of them, and what is decoded.
 */
#include "t/lib/tap.h"

#include "plugins/polar/code/ensemble.h"
#include "t/polar/trial.h"

enum { FRAMES = 400 };

/* ---- Blocks ---------------------------------------------------------------------------------- */

static struct polar_code *of_free(uint32_t stages, const char *free_positions)
{
    const uint32_t n = 1u << stages;
    struct polar_code *code = polar_code_new(stages, n);

    code->k = 0;
    for (uint32_t i = 0; i < n; i++)
        if (free_positions[i] == '1') {
            code->kind[i] = POLAR_MESSAGE;
            code->position[code->k++] = (uint16_t)i;
        }
    return code;
}

static void check_blocks(const char *what, struct polar_code *code, const char *want, uint32_t most)
{
    uint32_t size[POLAR_MOST_STAGES];
    const uint32_t blocks = polar_blocks(code, size);
    char got[128] = "";

    for (uint32_t b = 0; b < blocks; b++)
        snprintf(got + strlen(got), sizeof got - strlen(got), b ? " %u" : "%u", size[b]);
    is_str(got, want, "%s: blocks", what);
    is_int(polar_ensemble_most(code), most, "%s: decoders", what);
    free(code);
}

static void check_all_blocks(void)
{
    check_blocks("Reed-Muller, 128 and 64", trial_rm(7, 64), "7", 32);
    check_blocks("Reed-Muller, 32 and 16", trial_rm(5, 16), "5", 32);
    /* of three places: 3, 5, 6, 7 are free */
    check_blocks("one block of three", of_free(3, "00010111"), "3", 7);
    check_blocks("two and one", of_free(3, "00000111"), "2 1", 1);
    check_blocks("one and two", of_free(3, "00000011"), "1 2", 3);
    check_blocks("two in the middle", of_free(4, "0000000000111111"), "1 2 1", 3);
    check_blocks("out of order", of_free(3, "00010101"), "", 1);
    check_blocks("parity bits", trial_code(6, 20, 40), "", 1);
}

/* ---- Orders of the word ---------------------------------------------------------------------- */

/* Rows of G, permuted, have no part of frozen ones. */
static unsigned strange_words(const struct polar_code *code, const uint16_t *from)
{
    uint8_t *row = trial_get(code->n), *moved = trial_get(code->n);
    unsigned strange = 0;

    for (uint32_t i = 0; i < code->k; i++) {
        memset(row, 0, code->n);
        row[code->position[i]] = 1;
        polar_transform(row, code->n);
        for (uint32_t j = 0; j < code->n; j++)
            moved[j] = row[from[j]];
        polar_transform(moved, code->n);
        for (uint32_t j = 0; j < code->n; j++)
            strange += moved[j] && code->kind[j] == POLAR_FROZEN;
    }
    free(row);
    free(moved);
    return strange;
}

static void check_orders(const char *what, struct polar_code *code, uint32_t members)
{
    uint16_t *permutation = trial_get(2ul * members * code->n);
    unsigned strange = 0, moved = 0;

    polar_ensemble_make(code, members, permutation);
    for (uint32_t m = 0; m < members; m++)
        strange += strange_words(code, permutation + m * code->n);
    for (uint32_t j = 0; j < code->n; j++)
        moved += permutation[j] != j;
    is_int(strange, 0, "%s: words in %u orders are words", what, members);
    is_int(moved, 0, "%s: the first one is as it was received", what);
    free(permutation);
    free(code);
}

/* ---- Decoders -------------------------------------------------------------------------------- */

static float llr[FRAMES * 1024];
static uint8_t want[FRAMES * 1024], got[FRAMES * 1024];
static struct fecrun_frame_info info[FRAMES];

static void draw(const struct polar_decode *d, float sigma)
{
    for (uint32_t f = 0; f < FRAMES; f++)
        trial_frame(d->code, &d->crc, f, sigma, 1, llr + f * d->code->n);
}

/* Frames whose bits differ. */
static unsigned differ(const struct polar_decode *one, const struct polar_decode *other)
{
    const uint32_t k = one->code->k;
    unsigned count = 0;

    trial_run(&polar_decode_ref, one, NULL, FECRUN_F32, llr, FRAMES, want, info);
    trial_run(&polar_decode_ref, other, NULL, FECRUN_F32, llr, FRAMES, got, info);
    for (uint32_t f = 0; f < FRAMES; f++)
        count += memcmp(want + f * k, got + f * k, k) != 0;
    return count;
}

static void check_one(struct polar_code *code)
{
    struct polar_decode sc = trial_decode(code, POLAR_SC, 0, true, CRC_NONE);
    struct polar_decode ae = trial_decode(code, POLAR_AE, 1, true, CRC_NONE);

    draw(&sc, 0.8f);
    is_int(differ(&sc, &ae), 0, "N = %u, K = %u: an ensemble of one is sc", code->n, code->k);
    trial_free(&sc);
    trial_free(&ae);
    free(code);
}

/* Each member by itself: what the others change, and what a lower triangular matrix before it does. */
static void check_members(struct polar_code *code, uint32_t members)
{
    struct polar_decode ae = trial_decode(code, POLAR_AE, members, true, CRC_NONE);
    struct polar_decode one = ae, other = ae;
    uint16_t *changed = trial_get(2ul * code->n);
    unsigned alike = 0, triangular = 0;

    draw(&ae, 0.9f);
    one.members = other.members = 1;
    for (uint32_t m = 0; m < members; m++) {
        one.permutation = ae.permutation + m * code->n;
        other.permutation = changed;
        for (uint32_t j = 0; j < code->n;
             j++) /* place b also gets place a < b: both of a, one of b */
            changed[j] = one.permutation[j ^ (j & 1) << 3 ^ (j >> 2 & 1) << 4 ^ (j >> 1 & 1) << 2];
        triangular += differ(&one, &other);
        other.permutation = ae.permutation + (m + 1) % members * code->n;
        alike += differ(&one, &other) == 0;
    }
    is_int(triangular, 0, "sc does not see lower triangular matrices");
    is_int(alike, 0, "but all %u members are different", members);
    free(changed);
    trial_free(&ae);
    free(code);
}

/* The word of largest correlation among those that sc finds in each order, found here by itself. */
static void check_choice(struct polar_code *code, uint32_t members, enum crc_name crc)
{
    struct polar_decode ae = trial_decode(code, POLAR_AE, members, true, crc);
    struct polar_decode one = trial_decode(code, POLAR_SC, 0, true, crc);
    const uint32_t n = code->n, k = code->k;
    float *moved = trial_get(4ul * n);
    uint8_t *word = trial_get(n), *back = trial_get(n), *message = trial_get(k);
    unsigned wrong = 0;

    draw(&ae, 0.9f);
    trial_run(&polar_decode_ref, &ae, NULL, FECRUN_F32, llr, FRAMES, got, info);
    for (uint32_t f = 0; f < FRAMES; f++) {
        double best = -1e30;
        bool best_holds = false;
        struct fecrun_frame_info alone;

        for (uint32_t m = 0; m < members; m++) {
            const uint16_t *from = ae.permutation + m * n;
            double sum = 0;
            bool holds;

            for (uint32_t j = 0; j < n; j++)
                moved[j] = llr[f * n + from[j]];
            trial_run(&polar_decode_ref, &one, NULL, FECRUN_F32, moved, 1, message, &alone);
            polar_place(code, message, word);
            polar_transform(word, n);
            for (uint32_t j = 0; j < n; j++) {
                back[from[j]] = word[j];
                sum += word[j] ? -(double)moved[j] : (double)moved[j];
            }
            polar_message(code, back, message);
            holds = crc && polar_crc_holds(&ae.crc, message, k);
            if (holds < best_holds || (holds == best_holds && sum <= best + 1e-9))
                continue;
            best = sum;
            best_holds = holds;
            memcpy(want + f * k, message, k);
        }
        wrong += memcmp(want + f * k, got + f * k, k) != 0;
        wrong += crc && (info[f].flags == FECRUN_FRAME_CHECKED) != best_holds;
    }
    is_int(wrong, 0, "N = %u, K = %u, %u members, %s: the nearest word", n, k, members,
           crc ? "CRC" : "no CRC");
    free(moved);
    free(word);
    free(back);
    free(message);
    trial_free(&ae);
    trial_free(&one);
    free(code);
}

static unsigned errors(const struct polar_decode *d)
{
    const uint32_t k = d->code->k;
    unsigned count = 0;

    trial_run(&polar_decode_ref, d, NULL, FECRUN_F32, llr, FRAMES, got, info);
    for (uint32_t f = 0; f < FRAMES; f++)
        count += memcmp(want + f * k, got + f * k, k) != 0;
    return count;
}

/* The Reed-Muller code of 128 and 64 at 2.5 dB: what sc loses, an ensemble gets back. */
static void check_gain(void)
{
    struct polar_code *code = trial_rm(7, 64);
    struct polar_decode clean = trial_decode(code, POLAR_SC, 0, true, CRC_NONE);
    unsigned wrong[4];

    draw(&clean, 0.01f);
    trial_run(&polar_decode_ref, &clean, NULL, FECRUN_F32, llr, FRAMES, want, info);
    draw(&clean, 0.75f);
    wrong[0] = errors(&clean);
    for (uint32_t i = 1, members = 4; i < 4; i++, members = i == 2 ? 8 : 32) {
        struct polar_decode ae = trial_decode(code, POLAR_AE, members, true, CRC_NONE);

        wrong[i] = errors(&ae);
        trial_free(&ae);
    }
    ok(wrong[0] > 60 && 4 * wrong[1] < wrong[0] && 2 * wrong[2] <= wrong[1] + 10 &&
           wrong[3] <= wrong[2] && 12 * wrong[3] < wrong[0],
       "of %d frames sc loses %u, ensembles of 4, 8 and 32 %u, %u and %u", FRAMES, wrong[0],
       wrong[1], wrong[2], wrong[3]);
    trial_free(&clean);
    free(code);
}

/* A backend that knows no ensembles must not take them for sc. */
static void check_cuda(void)
{
    struct polar_decode d = trial_decode(trial_rm(7, 64), POLAR_AE, 4, true, CRC_NONE);
    void *const codes[] = {&d};
    const struct fecrun_create create = {
        .size = sizeof create, .codes = codes, .n_codes = 1, .form = polar_decode_cuda.forms[0]};
    struct fecrun_error err = {.size = sizeof err};

    d.limit = 127;
    ok(polar_decode_cuda.takes(&create, &err), "cuda: %s", err.text);
    trial_free(&d);
    free(d.code);
}

int main(void)
{
    check_all_blocks();
    check_orders("Reed-Muller, 128 and 64", trial_rm(7, 64), 32);
    check_orders("one and two", of_free(3, "00000011"), 3);
    check_orders("two in the middle", of_free(4, "0000000000111111"), 3);
    check_orders("no orders", trial_code(10, 512, 0), 1);
    check_one(trial_rm(7, 64));
    check_one(trial_code(10, 512, 0));
    check_members(trial_rm(7, 64), 8);
    check_choice(trial_rm(7, 64), 6, CRC_NONE);
    check_choice(trial_rm(7, 64), 6, CRC_6);
    check_choice(trial_rm(8, 93), 3, CRC_11);
    check_gain();
    check_cuda();
    return done_testing();
}
