/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The wrong symbols of words whose remainders are not 0, on CUDA devices: the work of a warp, which has a frame. The
 * steps are those of the reference; lanes have syndromes, coefficients or places.
 */
#ifndef OUTER_CUDA_WARP_H
#define OUTER_CUDA_WARP_H

#include "plugins/outer/cuda/block.h"

#define OUTER_NO_TERM UINT16_MAX /* no logarithm: there is no power of that order */

/* Of a warp, in shared memory. */
struct outer_warp {
    uint16_t syndrome[OUTER_GPU_CHECKS];
    uint16_t symbol
        [OUTER_GPU_CHECKS]; /* of the remainder; then logarithms of the locator's coefficients */
    uint16_t at[OUTER_GPU_CHECKS];             /* places: of erasures, then of wrong symbols */
    uint16_t locator[3][OUTER_GPU_CHECKS + 2]; /* the present one, an earlier one, room */
};

#if defined(__CUDACC__) || defined(FECRUN_EMULATED_BLOCKS)

#define OUTER_LANES 32
#define OUTER_ALL 0xffffffffu
#define OUTER_EACH(i, n) for (uint32_t i = threadIdx.x % OUTER_LANES; i < (n); i += OUTER_LANES)

/* `count` bits of a register from bit `at` on, the first one highest. */
FECRUN_ON_DEVICE uint32_t outer_rest_bits(const uint32_t *rest, uint32_t at, uint32_t count)
{
    const uint32_t high = rest[at / 32], skip = at % 32;
    const uint32_t low = skip + count > 32 ? rest[at / 32 + 1] : 0;

    return (skip ? high << skip | low >> (32 - skip) : high) >> (32 - count);
}

/* exp[log a + log]; log is below the order. */
FECRUN_ON_DEVICE uint16_t outer_times(const struct gf *field, uint32_t a, uint32_t log)
{
    return a ? field->exp[field->log[a] + log] : 0;
}

/*
 * The remainder is that of the word times x^parity. So with R its symbols, first one first, syndrome j is the sum of
 * R[i] root^-(i + 1).
 */
FECRUN_ON_DEVICE void outer_rs_syndromes(const struct outer_gpu_args *a, const struct gf *field,
                                         const uint32_t *rest, struct outer_warp *own)
{
    const struct outer_gpu_code *c = &a->code;

    OUTER_EACH(i, c->checks)
    {
        const uint32_t sent = outer_rest_bits(rest, i * c->m, c->m);

        own->symbol[i] = (uint16_t)(c->dual ? a->from_dual[sent] : sent);
    }
    __syncwarp();
    OUTER_EACH(j, c->checks)
    {
        const uint32_t back = (c->order - (c->fcr + j) % c->order) % c->order;
        uint32_t sum = 0;

        for (uint32_t i = c->checks; i-- > 0;)
            sum = outer_times(field, sum ^ own->symbol[i], back);
        own->syndrome[j] = (uint16_t)sum;
    }
    __syncwarp();
}

FECRUN_ON_DEVICE void outer_bch_syndromes(const struct outer_gpu_code *c, const struct gf *field,
                                          const uint32_t *rest, struct outer_warp *own)
{
    for (uint32_t j = 1; j <= c->checks; j++) {
        uint32_t sum = 0;

        OUTER_EACH(i, c->parity)
        if (outer_rest_bits(rest, i, 1))
            sum ^= field->exp[c->order - (j * (i + 1)) % c->order];
        sum = __reduce_xor_sync(OUTER_ALL, sum);
        if (threadIdx.x % OUTER_LANES == 0)
            own->syndrome[j - 1] = (uint16_t)sum;
    }
    __syncwarp();
}

/* Places of the symbols whose flag is not 0, to own->at, at most `checks` of them. Returns how many there are. */
FECRUN_ON_DEVICE uint32_t outer_erasures(const struct outer_gpu_args *a, uint64_t f, uint32_t w,
                                         struct outer_warp *own)
{
    const struct outer_gpu_code *c = &a->code;
    const uint32_t lane = threadIdx.x % OUTER_LANES;
    uint32_t n = 0;

    if (!a->flags.data)
        return 0;
    for (uint32_t first = 0; first < c->n; first += OUTER_LANES) {
        const float *flags = (const float *)(const void *)gpu_frame(&a->flags, f);
        const uint32_t i = first + lane;
        const bool erased = i < c->n && flags[i * c->depth + w] != 0;
        const uint32_t all = __ballot_sync(OUTER_ALL, erased);
        const uint32_t rank = n + (uint32_t)__popc(all & ((1u << lane) - 1));

        if (erased && rank < c->checks)
            own->at[rank] = (uint16_t)i;
        n += (uint32_t)__popc(all);
    }
    __syncwarp();
    return n;
}

