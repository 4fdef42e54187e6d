/* SPDX-License-Identifier: BSD-2-Clause */
/* Scramblers' sequences: shift registers, and tables of standards. */
#include "plugins/frame/code/sequence.h"
#include "plugins/frame/code/codes.h"

#include <fecrun/sdk/stage.h>
#include <string.h>

static unsigned step(struct shift_register *shift)
{
    const unsigned fed = (unsigned)__builtin_parity(shift->state & shift->taps);
    const unsigned out = shift->last ? shift->state & 1 : fed;

    shift->state = shift->state >> 1 | (uint32_t)fed << (shift->degree - 1);
    return out;
}

void sequence_register(struct shift_register *shift, uint8_t *bits, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        bits[i] = (uint8_t)step(shift);
}

uint64_t sequence_round(struct shift_register shift, uint64_t most)
{
    const uint32_t start = shift.state;

    for (uint64_t n = 1; n <= most; n++) {
        step(&shift);
        if (shift.state == start)
            return n;
    }
    return 0;
}

struct shift_register sequence_ccsds(void)
{
    return (struct shift_register){8, 1u << 7 | 1u << 5 | 1u << 3 | 1u, 0xff, true};
}

struct shift_register sequence_dvb_s2(void)
{
    return (struct shift_register){15, 1u << 1 | 1u, 0x4a80, false}; /* 100101010000000 */
}

struct shift_register sequence_wifi(unsigned seed)
{
    unsigned state = 0;

    for (unsigned i = 0; i < SEQUENCE_WIFI; i++)
        state |= (seed >> i & 1) << (SEQUENCE_WIFI - 1 - i);
    return (struct shift_register){SEQUENCE_WIFI, 1u << 3 | 1u, state, false};
}

/* The register runs on under the sync bytes of all packets but the first. */
void sequence_dvb(uint8_t *bits)
{
    enum { PACKET = 188 * 8, SYNC = 8 };
    struct shift_register shift = sequence_dvb_s2();

    memset(bits, 1, SYNC);
    sequence_register(&shift, bits + SYNC, SEQUENCE_DVB - SYNC);
    for (unsigned at = PACKET; at < SEQUENCE_DVB; at += PACKET)
        memset(bits + at, 0, SYNC);
}

void sequence_m17(uint8_t *bits)
{
    static const uint8_t bytes[SEQUENCE_M17 / 8] = {
        0xd6, 0xb5, 0xe2, 0x30, 0x82, 0xff, 0x84, 0x62, 0xba, 0x4e, 0x96, 0x90,
        0xd8, 0x98, 0xdd, 0x5d, 0x0c, 0xc8, 0x52, 0x43, 0x91, 0x1d, 0xf8, 0x6e,
        0x68, 0x2f, 0x35, 0xda, 0x14, 0xea, 0xcd, 0x76, 0x19, 0x8d, 0xd5, 0x80,
        0xd1, 0x33, 0x87, 0x13, 0x57, 0x18, 0x2d, 0x29, 0x78, 0xc3};

    for (unsigned i = 0; i < SEQUENCE_M17; i++)
        bits[i] = bytes[i / 8] >> (7 - i % 8) & 1;
}

/* The sum of two sequences, of which the first 1600 bits are left out. Bit 0 of a state is x(n). */
void sequence_nr(uint32_t c_init, uint8_t *bits, uint64_t n)
{
    enum { SKIPPED = 1600 };
    uint32_t x1 = 1, x2 = c_init;

    for (uint64_t i = 0; i < n + SKIPPED; i++) {
        if (i >= SKIPPED)
            bits[i - SKIPPED] = (x1 ^ x2) & 1;
        x1 = x1 >> 1 | ((x1 ^ x1 >> 3) & 1) << 30;
        x2 = x2 >> 1 | ((x2 ^ x2 >> 1 ^ x2 >> 2 ^ x2 >> 3) & 1) << 30;
    }
}

/* ---- TS 38.212 7.1 ------------------------------------------------------------------------ */

const uint8_t sequence_pbch_place[SEQUENCE_PBCH] = {16, 23, 18, 17, 8,  30, 10, 6,  24, 7,  0,
                                                    5,  3,  2,  1,  4,  9,  11, 12, 13, 14, 15,
                                                    19, 20, 21, 22, 25, 26, 27, 28, 29, 31};

/* The half frame, the two bits that choose, and with 64 blocks their number are sent as they are. */
static bool pbch_is_plain(unsigned i, bool many)
{
    return i == sequence_pbch_place[10] || i == PBCH_SECOND || i == PBCH_THIRD ||
           (many && (i == sequence_pbch_place[11] || i == sequence_pbch_place[12] ||
                     i == sequence_pbch_place[13]));
}

void sequence_pbch(uint32_t cell, unsigned lmax, uint8_t *bits)
{
    const bool many = lmax == 64;
    uint8_t c[4 * SEQUENCE_PBCH];
    unsigned next = 0; /* each sequence goes on behind the one before it */

    sequence_nr(cell, c, sizeof c);
    for (unsigned i = 0; i < 4 * SEQUENCE_PBCH; i++)
        bits[i] = pbch_is_plain(i % SEQUENCE_PBCH, many) ? 0 : c[next++];
}

int scramble_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct scramble_code *code = args->codes[0];

    if (args->form->in[0].type != FECRUN_PACKED)
        return 0;
    if (code->chosen)
        return fecrun_fail(err, "scheme", "is of bits of one byte");
    return code->stream && !code->bytes
               ? fecrun_fail(err, NULL,
                             "packed bits need pieces and a `first` that are multiples of 8")
               : 0;
}

int scramble_takes_cuda(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct scramble_code *code = args->codes[0];

    return code->chosen ? fecrun_fail(err, "scheme",
                                      "sequences that a frame chooses are made on the host alone")
                        : scramble_takes(args, err);
}
