/* SPDX-License-Identifier: BSD-2-Clause */
/* plugins/cuda/convert.h run on the CPU as the kernels run it: the bytes of core/sdk/sample. */
#include "t/lib/cuda_frames.h"

#include "plugins/cuda/convert.h"

/* What a thread block does, thread by thread. */
static void run_tile(unsigned pair, const struct convert_job *job, uint64_t tile)
{
    const struct convert_start start = convert_start(job, tile);

    for (uint32_t offset = 0; offset < CONVERT_TILE; offset++) {
        struct convert_unit unit = convert_find(pair, job, start, offset);
        if (unit.items)
            convert_run(pair, job, &unit);
    }
}

static bool aligned(const struct convert_job *job, const struct fecrun_view *in,
                    const struct fecrun_view *out)
{
    for (uint64_t f = 0; f < job->frames; f++)
        if ((uintptr_t)fecrun_row(in, f) % job->in_grain ||
            (uintptr_t)fecrun_row(out, f) % job->out_grain)
            return false;
    return true;
}

/* Every byte of the output memory is compared: nothing beside the frames may change. */
static bool same(uint32_t from, uint32_t to, uint64_t frames, uint64_t items, const unsigned at[4])
{
    struct frames in = frames_make(from, frames, items, at[0], at[1]);
    struct frames out = frames_make(to, frames, items, at[2], at[3]);
    uint8_t *want = frames_expect(&in, &out);
    unsigned pair = convert_pair_of(from, to);
    struct convert_job job = convert_job_of(pair, &in.view, &out.view);
    uint64_t tiles = (job.frames * job.units + CONVERT_TILE - 1) / CONVERT_TILE;
    bool good;

    for (uint64_t tile = 0; tile < tiles; tile++)
        run_tile(pair, &job, tile);
    good = aligned(&job, &in.view, &out.view) && memcmp(out.memory, want, out.bytes) == 0;
    if (!good)
        diag("%s -> %s: %" PRIu64 " frames of %" PRIu64 " items, offsets %u %u, gaps %u %u",
             fecrun_type_name(from), fecrun_type_name(to), frames, items, at[0], at[2], at[1],
             at[3]);
    free(in.memory);
    free(out.memory);
    free(want);
    return good;
}

/* Small frames one by one, then sizes around a tile, with and without gaps. */
static void test_pair(uint32_t from, uint32_t to)
{
    static const uint64_t sizes[][2] = {
        {1, 0},      {1, 16383},        {1, 16384},     {3, 16390},     {1, 1000003},
        {5000, 1},   {1025, 16},        {700, 24},      {9, 65536},     {7, 65537},
        {100, 2060}, {2, 4 * 1024 + 3}, {3, 16 * 1024}, {3, 16 * 1023}, {40, 512}};
    static const unsigned tight[4] = {0, 0, 0, 0};
    unsigned wrong = 0;

    for (uint64_t items = 0; items < 70; items++)
        for (unsigned gap = 0; gap < 3; gap++) {
            const unsigned at[4] = {(unsigned)draw(17), gap, (unsigned)draw(17),
                                    (unsigned)draw(gap + 1)};
            wrong += !same(from, to, 1 + draw(5), items, at);
        }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const unsigned loose[4] = {(unsigned)draw(17), (unsigned)draw(9), (unsigned)draw(17),
                                   (unsigned)draw(9)};
        wrong += !same(from, to, sizes[i][0], sizes[i][1], tight);
        wrong += !same(from, to, sizes[i][0], sizes[i][1], loose);
    }
    is_int(wrong, 0, "%s -> %s, all sizes, alignments and gaps", fecrun_type_name(from),
           fecrun_type_name(to));
}

/* Every value: 65536 items of two bytes, or each byte. */
static void test_values(uint32_t from, uint32_t to)
{
    uint64_t items = from == FECRUN_I4 ? 512 : from == FECRUN_I8 ? 256 : 65536;
    struct frames in = frames_make(from, 1, items, 0, 0), out = frames_make(to, 1, items, 0, 0);
    struct convert_job job = convert_job_of(convert_pair_of(from, to), &in.view, &out.view);
    bool bytes = in.bytes == 256;
    uint8_t *want;

    for (size_t i = 0; i < in.bytes && from != FECRUN_U8; i++)
        in.memory[i] = (uint8_t)(bytes ? i : i % 2 ? i / 512 : i / 2);
    want = frames_expect(&in, &out);
    for (uint64_t tile = 0; tile * CONVERT_TILE < job.units; tile++)
        run_tile(convert_pair_of(from, to), &job, tile);
    ok(memcmp(out.memory, want, out.bytes) == 0, "%s -> %s, all values", fecrun_type_name(from),
       fecrun_type_name(to));
    free(in.memory);
    free(out.memory);
    free(want);
}

