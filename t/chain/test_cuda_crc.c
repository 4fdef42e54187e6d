/* SPDX-License-Identifier: BSD-2-Clause */
/* What GPU threads do for crc.attach and crc.check, compiled as C: the bytes and the flags of the reference. */
#include "t/chain/cuda.h"
#include "plugins/chain/cuda/thread/crc_general.h"

/* By the lanes of a warp, and, every other time, by one thread. */
static void crc_frame(const struct crc_code *code, const struct crc_lanes *lanes, uint32_t type,
                      bool check, const uint8_t *from, uint8_t *to, uint32_t *flags)
{
    static unsigned turn;
    const bool whole = turn++ % 2;
    uint32_t table[256], state = 0;

    for (unsigned i = 0; i < 256; i++)
        table[i] = crc_entry(i, code->polynomial);
    if (whole)
        state = crc_whole(code, table, type, from, to);
    for (unsigned lane = 0; !whole && lane < CRC_LANES; lane++) {
        state ^= crc_of_lane(code, lanes, table, lane, type, from);
        crc_copy(code->message, lane, type, from, to);
    }
    state = crc_parity(code, state, type, from);
    crc_put(code->message, check ? 0 : state, check ? 0 : code->width, type,
            crc_last(code->message, type, from), to);
    if (check)
        *flags = crc_flags(code, *flags, crc_get(code->message, code->width, type, from) == state);
}

static void crc_general_frame(const struct crc_plan *plan, uint32_t type, bool check,
                              const uint8_t *from, uint8_t *to, uint32_t *flags)
{
    static unsigned turn;
    const bool whole = turn++ % 2;
    struct crc_general_job job;
    uint64_t table[256], state = 0;

    crc_general_make_job(&job, plan);
    for (unsigned i = 0; i < 256; i++)
        table[i] = crc_general_entry(i, job.crc.polynomial);
    if (whole)
        state = crc_general_whole(&job, table, type, from, to);
    for (unsigned lane = 0; !whole && lane < CRC_LANES; lane++) {
        state ^= crc_general_of_lane(&job, table, lane, type, from);
        crc_copy(job.code.message, lane, type, from, to);
    }
    crc_general_finish(&job, check, state, type, from, to, flags);
}

/* Of a CRC of that name, or one of the polynomials. */
static void set_crc(int choice)
{
    static const struct {
        double poly, width, init, change, reflect;
    } general[] = {{0x5935, 16, 0xffff, 0, 0},
                   {0x04c11db7, 32, 0xffffffff, 0xffffffff, 1},
                   {0x4820009, 40, 0, 0xffffffffff, 0},
                   {0x1, 1, 0, 1, 0},
                   {0x07, 8, 0x5a, 0, 1},
                   {0x2b5926535897937, 59, 0x123456789abcdef, 77, 0}};

    if (choice < 7) {
        set(0, choice);
        return;
    }
    set(1, general[choice - 7].poly);
    set(2, general[choice - 7].width);
    set(3, general[choice - 7].init);
    set(4, general[choice - 7].change);
    set(5, general[choice - 7].reflect);
}

/* Attaches, spoils the second frame, checks. A decoder has marked the third one as failed. */
static bool crc_agrees(int choice, uint32_t type, uint64_t bits, bool alone)
{
    enum { BAD = FECRUN_FRAME_CHECKED | FECRUN_FRAME_FAILED };
    static const uint32_t before[FRAMES] = {0, FECRUN_FRAME_CHECKED, BAD};
    const uint32_t after[FRAMES] = {FECRUN_FRAME_CHECKED, BAD, alone ? FECRUN_FRAME_CHECKED : BAD};
    struct rows in = random_bits(type, bits), part[2][2];
    struct fecrun_frame_info info[FRAMES] = {{0}};
    bool right = true;

    for (int check = 0; check < 2; check++) {
        const struct rows *from = check ? &part[0][0] : &in;
        struct crc_lanes lanes;
        struct ref ref;

        set_crc(choice);
        set(6, 24);                    /* ones */
        set(7, choice == 10 ? 1 : 37); /* mask */
        set(9, alone);                 /* of crc.check: verdict */
        ref = make_ref(check ? &chain_crc_check : &chain_crc_attach,
                       (struct fecrun_frame){.kind = FECRUN_KIND_BITS, .items = from->items});
        part[check][0] = make_rows(type, ref.out.items);
        part[check][1] = make_rows(type, ref.out.items);
        for (unsigned f = 0; f < FRAMES; f++)
            info[f].flags = before[f];
        run_ref(&ref, from, &part[check][0], info);
        if (choice < 7)
            crc_make_lanes(&lanes, ref.plan.code);
        for (unsigned f = 0; f < FRAMES; f++) {
            uint32_t flags = before[f];

            if (choice < 7)
                crc_frame(ref.plan.code, &lanes, type, check, row(from, f), row(&part[check][1], f),
                          &flags);
            else
                crc_general_frame(ref.plan.code, type, check, row(from, f), row(&part[check][1], f),
                                  &flags);
            right = right && info[f].flags == (check ? after : before)[f] && flags == info[f].flags;
        }
        right = right && same(&part[check][0], &part[check][1]);
        if (!check)
            ((uint8_t *)row(&part[0][0], 1))[0] ^= type == FECRUN_U8 ? 1 : 128;
        drop(&ref);
    }
    for (int i = 0; i < 4; i++)
        free(part[i / 2][i % 2].data);
    free(in.data);
    return right;
}

static void test_crc(void)
{
    static const char *const names[] = {"24a",         "24b",    "24c",      "16",
                                        "11",          "8",      "6",        "of M17",
                                        "of Ethernet", "of GSM", "of 1 bit", "of 8 bits, reflected",
                                        "of 59 bits"};

    for (int choice = 0; choice < 13; choice++) {
        const bool bytes = choice == 8 || choice == 11;
        bool right = true;

        for (int s = 0; s < BIT_SIZES; s++) {
            const uint64_t bits = bytes ? (bit_sizes[s] + 7) / 8 * 8 : bit_sizes[s];

            right = right && crc_agrees(choice, FECRUN_U8, bits, s % 2) &&
                    crc_agrees(choice, FECRUN_PACKED, bits, !(s % 2));
        }
        ok(right, "crc %s, also of frames that have failed", names[choice]);
    }
}

int main(void)
{
    test_crc();
    return done_testing();
}
