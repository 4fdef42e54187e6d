/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs the threads of a CUDA block on the host, one after the other: each is a coroutine that goes
 * on until it has to wait for others. For kernels that are C or C++ as well as CUDA.
 *
 * Who goes first changes from block to block, so that a missing barrier does not stay unnoticed,
 * and lanes of a warp that meet at different operations are an error, as is a block that stands
 * still.
 */
#ifndef T_LIB_CUDA_EMULATE_H
#define T_LIB_CUDA_EMULATE_H

#define FECRUN_EMULATED_BLOCKS /* headers of kernels give what a block of threads does, too */

#include "core/base/sanitized.h"
#include "t/lib/tap.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#ifndef EMU_STACK
#define EMU_STACK (1 << 16)
#endif

enum { EMU_LANES = 32, EMU_MOST = 1024, EMU_BARRIERS = 16 };

struct emu_index {
    unsigned x;
};

typedef struct {
    uint32_t x, y;
} __attribute__((aligned(8))) uint2;

typedef struct {
    uint32_t x, y, z, w;
} __attribute__((aligned(16))) uint4;

static struct emu_index threadIdx, blockIdx, blockDim, gridDim;

/* A place where threads meet: each leaves a word, and goes on when all have. all = 0: all those that
   have not ended. */
struct emu_meeting {
    unsigned arrived, generation, all;
    int kind;
    uint32_t any, found_any; /* words, ORed */
    uint32_t left[EMU_LANES], found[EMU_LANES];
};

struct emu_fiber {
    ucontext_t context;
    jmp_buf resume;
    char *stack;
    bool started, done;
};

static struct {
    struct emu_fiber fiber[EMU_MOST];
    struct emu_meeting barrier[EMU_BARRIERS], warp[EMU_MOST / EMU_LANES];
    unsigned threads, left, order;
    unsigned long waits; /* since somebody came through */
    ucontext_t caller;
    void (*body)(void *);
    void *arg;
} emu;

/* ---- coroutines ---- */

/* Sanitizers know swapcontext(); for others longjmp() spares its system calls. */
#if defined(SANITIZED_ADDRESS)
#define EMU_SWAP 1
#else
#define EMU_SWAP 0
#endif

static void emu_complete(struct emu_meeting *m)
{
    memcpy(m->found, m->left, sizeof m->found);
    m->found_any = m->any;
    m->arrived = 0;
    m->generation++;
    emu.waits = 0;
}

static void emu_start(void)
{
    struct emu_meeting *m = &emu.barrier[0];

    emu.body(emu.arg);
    emu.fiber[threadIdx.x].done = true;
    emu.left--;
    emu.waits = 0;
    if (m->arrived && !m->all && m->arrived == emu.left)
        emu_complete(m);
    for (;;) {
        unsigned next = threadIdx.x;

        if (emu.left == 0)
            setcontext(&emu.caller);
        do
            next = (next + emu.order) % emu.threads;
        while (emu.fiber[next].done);
        threadIdx.x = next;
        if (!EMU_SWAP && emu.fiber[next].started)
            _longjmp(emu.fiber[next].resume, 1);
        emu.fiber[next].started = true;
        setcontext(&emu.fiber[next].context);
    }
}

/* Lets another thread run. */
static void emu_yield(void)
{
    const unsigned me = threadIdx.x;
    unsigned next = me;

    if (emu.waits++ > 4ul * EMU_MOST)
        bail("the threads of a block wait for each other");
    do
        next = (next + emu.order) % emu.threads;
    while (emu.fiber[next].done);
    threadIdx.x = next;
    if (next == me)
        return;
    if (EMU_SWAP) {
        emu.fiber[next].started = true;
        swapcontext(&emu.fiber[me].context, &emu.fiber[next].context);
    } else if (!_setjmp(emu.fiber[me].resume)) {
        if (emu.fiber[next].started)
            _longjmp(emu.fiber[next].resume, 1);
        emu.fiber[next].started = true;
        setcontext(&emu.fiber[next].context);
    }
}

static void emu_make_fiber(struct emu_fiber *fiber)
{
    fiber->started = fiber->done = false;
    if (!fiber->stack && !(fiber->stack = (char *)malloc(EMU_STACK)))
        bail("out of memory");
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = fiber->stack;
    fiber->context.uc_stack.ss_size = EMU_STACK;
    fiber->context.uc_link = NULL;
    makecontext(&fiber->context, emu_start, 0);
}

