/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: the forward steps of frame.h for K = 7 and two outputs in one vector of 64 bytes, a state each, for LLRs
 * that are small enough. Metrics are those of bytes.h. A chunk is six steps, and each byte has another one as its tag:
 * the position in which its path began the chunk.
 */

enum { TAGGED_M = 6, TAGGED_STATES = 1 << TAGGED_M, TAGGED_STEPS = 2 * TAGGED_M };

struct tagged {
    __m512i metric, tag;
};

/* A word of 32 bits for each step: what labels 0 to 3 cost, a byte each; and in all its bytes what a label and its
   opposite cost together. */
struct tagged_costs {
    _Alignas(64) uint32_t label[16], both[16];
};

/* Of TAGGED_STEPS steps. */
static FECRUN_ALWAYS_INLINE void tagged_costs(const struct viterbi_frame *f, const uint8_t *llr,
                                              struct tagged_costs *to)
{
    const __m512i order = _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3), zero = _mm512_setzero_si512();
    const __m512i opposite = _mm512_broadcast_i32x4(
        _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
    const __m512i all = _mm512_castsi256_si512(vec_load_any(llr));
    const __m512i x = _mm512_xor_si512(_mm512_permutexvar_epi64(order, all),
                                       _mm512_set1_epi8(-128));
    const __m512i signs = _mm512_mask_sub_epi8(x, 0xff00ff00ff00ff00, zero, x);
    const __m512i lost = _mm512_max_epi8(signs, zero);
    const __m512i label = _mm512_add_epi8(_mm512_shuffle_epi8(lost, _mm512_load_si512(f->lost[0])),
                                          _mm512_shuffle_epi8(lost, _mm512_load_si512(f->lost[1])));

    _mm512_store_si512(to->label, label);
    _mm512_store_si512(to->both, _mm512_add_epi8(label, _mm512_shuffle_epi8(label, opposite)));
}

/* x - y; saturated, a state that no path leads to stays the least number. */
static FECRUN_ALWAYS_INLINE __m512i tagged_less(__m512i x, __m512i y, bool saturated)
{
    return saturated ? _mm512_subs_epi8(x, y) : _mm512_sub_epi8(x, y);
}

/* Tags change places where paths have moved. */
static FECRUN_ALWAYS_INLINE __m512i tagged_move(__m512i tag, __mmask64 moved, unsigned j)
{
    static const _Alignas(16)
        uint8_t neighbour[4][16] = {{1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14},
                                    {2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13},
                                    {4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11},
                                    {8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7}};

    if (j < 4)
        return _mm512_mask_shuffle_epi8(
            tag, moved, tag,
            _mm512_broadcast_i32x4(_mm_load_si128((const __m128i *)(const void *)neighbour[j])));
    return _mm512_mask_mov_epi8(tag, moved, wide_exchange(tag, j));
}

static FECRUN_ALWAYS_INLINE void tagged_step(const struct viterbi_frame *f, struct tagged *x,
                                             unsigned j, const uint32_t *label,
                                             const uint32_t *both, bool saturated)
{
    const __m512i own = _mm512_shuffle_epi8(_mm512_set1_epi32((int)*label),
                                            _mm512_load_si512(f->own_label[j][0]));
    const __m512i other = wide_as_is(_mm512_sub_epi8(_mm512_set1_epi32((int)*both), own));
    const __m512i stay = wide_as_is(tagged_less(x->metric, own, saturated));
    const __m512i move = tagged_less(wide_exchange(x->metric, j), other, saturated);
    const __mmask64 moved = _mm512_cmpgt_epi8_mask(tagged_less(move, stay, saturated),
                                                   wide_limit(j));

    x->metric = _mm512_max_epi8(stay, move);
    x->tag = tagged_move(x->tag, moved, j);
}

/* State 0's metric becomes `level`. */
static FECRUN_ALWAYS_INLINE void tagged_level(struct tagged *x, int8_t level)
{
    const __m512i zero = _mm512_broadcastb_epi8(_mm512_castsi512_si128(x->metric));

    x->metric = _mm512_sub_epi8(x->metric, _mm512_sub_epi8(zero, _mm512_set1_epi8(level)));
}

