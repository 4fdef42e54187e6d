/* SPDX-License-Identifier: BSD-2-Clause */
/* The interleaver of one block in bytes, see single_bytes.h: steps of P bytes, in vectors of 16 bytes. */

/* The P bytes of a step in the order of an index. */
ALWAYS __m128i in_order(const int8_t *step, const int8_t *index, uint32_t windows)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)step);

    return windows == 1 ? bytes : _mm_shuffle_epi8(bytes, _mm_load_si128((const void *)index));
}

ALWAYS void gather_steps(const struct turbo_simd *s, uint32_t windows, const int8_t *from,
                         int8_t *to)
{
    for (uint32_t x = 0; x < s->steps; x++) {
        const __m128i v = in_order(from + s->row[x] * windows, s->read[x], windows);

        memcpy(to + x * windows, &v, windows);
    }
}

ALWAYS void scatter_steps(const struct turbo_simd *s, uint32_t windows, const int8_t *from,
                          const int8_t *sys, int8_t *to)
{
    for (uint32_t x = 0; x < s->steps; x++) {
        const uint32_t at = s->row[x] * windows;
        __m128i v = in_order(from + x * windows, s->write[x], windows);

        if (sys)
            v = _mm_adds_epi8(v, _mm_loadu_si128((const __m128i *)(const void *)(sys + at)));
        memcpy(to + at, &v, windows);
    }
}

static void gather(const struct turbo_simd *s, const int8_t *from, int8_t *to)
{
    switch (s->windows) {
    case 1:
        gather_steps(s, 1, from, to);
        break;
    case 2:
        gather_steps(s, 2, from, to);
        break;
    case 4:
        gather_steps(s, 4, from, to);
        break;
    case 8:
        gather_steps(s, 8, from, to);
        break;
    default:
        gather_steps(s, 16, from, to);
        break;
    }
}

static void scatter(const struct turbo_simd *s, const int8_t *from, const int8_t *sys, int8_t *to)
{
    switch (s->windows) {
    case 1:
        scatter_steps(s, 1, from, sys, to);
        break;
    case 2:
        scatter_steps(s, 2, from, sys, to);
        break;
    case 4:
        scatter_steps(s, 4, from, sys, to);
        break;
    case 8:
        scatter_steps(s, 8, from, sys, to);
        break;
    default:
        scatter_steps(s, 16, from, sys, to);
        break;
    }
}
