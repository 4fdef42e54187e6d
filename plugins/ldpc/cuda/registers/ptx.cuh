/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the kernels in registers do in PTX. t/ldpc/registers_emulate.cc says the same in C++, for the CPU,
 * and takes the place of this file.
 */
#ifndef LDPC_CUDA_REGISTERS_PTX_CUH
#define LDPC_CUDA_REGISTERS_PTX_CUH

#include <fecrun/sdk/device.h>

#include "plugins/ldpc/cuda/registers/work.h"

namespace ldpc_registers
{

#if __CUDA_ARCH__ < 860
constexpr bool SIGNS_APART = true; /* minima.cuh */
#else
constexpr bool SIGNS_APART = false;
#endif

/* The lesser magnitude: one operation, which has magnitudes as operands. */
FECRUN_ON_DEVICE uint32_t min_abs(uint32_t a, uint32_t b)
{
    uint32_t d;

    asm("{\n.reg .b32 x, y;\nabs.f16x2 x, %1;\nabs.f16x2 y, %2;\nmin.f16x2 %0, x, y;\n}"
        : "=r"(d)
        : "r"(a), "r"(b));
    return d;
}

/* The magnitudes with these signs. */
FECRUN_ON_DEVICE uint32_t with_signs(uint32_t magnitudes, uint32_t signs)
{
    uint32_t d;

    asm("lop3.b32 %0, %1, %2, 0x80008000, 0xd8;" : "=r"(d) : "r"(magnitudes), "r"(signs));
    return d;
}

/* The lesser magnitude with the product of the signs: one operation from compute capability 8.6 on. */
FECRUN_ON_DEVICE uint32_t min_xor(uint32_t a, uint32_t b)
{
#if __CUDA_ARCH__ < 860
    return with_signs(min_abs(a, b), a ^ b);
#else
    uint32_t d;

    asm("min.xorsign.abs.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
#endif
}

/* c + a times the lower half of b: which half, the instruction says. */
FECRUN_ON_DEVICE uint32_t multiply_add(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t d;

    asm("{\n.reg .b16 l, h;\n.reg .b32 b;\nmov.b32 {l, h}, %2;\nmov.b32 b, {l, l};\n"
        "fma.rn.f16x2 %0, %1, b, %3;\n}"
        : "=r"(d)
        : "r"(a), "r"(b), "r"(c));
    return d;
}

/* c - a times the upper half of b */
FECRUN_ON_DEVICE uint32_t multiply_subtract(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t d;

    asm("{\n.reg .b16 l, h;\n.reg .b32 b, n;\nmov.b32 {l, h}, %2;\nmov.b32 b, {h, h};\n"
        "neg.f16x2 n, %1;\nfma.rn.f16x2 %0, n, b, %3;\n}"
        : "=r"(d)
        : "r"(a), "r"(b), "r"(c));
    return d;
}

FECRUN_ON_DEVICE uint32_t subtract(uint32_t a, uint32_t b)
{
    uint32_t d;

    asm("sub.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}

/*
 * Sum-product of two LLRs, as minima.cuh says. One statement: the compiler has as much to do with each as with
 * an operation. Magnitudes are part of the instructions that take them. The difference of both squares is a
 * product, so that it is 0 where one LLR is: nothing comes of nothing.
 */
FECRUN_ON_DEVICE uint32_t boxplus_of(uint32_t a, uint32_t b, uint32_t zero, uint32_t fall)
{
    uint32_t d;

    asm("{\n.reg .b32 x, y, u, v, n;\n"
        "abs.f16x2 x, %1;\nabs.f16x2 y, %2;\n"
        "add.f16x2 u, x, y;\nfma.rn.relu.f16x2 u, u, %4, %3;\n"
        "sub.f16x2 v, x, y;\nabs.f16x2 v, v;\nfma.rn.relu.f16x2 v, v, %4, %3;\n"
        "min.f16x2 x, x, y;\n"
        "sub.f16x2 n, u, v;\nadd.f16x2 u, u, v;\nfma.rn.f16x2 x, n, u, x;\n"
        "xor.b32 y, %1, %2;\nlop3.b32 %0, x, y, 0x80008000, 0xd8;\n}"
        : "=r"(d)
        : "r"(a), "r"(b), "r"(zero), "r"(fall));
    return d;
}

FECRUN_ON_DEVICE uint32_t larger(uint32_t a, uint32_t b)
{
    uint32_t d;

    asm("max.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}

FECRUN_ON_DEVICE float float_of(uint32_t half)
{
    float d;

    asm("{\n.reg .b16 l, h;\nmov.b32 {l, h}, %1;\ncvt.f32.f16 %0, l;\n}" : "=f"(d) : "r"(half));
    return d;
}

FECRUN_ON_DEVICE uint32_t halves_of(float low, float high)
{
    uint32_t d;

    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(high), "f"(low));
    return d;
}

FECRUN_ON_DEVICE float root_of(float x)
{
    float d;

    asm("sqrt.rn.f32 %0, %1;" : "=f"(d) : "f"(x));
    return d;
}

FECRUN_ON_DEVICE float at_most(float x, float most)
{
    return x < most ? x : most;
}

FECRUN_ON_DEVICE uint32_t permute(uint32_t a, uint32_t b, uint32_t selector)
{
    uint32_t d;

    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(selector));
    return d;
}

/* a + b on the multiplier, beside the units that are busy; one: 1, unknown to the compiler. */
FECRUN_ON_DEVICE uint32_t add(uint32_t a, uint32_t one, uint32_t b)
{
    uint32_t d;

    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(one), "r"(b), "r"(a));
    return d;
}

template <int OFFSET> FECRUN_ON_DEVICE uint32_t load(uint32_t at)
{
    uint32_t d;

    asm volatile("ld.shared.u32 %0, [%1 + %2];"
                 : "=r"(d)
                 : "r"(at), "n"(LDPC_REGISTERS_BASE + OFFSET));
    return d;
}

template <int OFFSET> FECRUN_ON_DEVICE void load4(uint32_t *d)
{
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                 : "r"(LDPC_REGISTERS_BASE + OFFSET));
}

template <int OFFSET> FECRUN_ON_DEVICE void store(uint32_t at, uint32_t value)
{
    asm volatile("st.shared.u32 [%0 + %1], %2;" ::"r"(at), "n"(LDPC_REGISTERS_BASE + OFFSET),
                 "r"(value));
}

/* From device memory, each time. */
template <int OFFSET> FECRUN_ON_DEVICE uint32_t load_device(const char *at)
{
    uint32_t d;

    asm volatile("ld.global.u32 %0, [%1 + %2];" : "=r"(d) : "l"(at), "n"(OFFSET));
    return d;
}

FECRUN_ON_DEVICE uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

/* ---- Copies to shared memory that go on beside the work: of a whole frame, from 9.0 on ---- */

#if __CUDA_ARCH__ >= 900

constexpr bool BULK = true;

FECRUN_ON_DEVICE void barrier_make(uint64_t *barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)));
}

