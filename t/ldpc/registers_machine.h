/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What runs the kernels in registers as functions of the CPU: cuda_emulate.h runs the
 * threads of a block. Here are the instructions that the kernels write in PTX. Addresses outside of
 * a block's shared memory are an error, so are halves that are not finite, and copies that nobody
 * waits for or that begin where they must not.
 */
#ifndef T_LDPC_REGISTERS_MACHINE_H
#define T_LDPC_REGISTERS_MACHINE_H

/* Its longjmp() takes a jump to another stack for an attack. */
#undef _FORTIFY_SOURCE

/* All rows of an iteration are one below the other. */
#define EMU_STACK (1 << 18)
#define _Noreturn __attribute__((noreturn))
#include "t/lib/cuda_emulate.h"

#include "t/ldpc/registers.h"
#include <fecrun/sdk/device.h>

/* In place of plugins/ldpc/cuda/registers/ptx.cuh, and of what nvcc knows. */
#define LDPC_CUDA_REGISTERS_PTX_CUH
#define __CUDA_ARCH__ 900
#define __global__
#define __shared__
#define __grid_constant__
#define __launch_bounds__(threads, blocks)
#define __align__(bytes) __attribute__((aligned(bytes)))

/* Kernels are large: inline, these functions add a third to what is compiled, and nothing runs faster. */
#define CALLED static __attribute__((noinline, unused))

enum { COPIES = 2 * LDPC_REGISTERS_LANES };

/* ---- halves ---- */

static double value_of(uint32_t half)
{
    const uint64_t bits = (uint64_t)(half & 0x7fff) << 42;
    double x;

    memcpy(&x, &bits, sizeof x);
    x *= 0x1p1008; /* the biases differ: 1023 and 15 */
    if ((half & 0x7c00) == 0x7c00)
        bail("a half that is not finite");
    return half & 0x8000 ? -x : x;
}

/* To the nearest one, to the even one of two. */
static uint32_t half_of(double x)
{
    const uint32_t sign = __builtin_signbit(x) ? 0x8000 : 0;
    const double magnitude = __builtin_fabs(x);
    uint64_t bits;

    if (magnitude < 0x1p-14) /* 2^-24 is the least one; the sum rounds to multiples of it */
        return sign | (uint32_t)((magnitude + 0x1p28 - 0x1p28) * 0x1p24);
    memcpy(&bits, &magnitude, sizeof bits);
    bits += (UINT64_C(1) << 41) - 1 + (bits >> 42 & 1);
    return sign | (uint32_t)((bits >> 42) - (1008 << 10));
}

/* The product is exact. So is the sum, for multiples of 2^-39, which alpha >= 0.05 makes of them,
   below 2^14: it rounds once. */
static uint32_t fused(uint32_t a, uint32_t b, uint32_t c)
{
    return half_of(value_of(a) * value_of(b) + value_of(c));
}

static uint32_t lesser_half(uint32_t a, uint32_t b)
{
    return value_of(a) < value_of(b) ? a : b;
}

static uint32_t xor_sign_min(uint32_t a, uint32_t b)
{
    const uint32_t x = a & 0x7fff, y = b & 0x7fff;

    return ((a ^ b) & 0x8000) | (x < y ? x : y);
}

template <class F> static inline uint32_t both(F f)
{
    return f(0) | f(16) << 16;
}

/* ---- shared memory, bulk copies ---- */

/* 8 bytes: what a kernel has room for. */
struct copy_barrier {
    int32_t bytes; /* announced, less those that came */
    uint16_t arrivals, phase;
};

static struct {
    uint32_t shared;  /* bytes */
    bool early;       /* the launch before has not ended, until somebody waits for it */
    bool late;        /* copies happen when somebody waits for them, not at once */
    unsigned n, done; /* copies */
    struct {
        void *to;
        const void *from;
        uint32_t bytes;
        struct copy_barrier *barrier;
    } copy[COPIES];
} block;

/* As devices before compute capability 9.0 have them. */
struct small_copy {
    uint32_t thread;
    void *to;
    const void *from;
};

static struct small_copy small_copies[1 << 14];
static unsigned n_small;

static void end_phase(struct copy_barrier *b)
{
    if (b->arrivals && b->bytes == 0) {
        b->arrivals = 0;
        b->phase ^= 1;
    }
}

static void copy_next(void)
{
    const auto &c = block.copy[block.done];

    memcpy(c.to, c.from, c.bytes);
    c.barrier->bytes -= (int32_t)c.bytes;
    end_phase(c.barrier);
    if (++block.done == block.n)
        block.done = block.n = 0;
    emu.waits = 0;
}