/* The locator of erasures, and the same as the earlier one. Returns which of own->locator is the present one. */
FECRUN_ON_DEVICE uint32_t outer_begin(const struct outer_gpu_code *c, const struct gf *field,
                                      uint32_t erasures, struct outer_warp *own)
{
    uint32_t now = 0;

    OUTER_EACH(i, c->checks + 1)
    own->locator[0][i] = own->locator[1][i] = own->locator[2][i] = i == 0;
    __syncwarp();
    for (uint32_t e = 0; e < erasures; e++) {
        const uint16_t *from = own->locator[now];
        uint16_t *to = own->locator[1 - now];
        const uint32_t log = c->n - 1 - own->at[e];

        OUTER_EACH(i, erasures + 1)
        to[i] = (uint16_t)(from[i] ^ (i ? outer_times(field, from[i - 1], log) : 0));
        __syncwarp();
        now = 1 - now;
    }
    OUTER_EACH(i, erasures + 1)
    own->locator[1 - now][i] = own->locator[now][i];
    __syncwarp();
    return now;
}

/* What syndrome r is away from the value that lambda makes of those before it, in one lane. */
FECRUN_ON_DEVICE uint32_t outer_lane_discrepancy(const struct gf *field, const uint16_t *syndrome,
                                                 const uint16_t *lambda, uint32_t length,
                                                 uint32_t r)
{
    uint32_t d = 0;

    for (uint32_t i = 0; i <= length && i <= r; i++)
        d ^= gf_mul(field, lambda[i], syndrome[r - i]);
    return d;
}

/* The first syndrome from r on that the locator does not make, `checks` if there is none: a lane has each of them. */
FECRUN_ON_DEVICE uint32_t outer_warp_scan(const struct outer_gpu_code *c, const struct gf *field,
                                          const struct outer_warp *own, const uint16_t *lambda,
                                          uint32_t length, uint32_t r)
{
    for (; r < c->checks; r += OUTER_LANES) {
        const uint32_t mine = r + threadIdx.x % OUTER_LANES;
        const uint32_t off = __ballot_sync(
            OUTER_ALL, mine < c->checks &&
                           outer_lane_discrepancy(field, own->syndrome, lambda, length, mine) != 0);

        if (off)
            return r + (uint32_t)__popc((off & (0u - off)) - 1);
    }
    return c->checks;
}

/*
 * outer_locate() of code/locate.h. *lambda: the locator. Returns its degree; UINT32_MAX: there is none.
 */
FECRUN_ON_DEVICE uint32_t outer_warp_locate(const struct outer_gpu_code *c, const struct gf *field,
                                            uint32_t erasures, struct outer_warp *own,
                                            const uint16_t **locator)
{
    const uint32_t now = outer_begin(c, field, erasures, own);
    uint16_t *lambda = own->locator[now], *before = own->locator[1 - now], *kept = own->locator[2];
    uint32_t length = erasures, shift = 1, over = 1, zeros = 0;

    for (uint32_t r = erasures; r < c->checks; r++, shift++) {
        const bool longer = 2 * length <= r + erasures;
        const uint32_t next = longer ? r + 1 + erasures - length : length;
        uint32_t d = 0, factor;

        OUTER_EACH(i, (length < r ? length : r) + 1)
        d ^= gf_mul(field, lambda[i], own->syndrome[r - i]);
        d = __reduce_xor_sync(OUTER_ALL, d);
        if (!d) { /* most often the locator is complete; every second one is 0 of a binary code */
            if (zeros++ == c->bch) {
                const uint32_t passed = outer_warp_scan(c, field, own, lambda, length, r + 1) - r -
                                        1;

                r += passed;
                shift += passed;
            }
            continue;
        }
        zeros = 0;
        factor = gf_div(field, (uint16_t)d, (uint16_t)over);
        OUTER_EACH(i, next + 1)
        {
            const uint16_t old = lambda[i];

            if (longer)
                kept[i] = old;
            if (i >= shift)
                lambda[i] = (uint16_t)(old ^ gf_mul(field, (uint16_t)factor, before[i - shift]));
        }
        __syncwarp();
        if (longer) {
            uint16_t *swap = before;

            before = kept;
            kept = swap;
            length = next;
            over = d;
            shift = 0;
        }
    }
    *locator = lambda;
    return lambda[length] && 2 * length <= c->checks + erasures ? length : UINT32_MAX;
}

enum { OUTER_SIDE = 8 }; /* places of a lane, side by side */

