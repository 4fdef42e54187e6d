/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decoders of one frame at a time (plugins/polar/simd/frame) against the reference: any frozen positions,
 * also with parity bits, LLRs of full scale, equal ones, zeros and noise.
 */
#include "t/lib/tap.h"

#include <fecrun/sdk/bits.h>
#include <fecrun/sdk/simd.h>

#include "plugins/polar/ref/ref.h"
#include "plugins/polar/simd/frame/frame.h"
#include "t/polar/trial.h"

static const struct polar_frame_kernel *kernels[2];
static const char *const names[2] = {"AVX2", "AVX-512"};

static uint32_t draw(uint32_t number, uint32_t of)
{
    const struct fecrun_rng rng = {.seed = 11, .stage = 5};

    return fecrun_rng_block(&rng, of, number).v[0];
}

/* LLRs that are hard on limits and ties. */
static void make_llrs(int8_t *llr, uint32_t n, uint32_t trial)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t r = draw(i, trial);

        switch (trial % 8) {
        case 0:
            llr[i] = (int8_t)r;
            break;
        case 1:
            llr[i] = r & 1 ? 127 : -128;
            break;
        case 2:
            llr[i] = i & 1 ? -127 : 127;
            break;
        case 3:
            llr[i] = (int8_t)(r % 3) - 1;
            break;
        case 4:
            llr[i] = trial & 8 ? -5 : 5;
            break;
        case 5:
            llr[i] = r % 16 ? 0 : (int8_t)(r >> 8);
            break;
        case 6:
            llr[i] = (int8_t)((r & 15) - 8) * (r & 0x300 ? 1 : 15);
            break;
        default:
            llr[i] = r % 5 ? 30 + (int8_t)(r >> 8 & 63) : -3;
        }
    }
}

/*
 * Any positions are free: kinds 0 .. 3 draw each with another probability, 4 and 5 whole blocks, so that
 * large leaves come up; 6 are blocks with one bit changed.
 */
static struct polar_code *draw_code(uint32_t stages, uint32_t trial)
{
    const uint32_t n = 1u << stages, kind = trial % 7;
    uint8_t is[POLAR_MOST_N];
    struct polar_code *code;
    uint32_t k = 0;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t block = draw(i >> (1 + trial % 7), trial + 1000);

        is[i] = kind < 4 ? draw(i, trial) % 8 < 2 * kind + 1 : block & 1;
        if (kind == 6 && (i & 31) == (block >> 8 & 31))
            is[i] ^= 1;
        k += is[i];
    }
    if (!k)
        k = is[n - 1] = 1;
    code = polar_code_new(stages, k);
    if (!code)
        bail("out of memory");
    k = 0;
    for (uint32_t i = 0; i < n; i++)
        if (is[i]) {
            code->kind[i] = POLAR_MESSAGE;
            code->position[k++] = (uint16_t)i;
        }
    return code;
}

struct room {
    float alpha[2 * POLAR_MOST_N];
    uint8_t beta[POLAR_MOST_N], message[POLAR_MOST_N], got[POLAR_MOST_N];
    int8_t llr[POLAR_MOST_N + 64], work[2 * POLAR_MOST_N] __attribute__((aligned(64)));
    uint64_t x[POLAR_MOST_N / 64 + 8], gathered[POLAR_MOST_N / 64 + 1];
    uint8_t packed[POLAR_MOST_N / 8], want_packed[POLAR_MOST_N / 8], spread[POLAR_MOST_N];
    uint64_t ordered[POLAR_MOST_N / 64 + 1];
};

static struct room *room;

/* Is what kernel k decides of room->llr what the reference does? */
static bool is_right(const struct polar_decode *d, unsigned k, const int8_t *llr)
{
    const struct polar_code *code = d->code;
    uint64_t *message = room->gathered;
    bool right = true;

    memset(room->x, 0xa5, sizeof room->x);
    kernels[k]->sc(d->sc, d->words, llr, room->work, room->x);
    for (uint32_t i = 0; i < code->n; i++)
        right &= (room->x[i / 64] >> i % 64 & 1) == room->beta[i];
    kernels[k]->gather(d->words, room->x, room->gathered);
    if (d->words->order) {
        polar_words_reorder(d->words, room->gathered, room->ordered);
        message = room->ordered;
    }
    words_unpack(room->got, message, code->k);
    polar_words_pack(message, code->k, room->packed);
    fecrun_bits_pack(room->want_packed, room->got, code->k);
    right &= memcmp(room->packed, room->want_packed, (code->k + 7) / 8) == 0;
    kernels[k]->spread(message, code->k, room->spread);
    right &= memcmp(room->spread, room->got, code->k) == 0;
    return right && memcmp(room->got, room->message, code->k) == 0 &&
           (!d->crc.width || (polar_words_crc(d->words, message) == d->words->rest) ==
                                 polar_crc_holds(&d->crc, room->message, code->k));
}

/* The reference's decision about room->llr + 1; llr: unaligned. */
static void refer(const struct polar_decode *d, const int8_t *llr)
{
    const struct polar_ref_tree tree = {room->alpha, room->beta};
    uint8_t x[POLAR_MOST_N];

    for (uint32_t i = 0; i < d->code->n; i++)
        room->alpha[d->code->n + i] = (float)polar_llr(llr, FECRUN_I8, i, 127);
    polar_ref_sc(d, &tree);
    memcpy(x, room->beta, d->code->n);
    polar_message(d->code, x, room->message);
}

