/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of the Viterbi core share: random numbers, memory, sizes of a run. */
#ifndef T_VITERBI_VITERBI_H
#define T_VITERBI_VITERBI_H

#include "plugins/viterbi/code/tables.h"
#include "plugins/viterbi/decode.h"
#include "plugins/viterbi/simd/simd.h"
#include <fecrun/sdk/simd.h>
#include "t/lib/tap.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TERMINATIONS = 4 };

static const char *const termination_names[TERMINATIONS] = {"zero", "tail-biting", "truncated",
                                                            "continuous"};

static uint64_t rng_state;

static inline void seed_rng(uint64_t seed)
{
    rng_state = seed * 0xbf58476d1ce4e5b9u;
}

/* Below n. */
static inline unsigned draw(unsigned n)
{
    uint64_t z = rng_state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ z >> 31) >> 32) % n;
}

static inline bool one_in(unsigned n)
{
    return draw(n) == 0;
}

static inline uint64_t number_of_env(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

static inline uint64_t rounds(uint64_t plain)
{
    return number_of_env("FECRUN_TEST_ROUNDS", tap_rounds((unsigned)plain));
}

/* The best instruction set of this machine that this build has code for. */
static inline uint32_t best_isa(void)
{
    uint32_t isa = FECRUN_ISA_AVX512;

    while (!viterbi_simd_has(isa))
        isa--;
    return isa;
}

static inline void *get(size_t bytes)
{
    void *p = malloc(bytes);

    if (!p && bytes)
        bail("out of memory");
    return p;
}

static inline void *get_scratch(size_t bytes)
{
    void *p;

    if (posix_memalign(&p, 64, bytes))
        bail("out of memory");
    memset(p, (int)draw(256), bytes);
    return p;
}

/* A random code within the limits. */
static inline void any_code(struct viterbi_code *code, unsigned most_K, unsigned most_n)
{
    memset(code, 0, sizeof *code);
    code->K = VITERBI_MIN_K + draw(most_K - VITERBI_MIN_K + 1);
    code->n = VITERBI_MIN_N + draw(most_n - VITERBI_MIN_N + 1);
    for (unsigned j = 0; j < code->n; j++) {
        code->gen[j] = 1 + draw((1u << code->K) - 1);
        code->inverted[j] = draw(2) == 0;
    }
}

#endif
