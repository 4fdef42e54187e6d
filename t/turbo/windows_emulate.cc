/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels of plugins/turbo/cuda/windows/plan.h as functions of the CPU; cuda_emulate.h runs the
 * threads of a block. Here are the instructions that it lacks. windows_emulate_bf16.cc is the same
 * as devices older than 9.0 have them, windows_emulate_slim.cc with fewer threads, as those of them with
 * less shared memory, and windows_emulate_slimmest.cc with the fewest, as those older than 8.0.
 */

/* Its longjmp() takes a jump to another stack for an attack. */
#undef _FORTIFY_SOURCE

#define EMU_STACK (1 << 17)
#define _Noreturn __attribute__((noreturn))
#include "t/lib/cuda_emulate.h"

#include <fecrun/plugin.h>
#include <math.h>

#include "plugins/turbo/decode.h"
#include "plugins/turbo/code/trellis.h"
#include "t/turbo/windows.h"

#define WIN_ON_HOST

static uint16_t greater(uint16_t a, uint16_t b)
{
    return a > b ? a : b;
}

static TAP_UNUSED uint32_t __viaddmax_u16x2(uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t sum = __vadd2(a, b);

    return (uint32_t)greater((uint16_t)(sum >> 16), (uint16_t)(c >> 16)) << 16 |
           greater((uint16_t)sum, (uint16_t)c);
}

static TAP_UNUSED uint32_t __vmaxu2(uint32_t a, uint32_t b)
{
    return __viaddmax_u16x2(a, 0, b);
}

static TAP_UNUSED uint32_t __vminu2(uint32_t a, uint32_t b)
{
    return a ^ b ^ __vmaxu2(a, b);
}

/*
 * One of two bf16 numbers, which are upper halves of floats. What instructions do to others than positive
 * normal ones need not be known: they give no number here, which only lanes without a frame may come to.
 */
static TAP_UNUSED uint32_t emu_bf16(uint32_t a, uint32_t b, bool greatest)
{
    const uint32_t bits[2] = {a << 16, b << 16};
    float x[2];

    memcpy(x, bits, sizeof x);
    if (!isnormal(x[0]) || !isnormal(x[1]) || x[0] < 0 || x[1] < 0)
        return 0x7fff;
    return ((x[0] > x[1]) == greatest ? a : b) & 0xffff;
}

static TAP_UNUSED uint32_t emu_bf16_max(uint32_t a, uint32_t b)
{
    return emu_bf16(a >> 16, b >> 16, true) << 16 | emu_bf16(a, b, true);
}

static TAP_UNUSED uint32_t emu_bf16_min(uint32_t a, uint32_t b)
{
    return emu_bf16(a >> 16, b >> 16, false) << 16 | emu_bf16(a, b, false);
}

static TAP_UNUSED uint32_t __viaddmin_s16x2_relu(uint32_t a, uint32_t b, uint32_t c)
{
    return __vmaxs2(__viaddmin_s16x2(a, b, c), 0);
}

static uint32_t emu_prmt(uint32_t x, uint32_t y, uint32_t selector)
{
    const uint64_t bytes = (uint64_t)y << 32 | x;
    uint32_t out = 0;

    for (unsigned i = 0; i < 4; i++) {
        const uint32_t s = selector >> 4 * i & 15, byte = bytes >> 8 * (s & 7) & 0xff;

        out |= (s & 8 ? (byte & 0x80 ? 0xff : 0) : byte) << 8 * i;
    }
    return out;
}

/* Halves that are integers 0..2047 times 2^-24, and a factor from 2^-14 on. */
static uint32_t emu_half2_fma(uint32_t x, uint32_t factor, uint32_t y)
{
    uint32_t out = 0;

    for (unsigned i = 0; i < 32; i += 16) {
        const uint32_t f = factor >> i & 0xffff;
        const double of = ldexp(1024 + f % 1024, (int)(f / 1024) - 25);
        const double sum = rint((x >> i & 0xffff) * of + (y >> i & 0xffff));

        if ((x >> i & 0xffff) > 2047 || sum < 0 || sum > 2047)
            bail("half %g is no integer below 2048", sum);
        out |= (uint32_t)sum << i;
    }
    return out;
}

static uint32_t atomicAdd(uint32_t *at, uint32_t x)
{
    const uint32_t old = *at;

    *at += x;
    return old;
}

static uint32_t atomicXor(uint32_t *at, uint32_t x)
{
    const uint32_t old = *at;

    *at ^= x;
    return old;
}

static uint32_t atomicMax(uint32_t *at, uint32_t x)
{
    const uint32_t old = *at;

    *at = x > old ? x : old;
    return old;
}

static int max(int a, int b)
{
    return a > b ? a : b;
}

