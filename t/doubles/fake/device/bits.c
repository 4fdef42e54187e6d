/* SPDX-License-Identifier: BSD-2-Clause */
/* Bits: fake.flip (unpacked only), fake.reverse (packed only) and fake.ragged, which flips bits of
   frames of different sizes in one call, and looks at their tables late. */
#include "t/doubles/fake/device/device.h"

static unsigned bit_of(const struct fecrun_view *view, const uint8_t *row, uint64_t i)
{
    return view->type == FECRUN_PACKED ? row[i / 8] >> (7 - i % 8) & 1 : row[i];
}

/* Bit i of a frame that was cleared. */
static void put_bit(const struct fecrun_view *view, uint8_t *row, uint64_t i, unsigned bit)
{
    if (view->type == FECRUN_PACKED)
        row[i / 8] |= (uint8_t)(bit << (7 - i % 8));
    else
        row[i] = (uint8_t)bit;
}

/* out[i] = in[at(i)] ^ flip for all frames of bits. */
static void move_bits(const struct work *w, bool reverse, unsigned flip)
{
    for (uint64_t f = 0; f < w->in.frames; f++) {
        const uint8_t *in = fecrun_row(&w->in, f);
        uint8_t *out = fecrun_row(&w->out, f);
        memset(out, 0, fecrun_bytes(w->out.type, w->out.items));
        for (uint64_t i = 0; i < w->in.items; i++)
            put_bit(&w->out, out, i, bit_of(&w->in, in, reverse ? w->in.items - 1 - i : i) ^ flip);
    }
}

void fake_convert(const struct work *w)
{
    move_bits(w, false, 0);
}

void fake_flip_bits(const struct work *w)
{
    move_bits(w, false, 1);
}

/* Reads all that a device's kernel may, so that a sanitizer knows whether it is there. */
static void flip_on_device(const struct work *w)
{
    const volatile uint8_t *behind = fecrun_row(&w->in, w->in.frames);

    for (unsigned i = 0; i < FECRUN_SLACK; i++)
        (void)behind[i];
    move_bits(w, false, 1);
}

static void do_reverse(const struct work *w)
{
    move_bits(w, true, 0);
}

void fake_flip_ragged(const struct work *w)
{
    if (!w->in.offset) {
        move_bits(w, false, 1);
        return;
    }
    for (uint64_t f = 0; f < w->in.frames; f++)
        for (uint64_t i = 0; i < w->in.offset[f + 1] - w->in.offset[f]; i++)
            ((uint8_t *)w->out.data)[w->out.offset[f] + i] =
                ((const uint8_t *)w->in.data)[w->in.offset[f] + i] ^ 1;
}

CREATE(flip_host, fake_flip_bits, .factor = 1)
CREATE(flip_device, flip_on_device, .factor = 1, .device = true)
CREATE(reverse_host, do_reverse, .factor = 1)
CREATE(reverse_device, do_reverse, .factor = 1, .device = true)
CREATE(ragged_host, fake_flip_ragged, .factor = 1)
CREATE(ragged_device, fake_flip_ragged, .factor = 1, .device = true)

static const struct fecrun_form *const u8_forms[] = {TYPES(FECRUN_U8, FECRUN_U8), NULL};
static const struct fecrun_form *const packed_forms[] = {TYPES(FECRUN_PACKED, FECRUN_PACKED), NULL};
static const struct fecrun_form *const ragged_forms[] = {
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = FECRUN_U8}),
                FECRUN_OUT({.type = FECRUN_U8})),
    NULL};

STAGE(fake_flip, .name = "fake.flip", .role = FECRUN_ROLE_TRANSFORM, .params = no_params,
      .inputs = bit_ports, .outputs = bit_ports, .plan = same_plan,
      .backends = BACKENDS(u8_forms, flip_host, flip_device));
STAGE(fake_reverse, .name = "fake.reverse", .role = FECRUN_ROLE_TRANSFORM, .params = no_params,
      .inputs = bit_ports, .outputs = bit_ports, .plan = same_plan,
      .backends = BACKENDS(packed_forms, reverse_host, reverse_device));
STAGE(fake_ragged, .name = "fake.ragged", .role = FECRUN_ROLE_TRANSFORM, .params = no_params,
      .inputs = bit_ports, .outputs = bit_ports, .plan = same_plan,
      .backends = BACKENDS(ragged_forms, ragged_host, ragged_device));