namespace ldpc_registers
{

#ifdef LDPC_OLD_DEVICE
constexpr bool SIGNS_APART = true, BULK = false;
#else
constexpr bool SIGNS_APART = false, BULK = true;
#endif

/* As the kernels call it: extern __shared__. */
char memory[SHARED_MOST] __align__(128);

CALLED void check_address(uint64_t at, uint64_t bytes, uint64_t align)
{
    if (at % align || at + bytes > block.shared)
        bail("%u bytes at %u of %u in shared memory", (unsigned)bytes, (unsigned)at, block.shared);
}

template <int OFFSET> FECRUN_ON_DEVICE uint32_t load(uint32_t at)
{
    uint32_t d;

    check_address((uint64_t)at + OFFSET, 4, 4);
    memcpy(&d, memory + OFFSET + at, 4);
    return d;
}

template <int OFFSET> FECRUN_ON_DEVICE void load4(uint32_t *d)
{
    check_address(OFFSET, 16, 16);
    memcpy(d, memory + OFFSET, 16);
}

template <int OFFSET> FECRUN_ON_DEVICE void store(uint32_t at, uint32_t value)
{
    check_address((uint64_t)at + OFFSET, 4, 4);
    memcpy(memory + OFFSET + at, &value, 4);
}

template <int OFFSET> FECRUN_ON_DEVICE uint32_t load_device(const char *at)
{
    uint32_t d;

    memcpy(&d, at + OFFSET, 4);
    return d;
}

FECRUN_ON_DEVICE void barrier_make(uint64_t *barrier)
{
    check_address((uint64_t)((char *)barrier - memory), 8, 8);
    memset(barrier, 0, sizeof *barrier);
}

FECRUN_ON_DEVICE void barrier_expect(uint64_t *barrier, uint32_t bytes)
{
    struct copy_barrier *b = (struct copy_barrier *)barrier;

    if (b->arrivals++)
        bail("a second arrival at the barrier of a copy");
    b->bytes += (int32_t)bytes;
    end_phase(b);
}

FECRUN_ON_DEVICE void barrier_wait(uint64_t *barrier, uint32_t phase)
{
    const volatile struct copy_barrier *b = (struct copy_barrier *)barrier;

    while (b->phase == phase)
        if (block.n)
            copy_next();
        else
            emu_yield();
}

FECRUN_ON_DEVICE void copy_bulk(void *to, const void *from, uint32_t bytes, uint64_t *barrier)
{
    check_address((uint64_t)((char *)to - memory), bytes, LDPC_REGISTERS_ALIGN);
    if (block.early)
        bail("LLRs that are not there yet");
    if (((uintptr_t)from | bytes) % LDPC_REGISTERS_ALIGN || block.n == COPIES)
        bail("a bulk copy of %u bytes from %p", bytes, from);
    block.copy[block.n++] = {to, from, bytes, (struct copy_barrier *)barrier};
    if (!block.late)
        copy_next();
}

/* A thread has its own copies when it waits for them, not before. */
FECRUN_ON_DEVICE void copy_16(void *to, const void *from)
{
    check_address((uint64_t)((char *)to - memory), 16, 16);
    if (block.early)
        bail("LLRs that are not there yet");
    if ((uintptr_t)from % 16)
        bail("a copy of 16 bytes from %p", from);
    if (n_small == sizeof small_copies / sizeof *small_copies)
        bail("too many copies");
    small_copies[n_small++] = {threadIdx.x, to, from};
}

FECRUN_ON_DEVICE void copies_wait()
{
    unsigned left = 0;

    for (unsigned i = 0; i < n_small; i++)
        if (small_copies[i].thread == threadIdx.x)
            memcpy(small_copies[i].to, small_copies[i].from, 16);
        else
            small_copies[left++] = small_copies[i];
    n_small = left;
}

FECRUN_ON_DEVICE void let_next_begin()
{
}

FECRUN_ON_DEVICE void wait_for_others()
{
    block.early = false;
}

FECRUN_ON_DEVICE void prefetch(const void *from, uint32_t bytes)
{
    if (block.early)
        bail("LLRs that are not there yet");
    if (((uintptr_t)from | bytes) % LDPC_REGISTERS_ALIGN)
        bail("a prefetch of %u bytes from %p", bytes, from);
}

/* ---- arithmetic ---- */

CALLED uint32_t min_abs(uint32_t a, uint32_t b)
{
    return both([=](int i) { return lesser_half(a >> i & 0x7fff, b >> i & 0x7fff); });
}

FECRUN_ON_DEVICE uint32_t with_signs(uint32_t magnitudes, uint32_t signs)
{
    return (magnitudes & 0x7fff7fff) | (signs & 0x80008000);
}

CALLED uint32_t min_xor(uint32_t a, uint32_t b)
{
    return both([=](int i) { return xor_sign_min(a >> i & 0xffff, b >> i & 0xffff); });
}

/* The lower half of b, in both of a. */
CALLED uint32_t multiply_add(uint32_t a, uint32_t b, uint32_t c)
{
    return both([=](int i) { return fused(a >> i & 0xffff, b & 0xffff, c >> i & 0xffff); });
}

/* The upper one. */
CALLED uint32_t multiply_subtract(uint32_t a, uint32_t b, uint32_t c)
{
    return multiply_add(a ^ 0x80008000u, b >> 16, c);
}

/* The root of what sum-product adds, at x. */
static uint32_t root_at(uint32_t x, uint32_t zero, uint32_t fall)
{
    const uint32_t root = fused(x, fall, zero);

    return root & 0x8000 ? 0 : root;
}

static uint32_t boxplus_half(uint32_t a, uint32_t b, uint32_t zero, uint32_t fall)
{
    const uint32_t x = a & 0x7fff, y = b & 0x7fff, sum = half_of(value_of(x) + value_of(y));
    const uint32_t difference = half_of(value_of(x) - value_of(y)) & 0x7fff;
    const uint32_t u = root_at(sum, zero, fall), v = root_at(difference, zero, fall);
    const uint32_t less = half_of(value_of(u) - value_of(v));
    const uint32_t size = fused(less, half_of(value_of(u) + value_of(v)), lesser_half(x, y));

    return (size & 0x7fff) | ((a ^ b) & 0x8000);
}

CALLED uint32_t boxplus_of(uint32_t a, uint32_t b, uint32_t zero, uint32_t fall)
{
    return both([=](int i) {
        return boxplus_half(a >> i & 0xffff, b >> i & 0xffff, zero >> i & 0xffff,
                            fall >> i & 0xffff);
    });
}

CALLED uint32_t subtract(uint32_t a, uint32_t b)
{
    return both(
        [=](int i) { return half_of(value_of(a >> i & 0xffff) - value_of(b >> i & 0xffff)); });
}

CALLED uint32_t larger(uint32_t a, uint32_t b)
{
    return both([=](int i) {
        const uint32_t x = a >> i & 0xffff, y = b >> i & 0xffff;

        return value_of(x) < value_of(y) ? y : x;
    });
}

CALLED float float_of(uint32_t half)
{
    const uint16_t bits = (uint16_t)half;
    _Float16 x;

    memcpy(&x, &bits, sizeof x);
    return (float)x;
}

CALLED uint32_t halves_of(float low, float high)
{
    return half_of((double)low) | half_of((double)high) << 16;
}

FECRUN_ON_DEVICE float root_of(float x)
{
    return __builtin_sqrtf(x);
}

FECRUN_ON_DEVICE float at_most(float x, float most)
{
    return x < most ? x : most;
}

CALLED uint32_t permute(uint32_t a, uint32_t b, uint32_t selector)
{
    return __byte_perm(a, b, selector);
}

FECRUN_ON_DEVICE uint32_t add(uint32_t a, uint32_t one, uint32_t b)
{
    return a + one * b;
}

} // namespace ldpc_registers