#ifndef EMULATE_WINDOWS
#define EMULATE_ALL
#define EMULATE_WINDOWS windows_emulate_dpx
#define EMULATE_SINGLE single_emulate_dpx
#endif

namespace
{ /* for the linker functions of the same name with other WIN_THREADS are others */
#ifdef EMULATE_SINGLE
#include "plugins/turbo/cuda/single/kernel.cuh"
#endif
#include "plugins/turbo/cuda/windows/kernel.cuh"
#include "plugins/turbo/cuda/windows/logmap.cuh"
#include "plugins/turbo/cuda/windows/maxlog.cuh"
} // namespace

template <class Decoder, int STOP, bool WHOLE> static void body(void *arg)
{
    const struct turbo_windows_job &job = *(const struct turbo_windows_job *)arg;

    if constexpr (STOP == WIN_ALWAYS_ALL)
        win_decode_all<Decoder, WHOLE>(job);
    else
        win_decode_queues<Decoder, STOP, WHOLE>(job);
}

typedef void (*kernel)(void *);

template <class Decoder, bool WHOLE, int SOFT>
static kernel choose_stop(enum turbo_windows_stop stop)
{
    return stop == WIN_STOP_CRC   ? body<Decoder, WIN_STOP_CRC | SOFT, WHOLE>
           : stop == WIN_STOP_LLR ? body<Decoder, WIN_STOP_LLR | SOFT, WHOLE>
                                  : body<Decoder, WIN_ALWAYS_ALL | SOFT, WHOLE>;
}

/* As turbo_windows_kernel_of() does. */
template <class Decoder> static kernel choose(const struct turbo_windows_kind *kind)
{
    if constexpr (WIN_THREADS != WIN_NARROW)
        return choose_stop<Decoder, false, WIN_SOFT>(kind->stop);
    else if (kind->soft)
        return kind->whole ? choose_stop<Decoder, true, WIN_SOFT>(kind->stop)
                           : choose_stop<Decoder, false, WIN_SOFT>(kind->stop);
    else
        return kind->whole ? choose_stop<Decoder, true, 0>(kind->stop)
                           : choose_stop<Decoder, false, 0>(kind->stop);
}

void EMULATE_WINDOWS(const struct turbo_windows_job *job, const struct turbo_windows_kind *kind,
                     uint32_t bytes, uint32_t blocks, unsigned order)
{
    const kernel run = kind->exact ? choose<win_log_map>(kind) : choose<win_max_log>(kind);

    win_shared = (char *)aligned_alloc(64, (bytes + 63) & ~63u);
    if (!win_shared)
        bail("out of memory");
    gridDim.x = blocks;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
        memset(win_shared, 0xee, bytes);
        emu_block(run, (void *)job, WIN_THREADS, order + blockIdx.x);
    }
    free(win_shared);
}

#ifdef EMULATE_ALL
bool windows_bf16;

uint32_t windows_share(const struct turbo_windows_job *job, uint32_t groups, uint32_t processor,
                       bool begins)
{
    if (begins)
        win_share_begin(*job, processor);
    return win_share_next(*job, groups, processor);
}

void windows_emulate(const struct turbo_windows_job *job, const struct turbo_windows_kind *kind,
                     uint32_t bytes, uint32_t blocks, unsigned order)
{
    if (kind->threads == WIN_NARROW)
        (windows_bf16 ? windows_emulate_bf16 : windows_emulate_dpx)(job, kind, bytes, blocks,
                                                                    order);
    else if (kind->threads == WIN_SLIM)
        windows_emulate_slim(job, kind, bytes, blocks, order);
    else if (kind->threads == WIN_SLIMMEST)
        windows_emulate_slimmest(job, kind, bytes, blocks, order);
    else
        bail("no kernel of %u threads is emulated", kind->threads);
}

void single_emulate(const struct turbo_windows_job *job, uint32_t blocks, unsigned order)
{
    (windows_bf16 ? single_emulate_bf16 : single_emulate_dpx)(job, blocks, order);
}
#endif

#ifdef EMULATE_SINGLE
static void single_body(void *arg)
{
    single_decode(*(const struct turbo_windows_job *)arg);
}

void EMULATE_SINGLE(const struct turbo_windows_job *job, uint32_t blocks, unsigned order)
{
    const uint32_t bytes = turbo_single_lay_out(SINGLE_COLUMNS, job->only.steps).bytes;

    win_shared = (char *)aligned_alloc(64, (bytes + 63) & ~63u);
    if (!win_shared)
        bail("out of memory");
    gridDim.x = blocks;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
        memset(win_shared, 0xee, bytes);
        emu_block(single_body, (void *)job, job->only.windows, order + blockIdx.x);
    }
    free(win_shared);
}
#endif
