/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: eight steps of bytes.h at a time in four vectors of 64 bytes. Bits 0 to 5 of a position are the byte of a
 * vector. A step stores for each position whether its survivor moved, that is came from the other position.
 */

enum { WIDE_VECTORS = 4, WIDE_LANE_BITS = 6 };

#define WIDE_VECTOR_BIT(j) ((j) < WIDE_LANE_BITS ? 0u : 1u << ((j)-WIDE_LANE_BITS))

/* Bytes change places with those whose number differs in this bit. */
static FECRUN_ALWAYS_INLINE __m512i wide_exchange(__m512i x, unsigned bit)
{
    switch (bit) {
    case 0:
        return _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(_mm_setr_epi8(
                                          1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14)));
    case 1:
        return _mm512_rol_epi32(x, 16);
    case 2:
        return _mm512_rol_epi64(x, 32);
    case 3:
        return _mm512_shuffle_epi32(x, _MM_PERM_BADC);
    case 4:
        return _mm512_shuffle_i64x2(x, x, 0xb1);
    default:
        return _mm512_shuffle_i64x2(x, x, 0x4e);
    }
}

/* What a difference must exceed for a move: of equal candidates that from the position whose bit is 1 survives. */
static FECRUN_ALWAYS_INLINE __m512i wide_limit(unsigned bit)
{
    static const uint64_t lower[WIDE_LANE_BITS] = {0x5555555555555555, 0x3333333333333333,
                                                   0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff,
                                                   0x0000ffff0000ffff, 0x00000000ffffffff};

    return _mm512_movm_epi8(lower[bit]);
}

/* Which outputs the positions of vector g have otherwise than those of vector 0. */
static FECRUN_ALWAYS_INLINE unsigned wide_flip(struct known_code code, unsigned j, unsigned g)
{
    unsigned flip = 0;

    UNROLL for (unsigned bit = WIDE_LANE_BITS; bit < BYTES_M; bit++)
    {
        if (bit != j && g & WIDE_VECTOR_BIT(bit))
            flip ^= known_taps(code, BYTES_M, (j + BYTES_M - bit) % BYTES_M);
    }
    return flip;
}

static FECRUN_ALWAYS_INLINE void wide_put(uint8_t *row, unsigned g, __mmask64 moved)
{
    memcpy(row + 8 * g, &moved, sizeof moved);
}

/* x, of which the compiler forgets where it comes from. Else it computes differences of sums in another order, in which a
   step waits longer for the one before. */
static FECRUN_ALWAYS_INLINE __m512i wide_as_is(__m512i x)
{
    __asm__("" : "+v"(x));
    return x;
}

static FECRUN_ALWAYS_INLINE void wide_step(const struct viterbi_frame *f, struct known_code code,
                                           __m512i *x, unsigned j, uint32_t costs, uint8_t *row)
{
    const __m512i all = _mm512_set1_epi32((int)costs);
    const unsigned bit = WIDE_VECTOR_BIT(j);
    __m512i cost[4];

    UNROLL for (unsigned flip = 0; flip < 4; flip++)
        cost[flip] = _mm512_shuffle_epi8(all, _mm512_load_si512(f->own_label[j][flip]));
    UNROLL for (unsigned g = 0; g < WIDE_VECTORS; g++)
    {
        const __m512i own = cost[wide_flip(code, j, g)], other = cost[3 - wide_flip(code, j, g)];
        if (!bit) {
            const __m512i stay = wide_as_is(_mm512_sub_epi8(x[g], own));
            const __m512i move = _mm512_sub_epi8(wide_exchange(x[g], j), other);
            wide_put(row, g, _mm512_cmpgt_epi8_mask(_mm512_sub_epi8(move, stay), wide_limit(j)));
            x[g] = _mm512_max_epi8(stay, move);
        } else if (!(g & bit)) {
            const __m512i zero = x[g], one = x[g | bit];
            const __m512i stay = _mm512_sub_epi8(zero, own), move = _mm512_sub_epi8(one, other);
            const __m512i back = _mm512_sub_epi8(zero, other), rest = _mm512_sub_epi8(one, own);
            wide_put(row, g, _mm512_cmpge_epi8_mask(move, stay));
            wide_put(row, g | bit, _mm512_cmpgt_epi8_mask(back, rest));
            x[g] = _mm512_max_epi8(stay, move);
            x[g | bit] = _mm512_max_epi8(back, rest);
        }
    }
}

static FECRUN_ALWAYS_INLINE void bytes_rounds(const struct viterbi_frame *f,
                                              struct viterbi_frame_run *run, struct known_code code,
                                              const uint8_t *llr, size_t rounds)
{
    _Alignas(32) uint32_t cost[2][BYTES_M];
    uint8_t *row = bytes_row(run, run->step);
    __m512i x[WIDE_VECTORS];

    memcpy(x, run->metric, sizeof x);
    bytes_costs(f, llr, cost[0]);
    for (size_t i = 0; i < rounds; i++) {
        const uint32_t *now = cost[i & 1];
        const __m512i less = _mm512_sub_epi8(_mm512_broadcastb_epi8(_mm512_castsi512_si128(x[0])),
                                             _mm512_set1_epi8(f->level));

        llr += 2 * BYTES_M;
        bytes_costs(f, llr, cost[~i & 1]);
        UNROLL for (unsigned g = 0; g < WIDE_VECTORS; g++) x[g] = _mm512_sub_epi8(x[g], less);
        UNROLL for (unsigned j = 0; j < BYTES_M; j++, row += BYTES_VECTORS * 4)
            wide_step(f, code, x, j, now[j], row);
    }
    memcpy(run->metric, x, sizeof x);
    run->step += rounds * BYTES_M;
}