#include "plugins/ldpc/cuda/registers/kernel.cuh"

/* ---- a launch ---- */

struct launch {
    const struct ldpc_registers_kernel *kernel;
    const struct ldpc_registers_work *work;
};

static void one_thread(void *arg)
{
    const struct launch *l = (const struct launch *)arg;

    ((void (*)(struct ldpc_registers_work))l->kernel->function)(*l->work);
}

void ldpc_registers_emulate(const struct ldpc_registers_kernel *kernel,
                            const struct ldpc_registers_work *work,
                            const struct ldpc_registers_grid *grid)
{
    struct launch launch = {kernel, work};
    uint32_t order = grid->order;

    if (grid->shared > SHARED_MOST || grid->threads > (kernel->lanes + 31) / 32 * 32)
        bail("%u threads, %zu bytes", grid->threads, grid->shared);
    gridDim.x = grid->blocks;
    for (blockIdx.x = 0; blockIdx.x < grid->blocks; blockIdx.x++) {
        const int garbage = (int)(order >> 8 & 0xff);

        memset(ldpc_registers::memory, garbage, sizeof ldpc_registers::memory);
        block.shared = (uint32_t)grid->shared;
        block.late = order >> 16 & 1;
        block.early = work->waits;
        emu_block(one_thread, &launch, grid->threads, order);
        if (block.n)
            bail("the kernel ends before a bulk copy does");
        for (size_t i = grid->shared; i < sizeof ldpc_registers::memory; i++)
            if (ldpc_registers::memory[i] != (char)garbage)
                bail("a store behind shared memory, at %zu", i);
        order = order * 0x9e3779b1u + 1;
    }
}

#endif