/*
 * Are the inverse locators of places first + lane + 32 u roots of the locator? term[]: logarithms of its
 * coefficients. What is behind the word is not.
 */
FECRUN_ON_DEVICE void outer_are_wrong(const struct outer_gpu_code *c, const struct gf *field,
                                      const uint16_t *term, uint32_t degree, uint32_t first,
                                      bool *wrong)
{
    uint32_t sum[OUTER_SIDE], power[OUTER_SIDE], step[OUTER_SIDE];

    FECRUN_UNROLL
    for (uint32_t u = 0; u < OUTER_SIDE; u++) {
        const uint32_t i = first + u * OUTER_LANES + threadIdx.x % OUTER_LANES;

        step[u] = i + 1 < c->n ? c->order - (c->n - 1 - i) : 0;
        sum[u] = i < c->n ? 0 : c->order + 1; /* of more bits than an element */
        power[u] = 0;
    }
    for (uint32_t j = 0; j <= degree; j++) {
        FECRUN_UNROLL
        for (uint32_t u = 0; u < OUTER_SIDE; u++) {
            uint32_t at = term[j] + power[u];

            at -= at >= c->order ? c->order : 0;
            sum[u] ^= term[j] == OUTER_NO_TERM ? 0u : field->exp[at];
            power[u] += step[u];
            power[u] -= power[u] >= c->order ? c->order : 0;
        }
    }
    FECRUN_UNROLL
    for (uint32_t u = 0; u < OUTER_SIDE; u++)
        wrong[u] = sum[u] == 0;
}

/* Chien's search: places of the wrong symbols to own->at, in order. Returns how many there are. */
FECRUN_ON_DEVICE uint32_t outer_warp_search(const struct outer_gpu_code *c, const struct gf *field,
                                            const uint16_t *lambda, uint32_t degree,
                                            struct outer_warp *own)
{
    const uint32_t lane = threadIdx.x % OUTER_LANES;
    uint32_t found = 0;

    if (degree == 1) { /* lambda[1] is the locator */
        const uint32_t log = field->log[lambda[1]];

        own->at[0] = (uint16_t)(c->n - 1 - log);
        __syncwarp();
        return log < c->n;
    }
    OUTER_EACH(j, degree + 1)
    own->symbol[j] = lambda[j] ? field->log[lambda[j]] : OUTER_NO_TERM;
    __syncwarp();
    for (uint32_t first = 0; first < c->n && found < degree; first += OUTER_SIDE * OUTER_LANES) {
        bool wrong[OUTER_SIDE];

        outer_are_wrong(c, field, own->symbol, degree, first, wrong);
        FECRUN_UNROLL
        for (uint32_t u = 0; u < OUTER_SIDE; u++) {
            const uint32_t all = __ballot_sync(OUTER_ALL, wrong[u]);

            if (wrong[u])
                own->at[found + (uint32_t)__popc(all & ((1u << lane) - 1))] =
                    (uint16_t)(first + u * OUTER_LANES + lane);
            found += (uint32_t)__popc(all);
        }
    }
    __syncwarp();
    return found;
}

/* Corrects the wrong symbols of word w in the output. Returns how many there are: erased ones may be right. */
FECRUN_ON_DEVICE uint32_t outer_warp_correct(const struct outer_gpu_args *a, const struct gf *field,
                                             const uint16_t *lambda, uint32_t degree, uint8_t *out,
                                             uint32_t w, struct outer_warp *own)
{
    const struct outer_gpu_code *c = &a->code;
    const uint32_t lane = threadIdx.x % OUTER_LANES;
    uint16_t *omega = own->symbol;
    uint32_t count = 0;

    __syncwarp();
    OUTER_EACH(i, degree)
    omega[i] = outer_omega(field, own->syndrome, lambda, i);
    __syncwarp();
    for (uint32_t first = 0; first < degree; first += OUTER_LANES) {
        const uint32_t e = first + lane;
        const uint32_t log = e < degree ? c->n - 1 - own->at[e] : 0;
        const uint32_t value = e < degree ? outer_value(field, omega, lambda, degree, c->fcr, log)
                                          : 0;

        count += (uint32_t)__popc(__ballot_sync(OUTER_ALL, value != 0));
        if (c->m == 8) {
            if (value && own->at[e] < c->k)
                out[(uint32_t)own->at[e] * c->depth + w] ^= c->dual ? a->to_dual[value]
                                                                    : (uint8_t)value;
            continue;
        }
        for (uint32_t turn = 0; turn < OUTER_LANES && first + turn < degree; turn++) {
            if (turn == lane && own->at[e] < c->k)
                for (uint32_t b = 0; b < c->m; b++) {
                    const uint64_t bit = ((uint64_t)own->at[e] * c->depth + w) * c->m + b;

                    out[bit / 8] ^= (uint8_t)((value >> (c->m - 1 - b) & 1) << (7 - bit % 8));
                }
            __syncwarp();
        }
    }
    return count;
}