static void check(struct polar_code *code, bool pruned, enum crc_name crc, uint32_t trials,
                  unsigned wrong[2])
{
    struct polar_decode d = trial_decode(code, POLAR_SC, 0, pruned, crc);
    int8_t *llr = room->llr + 1;

    d.limit = 127;
    for (uint32_t t = 0; t < trials; t++) {
        make_llrs(llr, code->n, t);
        refer(&d, llr);
        for (unsigned k = 0; k < 2; k++)
            wrong[k] += kernels[k] && !is_right(&d, k, llr);
    }
    trial_free(&d);
    free(code);
}

/* Lists, by calls of four frames, which each kernel decodes as it likes. */
enum { LISTS = 16, CALL = 4 };

static void check_list(struct polar_code *code, bool pruned, uint32_t list, enum crc_name crc,
                       unsigned wrong[2])
{
    struct polar_decode d = trial_decode(code, POLAR_SCL, list, pruned, crc);
    const size_t n = code->n, k = code->k;
    int8_t *llr = trial_get(LISTS * n);
    uint8_t *want = trial_get(LISTS * k), *got = trial_get(LISTS * k);
    struct fecrun_frame_info want_info[LISTS], got_info[LISTS];

    d.limit = 127;
    for (uint32_t t = 0; t < LISTS; t++)
        make_llrs(llr + t * n, code->n, t);
    trial_run(&polar_decode_ref, &d, NULL, FECRUN_I8, llr, LISTS, want, want_info);
    for (unsigned isa = 0; isa < 2; isa++) {
        const uint32_t number = isa ? FECRUN_ISA_AVX512 : FECRUN_ISA_AVX2;
        const struct fecrun_value value = {
            .size = sizeof value, .given = 2, .i = number, .s = fecrun_isa_names[number]};
        const struct fecrun_value *const values[] = {&value};
        const struct fecrun_values tune = {.size = sizeof tune, .count = 1, .v = values};

        for (uint32_t t = 0; t < LISTS && kernels[isa]; t += CALL) {
            trial_run(&polar_decode_simd, &d, &tune, FECRUN_I8, llr + t * n, CALL, got, got_info);
            for (uint32_t f = 0; f < CALL; f++)
                wrong[isa] += memcmp(got + f * k, want + (t + f) * k, k) != 0 ||
                              memcmp(&got_info[f], &want_info[t + f], sizeof *got_info) != 0;
        }
    }
    free(llr);
    free(want);
    free(got);
    trial_free(&d);
    free(code);
}

static void report(const unsigned wrong[2], const char *what)
{
    for (unsigned k = 0; k < 2; k++)
        if (kernels[k])
            is_int(wrong[k], 0, "%s: %s", names[k], what);
        else
            skip(1, "this machine has no %s", names[k]);
}

int main(void)
{
    if (fecrun_isa_runs(FECRUN_ISA_AVX2))
        kernels[0] = polar_frame_avx2();
    if (fecrun_isa_runs(FECRUN_ISA_AVX512) && __builtin_cpu_supports("avx512vbmi"))
        kernels[1] = polar_frame_avx512();
    room = trial_get(sizeof *room);
    for (uint32_t stages = POLAR_LEAST_STAGES; stages <= POLAR_MOST_STAGES; stages++) {
        const uint32_t codes = stages < 9 ? 70 : stages < 13 ? 21 : 7;
        unsigned wrong[2] = {0};
        char what[64];

        for (uint32_t t = 0; t < codes; t++)
            check(draw_code(stages, t), t % 3 != 0, CRC_NONE, 16, wrong);
        snprintf(what, sizeof what, "any frozen positions, N = %u", 1u << stages);
        report(wrong, what);
    }
    for (uint32_t crc = CRC_NONE; crc <= CRC_6; crc++) {
        unsigned wrong[2] = {0};

        for (uint32_t k = 25; k < 300; k += 19)
            check(trial_code(9, k, 0), true, (enum crc_name)crc, 16, wrong);
        report(wrong, "a CRC");
    }
    for (uint32_t k = 18; k <= 25; k++) {
        unsigned wrong[2] = {0};

        for (uint32_t e = 40; e < 900; e += 57)
            for (uint32_t pruned = 0; pruned < 2; pruned++)
                check(trial_code(0, k, e), pruned, CRC_6, 16, wrong);
        report(wrong, "parity bits");
    }
    for (uint32_t list = 1; list <= POLAR_MOST_LIST; list += list < 10 ? 1 : list < 16 ? 3 : 8) {
        unsigned wrong[2] = {0};
        char what[64];

        for (uint32_t stages = POLAR_LEAST_STAGES; stages <= 11; stages++)
            for (uint32_t t = 0; t < (stages < 9 ? 14u : 3); t++)
                check_list(draw_code(stages, 3 * t + list), t % 3 != 0, list, CRC_NONE, wrong);
        snprintf(what, sizeof what, "any frozen positions, a list of %u", list);
        report(wrong, what);
        memset(wrong, 0, sizeof wrong);
        for (uint32_t k = 12; k < 110; k += 19)
            check_list(trial_code(7, k, 0), true, list, CRC_6, wrong);
        for (uint32_t k = 18; k <= 25; k++)
            check_list(trial_code(0, k, 40 + 50 * (k - 18)), k % 2, list, CRC_6, wrong);
        report(wrong, "a CRC of 6 bits and parity bits");
    }
    free(room);
    return done_testing();
}
