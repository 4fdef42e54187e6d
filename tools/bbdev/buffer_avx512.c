/* SPDX-License-Identifier: BSD-2-Clause */
/* bbdev_deinterleave() with AVX-512: whole lines are stored at once. */
#include "tools/bbdev/buffer.h"
#include "tools/bbdev/split.h"

#ifdef HAVE_AVX512
#include <immintrin.h>
#include <string.h>

static void stream(int8_t *to, const int8_t *from, size_t n)
{
    const size_t head = RTE_MIN((size_t)(-(uintptr_t)to % 64), n);

    memcpy(to, from, head);
    for (n -= head, to += head, from += head; n >= 64; n -= 64, to += 64, from += 64)
        _mm512_stream_si512((__m512i *)to, _mm512_loadu_si512(from));
    memcpy(to, from, n);
}

static void fence(void)
{
    _mm_sfence();
}

static const struct split_away past_caches = {stream, fence};

void bbdev_deinterleave_avx512(const int8_t *from, uint32_t n, unsigned qm, int8_t *to, int away)
{
    deinterleave(from, n, qm, to, away ? &past_caches : NULL);
}
#else
void bbdev_deinterleave_avx512(const int8_t *from, uint32_t n, unsigned qm, int8_t *to, int away)
{
    bbdev_deinterleave_plain(from, n, qm, to, away);
}
#endif