FECRUN_ON_DEVICE uint32_t outer_warp_invert(const struct outer_gpu_code *c, uint32_t degree,
                                            uint8_t *out, const struct outer_warp *own)
{
    for (uint32_t e = 0; e < degree && threadIdx.x % OUTER_LANES == 0; e++)
        if (own->at[e] < c->k)
            out[own->at[e] / 8] ^= (uint8_t)(0x80 >> own->at[e] % 8);
    return degree;
}

/* Corrects word w of frame f in the output. Returns how many symbols, or UINT32_MAX: it has failed. */
FECRUN_ON_DEVICE uint32_t outer_warp_word(const struct outer_gpu_args *a, const struct gf *field,
                                          uint64_t f, uint32_t w, struct outer_warp *own)
{
    const struct outer_gpu_code *c = &a->code;
    const uint32_t *rest = a->rest + (f * c->depth + w) * c->words;
    const uint32_t lane = threadIdx.x % OUTER_LANES;
    const bool wrong = __ballot_sync(OUTER_ALL, lane < c->words && rest[lane]) != 0;
    const uint32_t erasures = outer_erasures(a, f, w, own);
    const uint16_t *lambda;
    uint32_t degree;

    if (erasures > c->checks || !wrong)
        return erasures > c->checks ? UINT32_MAX : 0;
    if (c->bch)
        outer_bch_syndromes(c, field, rest, own);
    else
        outer_rs_syndromes(a, field, rest, own);
    degree = outer_warp_locate(c, field, erasures, own, &lambda);
    if (degree == UINT32_MAX || outer_warp_search(c, field, lambda, degree, own) != degree)
        return UINT32_MAX;
    return c->bch ? outer_warp_invert(c, degree, gpu_frame(&a->out, f), own)
                  : outer_warp_correct(a, field, lambda, degree, gpu_frame(&a->out, f), w, own);
}

/* Warps of a block, which share the field's tables where they are small. */
enum { OUTER_GPU_WARPS = 4, OUTER_GPU_BLOCKS = 4096 /* enough for any device */ };

struct outer_solve_shared {
    struct outer_warp warp[OUTER_GPU_WARPS];
    uint16_t tables[3 << OUTER_GPU_SHARED_FIELD];
};

FECRUN_ON_DEVICE void outer_warp_frame(const struct outer_gpu_args *a, const struct gf *field,
                                       uint64_t f, struct outer_warp *own)
{
    const bool first = threadIdx.x % OUTER_LANES == 0;
    uint32_t failed = 0;

    for (uint32_t w = 0; w < a->code.depth; w++) {
        const uint32_t count = outer_warp_word(a, field, f, w, own);

        failed |= count == UINT32_MAX;
        if (a->corrected.data && first)
            ((float *)(void *)gpu_frame(&a->corrected, f))[w] = count == UINT32_MAX ? -1.0f
                                                                                    : (float)count;
        __syncwarp();
    }
    if (first)
        a->info[f].flags = (a->info[f].flags & ~(uint32_t)FECRUN_FRAME_FAILED) |
                           FECRUN_FRAME_CHECKED | (failed ? FECRUN_FRAME_FAILED : 0u);
}

FECRUN_ON_DEVICE void outer_solve_block(const struct outer_gpu_args *a,
                                        struct outer_solve_shared *shared)
{
    const struct outer_gpu_code *c = &a->code;
    const uint32_t warp = threadIdx.x / OUTER_LANES;
    struct gf field = {c->m, 0, c->order, (uint16_t *)a->exp, (uint16_t *)a->log};

    if (c->m <= OUTER_GPU_SHARED_FIELD) {
        for (uint32_t i = threadIdx.x; i < 3u << c->m; i += OUTER_GPU_WARPS * OUTER_LANES)
            shared->tables[i] = a->exp[i];
        field.exp = shared->tables;
        field.log = shared->tables + ((size_t)2 << c->m);
    }
    __syncthreads();
    for (uint64_t f = (uint64_t)blockIdx.x * OUTER_GPU_WARPS + warp; f < a->frames.n;
         f += (uint64_t)gridDim.x * OUTER_GPU_WARPS)
        outer_warp_frame(a, &field, f, &shared->warp[warp]);
}

#endif
#endif