/* One block, as block blockIdx.x of gridDim.x; threads must be a multiple of 32. */
static TAP_UNUSED void emu_block(void (*body)(void *), void *arg, unsigned threads, unsigned order)
{
    emu.threads = emu.left = threads;
    emu.order = order % 2 ? 1 : threads - 1;
    emu.body = body;
    emu.arg = arg;
    emu.waits = 0;
    memset(emu.barrier, 0, sizeof emu.barrier);
    memset(emu.warp, 0, sizeof emu.warp);
    for (unsigned i = 0; i < threads; i++)
        emu_make_fiber(&emu.fiber[i]);
    blockDim.x = threads;
    threadIdx.x = order / 2 % threads;
    emu.fiber[threadIdx.x].started = true;
    swapcontext(&emu.caller, &emu.fiber[threadIdx.x].context);
}

/* ---- meetings ---- */

static void emu_meet(struct emu_meeting *m, unsigned all, unsigned place, int kind, uint32_t word)
{
    const unsigned generation = m->generation;

    if (m->arrived == 0) {
        m->kind = kind;
        m->all = all;
        m->any = 0;
    }
    if (m->kind != kind || m->all != all)
        bail("threads meet at different operations");
    m->left[place] = word;
    m->any |= word;
    if (++m->arrived < (all ? all : emu.left)) {
        while (m->generation == generation)
            emu_yield();
        return;
    }
    emu_complete(m);
}

enum { EMU_SYNC, EMU_OR, EMU_BALLOT, EMU_SHUFFLE, EMU_REDUCE };

static struct emu_meeting *emu_meet_warp(int kind, uint32_t word)
{
    struct emu_meeting *m = &emu.warp[threadIdx.x / EMU_LANES];

    emu_meet(m, EMU_LANES, threadIdx.x % EMU_LANES, kind, word);
    return m;
}

static TAP_UNUSED void __syncthreads(void)
{
    emu_meet(&emu.barrier[0], 0, threadIdx.x % EMU_LANES, EMU_SYNC, 0);
}

static TAP_UNUSED int __syncthreads_or(int mine)
{
    emu_meet(&emu.barrier[0], 0, threadIdx.x % EMU_LANES, EMU_OR, mine != 0);
    return emu.barrier[0].found_any != 0;
}

static TAP_UNUSED int __syncthreads_and(int mine)
{
    return !__syncthreads_or(!mine);
}

static struct emu_meeting *emu_meet_some(unsigned number, unsigned all, int kind, bool mine)
{
    if (number >= EMU_BARRIERS || all % EMU_LANES || all == 0 || all > emu.threads)
        bail("barrier %u of %u threads", number, all);
    emu_meet(&emu.barrier[number], all, threadIdx.x % EMU_LANES, kind, mine);
    return &emu.barrier[number];
}

/* bar.sync and bar.red.or of `all` threads. */
static TAP_UNUSED void emu_barrier(unsigned number, unsigned all)
{
    emu_meet_some(number, all, EMU_SYNC, false);
}

static TAP_UNUSED bool emu_barrier_or(unsigned number, unsigned all, bool mine)
{
    return emu_meet_some(number, all, EMU_OR, mine)->found_any;
}

static TAP_UNUSED void __syncwarp(void)
{
    emu_meet_warp(EMU_SYNC, 0);
}

static TAP_UNUSED uint32_t __ballot_sync(unsigned lanes, bool predicate)
{
    const struct emu_meeting *m = emu_meet_warp(EMU_BALLOT, predicate);
    uint32_t bits = 0;

    if (lanes != 0xffffffffu)
        bail("not all lanes of a warp");
    for (unsigned i = 0; i < EMU_LANES; i++)
        bits |= m->found[i] << i;
    return bits;
}

static TAP_UNUSED uint32_t __shfl_sync(unsigned lanes, uint32_t word, int lane)
{
    if (lanes != 0xffffffffu)
        bail("not all lanes of a warp");
    return emu_meet_warp(EMU_SHUFFLE, word)->found[lane % EMU_LANES];
}

static TAP_UNUSED uint32_t __shfl_xor_sync(unsigned lanes, uint32_t word, int mask)
{
    return __shfl_sync(lanes, word, (int)(threadIdx.x % EMU_LANES) ^ mask);
}