FECRUN_ON_DEVICE void barrier_expect(uint64_t *barrier, uint32_t bytes)
{
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
        "r"(bytes)
        : "memory");
}

FECRUN_ON_DEVICE void barrier_wait(uint64_t *barrier, uint32_t phase)
{
    asm volatile("{\n.reg .pred done;\n"
                 "wait%=:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra wait%=;\n}" ::"r"(shared_address(barrier)),
                 "r"(phase)
                 : "memory");
}

FECRUN_ON_DEVICE void copy_bulk(void *to, const void *from, uint32_t bytes, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}

/* A launch that waits for this one's thread blocks to be at work may begin: decode.c. */
FECRUN_ON_DEVICE void let_next_begin()
{
    asm volatile("griddepcontrol.launch_dependents;");
}

/* Until all that was launched before has ended, in a launch that has begun before. */
FECRUN_ON_DEVICE void wait_for_others()
{
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

/* To L2. */
FECRUN_ON_DEVICE void prefetch(const void *from, uint32_t bytes)
{
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes));
}

FECRUN_ON_DEVICE void copy_16(void *, const void *)
{
}

FECRUN_ON_DEVICE void copies_wait()
{
}

#else

constexpr bool BULK = false; /* 16 bytes a thread, which waits for its own */

FECRUN_ON_DEVICE void barrier_make(uint64_t *)
{
}

FECRUN_ON_DEVICE void barrier_expect(uint64_t *, uint32_t)
{
}

FECRUN_ON_DEVICE void barrier_wait(uint64_t *, uint32_t)
{
}

FECRUN_ON_DEVICE void copy_bulk(void *, const void *, uint32_t, uint64_t *)
{
}

FECRUN_ON_DEVICE void copy_16(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from)
                 : "memory");
}

FECRUN_ON_DEVICE void copies_wait()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

FECRUN_ON_DEVICE void let_next_begin()
{
}

FECRUN_ON_DEVICE void wait_for_others()
{
}

FECRUN_ON_DEVICE void prefetch(const void *from, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i += 128)
        asm volatile("prefetch.global.L2 [%0];" ::"l"((const char *)from + i));
}

#endif

} // namespace ldpc_registers

#endif