/* Where the tags of the chunk with this step go. */
static FECRUN_ALWAYS_INLINE uint8_t *tagged_row(const struct viterbi_frame_run *run)
{
    return run->tags + (run->step / TAGGED_M - run->first) * TAGGED_STATES;
}

/* The metrics, and the tags of a chunk that has begun. */
static FECRUN_ALWAYS_INLINE struct tagged tagged_load(const struct viterbi_frame_run *run)
{
    const char *from = (const char *)run->metric;

    return (struct tagged){_mm512_load_si512(from), _mm512_load_si512(from + TAGGED_STATES)};
}

static FECRUN_ALWAYS_INLINE void tagged_store(struct viterbi_frame_run *run, struct tagged x)
{
    char *to = (char *)run->metric;

    _mm512_store_si512(to, x.metric);
    _mm512_store_si512(to + TAGGED_STATES, x.tag);
}

/* Each position. */
static FECRUN_ALWAYS_INLINE __m512i tagged_positions(void)
{
    static const _Alignas(64) uint8_t positions[TAGGED_STATES] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

    return _mm512_load_si512(positions);
}

/* Some steps of a chunk, which precede the first whole chunks of settled metrics, or follow the last one. After a known
   start metrics are not levelled before each state is reached, and then after each step until they have settled. */
static void tagged_some(const struct viterbi_frame *f, struct viterbi_frame_run *run,
                        const uint8_t *llr, unsigned steps)
{
    const unsigned first = (unsigned)(run->step % TAGGED_M);
    uint8_t *row = tagged_row(run);
    struct tagged x = tagged_load(run);
    struct tagged_costs costs;
    const uint32_t *label = costs.label, *both = costs.both;

    tagged_costs(f, llr, &costs);
    if (first == 0) {
        x.tag = tagged_positions();
        if (run->step >= run->forced)
            tagged_level(&x, f->level);
    }
    UNROLL for (unsigned j = 0; j < TAGGED_M; j++)
    {
        if (j < first || j >= first + steps)
            continue;
        tagged_step(f, &x, j, label++, both++, true);
        run->step++;
        if (run->step >= TAGGED_M && run->step <= run->forced)
            tagged_level(&x, run->step < run->forced ? f->early_level : f->level);
    }
    _mm512_store_si512(row, x.tag);
    tagged_store(run, x);
}

static FECRUN_ALWAYS_INLINE void tagged_chunk(const struct viterbi_frame *f, struct tagged *x,
                                              const uint32_t *label, const uint32_t *both,
                                              uint8_t *row)
{
    tagged_level(x, f->level);
    x->tag = tagged_positions();
    UNROLL for (unsigned j = 0; j < TAGGED_M; j++) tagged_step(f, x, j, label + j, both + j, false);
    _mm512_store_si512(row, x->tag);
}

static FECRUN_ALWAYS_INLINE void tagged_chunks(const struct viterbi_frame *f,
                                               struct viterbi_frame_run *run, const uint8_t *llr,
                                               size_t chunks)
{
    uint8_t *row = tagged_row(run);
    struct tagged x = tagged_load(run);
    struct tagged_costs costs[2];

    tagged_costs(f, llr, costs);
    for (size_t i = 0; i < chunks; i += 2, row += 2 * TAGGED_STATES) {
        const struct tagged_costs *now = &costs[i / 2 % 2];

        llr += 2 * TAGGED_STEPS;
        tagged_costs(f, llr, &costs[(i / 2 + 1) % 2]);
        tagged_chunk(f, &x, now->label, now->both, row);
        if (i + 1 < chunks)
            tagged_chunk(f, &x, now->label + TAGGED_M, now->both + TAGGED_M, row + TAGGED_STATES);
    }
    tagged_store(run, x);
    run->step += chunks * TAGGED_M;
}

static void tagged_forward(const struct viterbi_frame *f, struct viterbi_frame_run *run,
                           const uint8_t *llr, size_t steps)
{
    while (steps > 0) {
        size_t part = TAGGED_M - run->step % TAGGED_M;

        if (part == TAGGED_M && steps >= TAGGED_M && run->step >= run->forced) {
            part = steps / TAGGED_M * TAGGED_M;
            tagged_chunks(f, run, llr, steps / TAGGED_M);
        } else {
            part = part < steps ? part : steps;
            tagged_some(f, run, llr, (unsigned)part);
        }
        llr += 2 * part;
        steps -= part;
    }
}