static TAP_UNUSED uint32_t __reduce_xor_sync(unsigned lanes, uint32_t word)
{
    const struct emu_meeting *m;
    uint32_t sum = 0;

    if (lanes != 0xffffffffu)
        bail("not all lanes of a warp");
    m = emu_meet_warp(EMU_REDUCE, word);
    for (unsigned i = 0; i < EMU_LANES; i++)
        sum ^= m->found[i];
    return sum;
}

static TAP_UNUSED unsigned atomicOr(unsigned *at, unsigned bits)
{
    const unsigned old = *at;

    *at |= bits;
    return old;
}

static TAP_UNUSED unsigned atomicAnd(unsigned *at, unsigned bits)
{
    const unsigned old = *at;

    *at &= bits;
    return old;
}

/* ---- arithmetic ---- */

static TAP_UNUSED uint2 make_uint2(uint32_t x, uint32_t y)
{
    return (uint2){x, y};
}

static TAP_UNUSED uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    return (uint4){x, y, z, w};
}

static TAP_UNUSED uint32_t __float_as_uint(float f)
{
    uint32_t u;

    memcpy(&u, &f, sizeof u);
    return u;
}

static TAP_UNUSED float __uint_as_float(uint32_t u)
{
    float f;

    memcpy(&f, &u, sizeof f);
    return f;
}

static TAP_UNUSED int __popc(uint32_t x)
{
    return __builtin_popcount(x);
}

static TAP_UNUSED uint32_t __brev(uint32_t x)
{
    uint32_t y = 0;

    for (unsigned i = 0; i < 32; i++)
        y |= (x >> i & 1) << (31 - i);
    return y;
}

static TAP_UNUSED uint32_t __byte_perm(uint32_t x, uint32_t y, uint32_t selector)
{
    const uint64_t bytes = (uint64_t)y << 32 | x;
    uint32_t out = 0;

    for (unsigned i = 0; i < 4; i++)
        out |= (uint32_t)(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return out;
}

static TAP_UNUSED uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t shift)
{
    return (uint32_t)(((uint64_t)high << 32 | low) >> (shift & 31));
}

static TAP_UNUSED uint32_t __viaddmin_u32(uint32_t a, uint32_t b, uint32_t c)
{
    return a + b < c ? a + b : c;
}

static TAP_UNUSED uint32_t __vadd2(uint32_t a, uint32_t b)
{
    return ((a >> 16) + (b >> 16)) << 16 | ((a + b) & 0xffff);
}

static TAP_UNUSED uint32_t __vsub2(uint32_t a, uint32_t b)
{
    return ((a >> 16) - (b >> 16)) << 16 | ((a - b) & 0xffff);
}

static TAP_UNUSED uint32_t __umulhi(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}

static TAP_UNUSED uint32_t __vmaxs2(uint32_t a, uint32_t b)
{
    const uint32_t top = 0xffff0000u;

    return (((int16_t)(a >> 16) > (int16_t)(b >> 16) ? a : b) & top) |
           (((int16_t)(a & 0xffff) > (int16_t)(b & 0xffff) ? a : b) & ~top);
}

static TAP_UNUSED uint32_t __vmins2(uint32_t a, uint32_t b)
{
    return a ^ b ^ __vmaxs2(a, b);
}

static TAP_UNUSED uint32_t __vcmpeq2(uint32_t a, uint32_t b)
{
    return ((a ^ b) >> 16 ? 0 : 0xffff0000u) | ((a ^ b) & 0xffff ? 0 : 0xffffu);
}

static TAP_UNUSED uint32_t __viaddmax_s16x2(uint32_t a, uint32_t b, uint32_t c)
{
    return __vmaxs2(__vadd2(a, b), c);
}

static TAP_UNUSED uint32_t __viaddmin_s16x2(uint32_t a, uint32_t b, uint32_t c)
{
    return __vmins2(__vadd2(a, b), c);
}

/* The flags: is the half of a the larger one, or equal? */
static TAP_UNUSED uint32_t __vibmax_s16x2(uint32_t a, uint32_t b, bool *high, bool *low)
{
    const uint32_t top = 0xffff0000u;

    *high = (int16_t)(a >> 16) >= (int16_t)(b >> 16);
    *low = (int16_t)(a & 0xffff) >= (int16_t)(b & 0xffff);
    return ((*high ? a : b) & top) | ((*low ? a : b) & ~top);
}

#endif