/* Frame and unit of each offset, far beyond what can be converted here; to a null pointer nothing may be
   added. */
static void test_places(void)
{
    enum { IN = 1 << 12, OUT = 1 << 13 };
    static const struct convert_job jobs[] = {
        {.frames = 1, .items = 1ull << 50, .units = 1ull << 46},
        {.frames = 1ull << 33, .items = 16ull * 1000, .units = 1000},
        {.frames = 1ull << 33, .items = 16ull * 1024 - 3, .units = 1024},
        {.frames = 70000, .items = 16ull << 40, .units = 1ull << 40},
        {.frames = 1ull << 40, .items = 5, .units = 1},
    };
    unsigned wrong = 0;

    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        for (unsigned n = 0; n < 2000; n++) {
            struct convert_job job = jobs[i];
            uint64_t units = job.frames * job.units, last = (units - 1) / CONVERT_TILE;
            uint64_t tile = n ? draw(last + 1) : last;
            uint32_t offset = n < 2 ? CONVERT_TILE - 1 : (uint32_t)draw(CONVERT_TILE);
            uint64_t place = tile * CONVERT_TILE + offset, unit = place % job.units;
            struct convert_unit found;
            job.in_stride = 1ull << 20;
            job.out_stride = 16;
            job.in = (void *)(uintptr_t)IN;
            job.out = (void *)(uintptr_t)OUT;
            found = convert_find(CONVERT_PACK, &job, convert_start(&job, tile), offset);
            if (place >= units)
                wrong += found.items != 0;
            else
                wrong += (uintptr_t)found.in != IN + (place / job.units << 20) + 16 * unit ||
                         (uintptr_t)found.out != OUT + 16 * (place / job.units) + 2 * unit ||
                         found.items != (job.items - 16 * unit < 16 ? job.items - 16 * unit : 16);
        }
    is_int(wrong, 0, "which unit is whose, beyond 32 bits");
}

/* The dense case is one long frame and fully aligned; others keep their frames. */
static void test_jobs(void)
{
    static uint8_t memory[64] __attribute__((aligned(16)));
    struct fecrun_view in = {
        .size = sizeof in, .data = memory, .type = FECRUN_U8, .frames = 2, .items = 8, .stride = 8};
    struct fecrun_view out = {.size = sizeof out,
                              .data = memory + 32,
                              .type = FECRUN_PACKED,
                              .frames = 2,
                              .items = 8,
                              .stride = 1};
    struct convert_job job = convert_job_of(CONVERT_PACK, &in, &out);

    ok(job.frames == 1 && job.items == 16 && convert_aligned(CONVERT_PACK, &job), "dense frames");
    in.items = out.items = 7;
    in.stride = 7;
    job = convert_job_of(CONVERT_PACK, &in, &out);
    ok(job.frames == 2 && job.in_grain == 1 && job.out_grain == 1 &&
           !convert_aligned(CONVERT_PACK, &job),
       "frames that do not fill their last byte");
    in.stride = 12;
    out.stride = 2;
    job = convert_job_of(CONVERT_PACK, &in, &out);
    ok(job.frames == 2 && job.in_grain == 4 && job.out_grain == 2 &&
           !convert_aligned(CONVERT_PACK, &job),
       "grains come from strides");
    in.frames = out.frames = 1;
    job = convert_job_of(CONVERT_PACK, &in, &out);
    ok(convert_aligned(CONVERT_PACK, &job), "one frame has no stride");
}

int main(void)
{
    unsigned wrong = 0;

    for (uint32_t from = FECRUN_NONE; from <= FECRUN_C8; from++)
        for (uint32_t to = FECRUN_U8; to <= FECRUN_C8; to++) {
            unsigned pair = convert_pair_of(from, to);
            wrong += (pair != CONVERT_NONE) != (from && fecrun_convert_known(from, to));
            if (pair == CONVERT_NONE || pair == CONVERT_COPY)
                continue;
            test_pair(from, to);
            test_values(from, to);
        }
    is_int(wrong, 0, "the pairs are those of the host");
    test_places();
    test_jobs();
    return done_testing();
}
