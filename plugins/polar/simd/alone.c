/* SPDX-License-Identifier: BSD-2-Clause */
/* Backend `simd` of polar.decode: sc and scl of one frame at a time. */
#include "plugins/polar/simd/simd.h"

#include <fecrun/sdk/carve.h>
#include <fecrun/sdk/mask.h>

/* The list decoder has 8, 16 or 32 paths. */
static uint32_t paths_of(const struct polar_decode *d)
{
    return d->most_paths <= 8 ? 8 : d->most_paths <= 16 ? 16 : 32;
}

size_t polar_alone_carve(struct polar_alone *alone, const struct polar_decode *d, void *base)
{
    const uint32_t n = d->code->n, k_words = d->code->k / 64 + 1, paths = paths_of(d);
    struct polar_frame_paths *list;
    size_t used = 0;
    int8_t *alpha;
    uint64_t *beta;

    alone->llr = fecrun_carve(base, &used, 2 * n + 64);
    alone->x = fecrun_carve(base, &used, d->words->words * sizeof *alone->x);
    alone->gathered = fecrun_carve(base, &used, k_words * sizeof *alone->gathered);
    alone->message = fecrun_carve(base, &used, k_words * sizeof *alone->message);
    if (d->algorithm != POLAR_SCL)
        return used;
    alone->paths = list = fecrun_carve(base, &used, sizeof *list);
    alpha = fecrun_carve(base, &used, (size_t)(n / 8 + 2) * 8 * paths);
    beta = fecrun_carve(base, &used, (size_t)(n + 63) / 64 * paths * sizeof *beta);
    if (!base)
        return used;
    list->most = d->most_paths;
    list->paths = paths;
    list->llr = alone->llr;
    list->alpha = alpha;
    list->beta = beta;
    return used;
}

/* ---- Messages -------------------------------------------------------------------------------- */

/* The message of x; returns whether its CRC holds. */
static bool find_message(const struct polar_frame_kernel *kernel, const struct polar_decode *d,
                         const struct polar_alone *alone, const struct polar_batch *batch,
                         uint64_t frame)
{
    const struct polar_words *words = d->words;
    uint32_t rest = words->rest, mask;

    kernel->gather(words, alone->x, words->order ? alone->gathered : alone->message);
    if (words->order)
        polar_words_reorder(words, alone->gathered, alone->message);
    if (!words->width)
        return false;
    if (batch->masks) {
        if (fecrun_mask_read(fecrun_row(batch->masks, frame), words->width, &mask))
            return false;
        rest = polar_words_reflect(polar_crc_rest(&d->crc, mask), words->width);
    }
    return polar_words_crc(words, alone->message) == rest;
}

static void put_message(const struct polar_frame_kernel *kernel, const struct polar_decode *d,
                        const struct polar_alone *alone, const struct polar_batch *batch,
                        uint64_t frame, bool good)
{
    if (d->crc.width)
        fecrun_frame_checked(&batch->info[frame], good);
    if (batch->out->type == FECRUN_PACKED)
        polar_words_pack(alone->message, d->code->k, fecrun_row(batch->out, frame));
    else
        kernel->spread(alone->message, d->code->k, fecrun_row(batch->out, frame));
}

bool polar_alone_sc(const struct polar_frame_kernel *kernel, const struct polar_decode *d,
                    const struct polar_alone *alone, const struct polar_batch *batch,
                    uint64_t frame)
{
    bool good;

    kernel->sc(d->sc, d->words, fecrun_row(batch->in, frame), alone->llr, alone->x);
    good = find_message(kernel, d, alone, batch, frame);
    if (d->adaptive && !good)
        return true;
    batch->info[frame].iterations = d->adaptive ? 1 : 0;
    put_message(kernel, d, alone, batch, frame, good);
    return false;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* The next path in the order of (metric, place) that `tried` does not have; -1: there is none. */
static int next_path(const struct polar_frame_paths *paths, uint32_t tried)
{
    int best = -1;

    for (uint32_t p = 0; p < paths->most; p++)
        if (!(tried >> p & 1) && paths->metric[p] < POLAR_FRAME_NO_PATH &&
            (best < 0 || paths->metric[p] < paths->metric[best]))
            best = (int)p;
    return best;
}

static void take_path(const struct polar_decode *d, const struct polar_alone *alone, int path)
{
    const struct polar_frame_paths *paths = alone->paths;
    const uint32_t words = (d->code->n + 63) / 64;

    for (uint32_t w = 0; w < words; w++)
        alone->x[w] = paths->beta[w * paths->paths + (uint32_t)path];
    for (uint32_t w = words; w < d->words->words; w++)
        alone->x[w] = 0;
}

void polar_alone_list(const struct polar_frame_kernel *kernel, const struct polar_decode *d,
                      const struct polar_alone *alone, const struct polar_batch *batch,
                      uint64_t frame)
{
    uint32_t tried = 0;
    bool good = false;
    int first, path;

    kernel->list(d->list, fecrun_row(batch->in, frame), alone->paths);
    first = path = next_path(alone->paths, 0);
    do {
        take_path(d, alone, path);
        good = find_message(kernel, d, alone, batch, frame);
        tried |= 1u << path;
        path = good || !d->crc.width ? -1 : next_path(alone->paths, tried);
    } while (path >= 0);
    if (!good && d->crc.width) {
        take_path(d, alone, first);
        find_message(kernel, d, alone, batch, frame);
    }
    batch->info[frame].iterations = d->adaptive ? 2 : 0;
    put_message(kernel, d, alone, batch, frame, good);
}
