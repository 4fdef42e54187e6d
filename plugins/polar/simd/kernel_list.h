/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lists: 64 / P frames, P paths each; after kernel.h. With RANK_8 there are moving_16 and rank_8 as
 * moving_lanes and rank_frame.
 */

/* ---- Forks ----------------------------------------------------------------------------------- */

/* A candidate is its metric and, in the low 6 bits, its number. */
static inline void rank_frame(struct polar_paths *p, uint32_t first)
{
    uint32_t key[2 * POLAR_MOST_LIST];

    for (uint32_t i = 0; i < 2 * p->paths; i++) {
        const uint32_t lane = first + i % p->paths, more = i < p->paths ? 0 : p->penalty[lane];
        const uint32_t new = (p->metric[lane] + more) << 6 | i;
        uint32_t at = i;

        for (; at && new < key[at - 1]; at--)
            key[at] = key[at - 1];
        key[at] = new;
    }
    for (uint32_t i = 0; i < p->paths; i++) {
        const uint32_t number = key[i] & 63;

        p->parent[first + i] = (uint8_t)(first + number % p->paths);
        p->other[first + i] = number < p->paths ? 0 : -1;
        p->metric[first + i] = i < p->most ? key[i] >> 6 : POLAR_NO_PATH;
    }
}

/* Lanes of frames whose paths the fork does not leave as they are: those are in order, and no other
   choice is better than the worst of them. */
static inline polar_bits moving_lanes(const struct polar_paths *p)
{
    polar_bits moving = 0;

    for (uint32_t f = 0; f < p->frames; f++) {
        const uint32_t first = f * p->paths, last = first + p->most - 1;

        for (uint32_t l = first; l <= last; l++) {
            const bool better = p->metric[l] + p->penalty[l] < p->metric[last];
            const bool worse = l < last && p->metric[l] > p->metric[l + 1];

            moving |= (polar_bits)(better | worse) << l;
        }
    }
    return moving;
}

static inline polar_bits moving_of(const struct polar_paths *p)
{
#ifdef RANK_8
    if (p->paths <= 16)
        return moving_16(p) & p->live;
#endif
    return moving_lanes(p);
}

static inline void stay_in_place(uint8_t *map)
{
    static const polar_map place = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                    48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

    memcpy(map, place, POLAR_LANES);
}

/* False: nothing has changed, and `parent` and `other` are not set. */
static inline bool rank_frames(struct polar_paths *p)
{
    const polar_bits moving = moving_of(p), all = ~(polar_bits)0 >> (POLAR_LANES - p->paths);

    if (!moving)
        return false;
    stay_in_place(p->parent);
    memset(p->other, 0, POLAR_LANES);
    for (uint32_t first = 0; first < p->frames * p->paths; first += p->paths) {
        if (!(moving >> first & all))
            continue;
#ifdef RANK_8
        if (p->paths == 8) {
            rank_8(p, first);
            continue;
        }
#endif
        rank_frame(p, first);
    }
    return true;
}

/* Vectors of lanes that have frames; all of them, where they are so few that a loop costs more. */
static FECRUN_ALWAYS_INLINE uint32_t parts_of(const struct polar_paths *p)
{
    return VEC_BYTES > 16 ? POLAR_LANES / VEC_BYTES
                          : (p->frames * p->paths + VEC_BYTES - 1) / VEC_BYTES;
}

#define EACH_PART \
    _Pragma("GCC unroll 4") for (uint32_t w = 0; w < POLAR_LANES / VEC_BYTES; w++) if (w < parts)

/* row[l] = row[map[l]] */
static FECRUN_ALWAYS_INLINE void move_lanes(const struct polar_paths *p, void *row,
                                            const uint8_t *map)
{
    const uint32_t parts = parts_of(p);
    vec v[POLAR_LANES / VEC_BYTES];

    EACH_PART
    v[w] = take_lanes(row, map, w * VEC_BYTES);
    EACH_PART
    vec_store((int8_t *)row + w * VEC_BYTES, v[w]);
}

/* All that lies in memory of the paths but the leaf's own rows. */
static inline void follow(struct polar_paths *p, const struct polar_step *step, uint32_t stages)
{
    for (uint32_t s = step->stage + 1u; s < stages; s++)
        move_lanes(p, p->alpha_of[s], p->parent);
    for (uint32_t s = step->stage; s < stages; s++)
        if (step->at >> s & 1)
            move_lanes(p, p->beta_of[s], p->parent);
}

/* ---- Leaves ---------------------------------------------------------------------------------- */

static inline void add_penalty(struct polar_paths *p, const polar_row *a, uint32_t h)
{
    sums sum;

    for (uint32_t first = 0; first < h; first += POLAR_MOST_LEAF) {
        const uint32_t n = h - first < POLAR_MOST_LEAF ? h - first : POLAR_MOST_LEAF;

        negative_sums(a + first, n, sum);
        for (uint32_t l = 0; l < POLAR_LANES; l++)
            p->metric[l] += (uint16_t)sum[l];
    }
}

static inline void leaf_check(struct polar_paths *p, const struct polar_program *program,
                              const struct polar_step *step)
{
    const polar_row *a = p->alpha + 1;
    int8_t *b = p->beta[step->at];

    memset(b, 0, POLAR_LANES);
    for (uint32_t i = 0; i < step->length; i++) {
        const uint32_t j = program->check[step->list + i];
        const uint32_t stage = 31 - (uint32_t)__builtin_clz(j ^ step->at);

        for (uint32_t l = 0; l < POLAR_LANES; l++)
            b[l] ^= p->beta[j][p->beta_of[stage][l]];
    }
    for (uint32_t l = 0; l < POLAR_LANES; l++)
        if ((a[0][l] < 0) != (b[l] < 0))
            p->metric[l] += (uint32_t)abs(a[0][l]);
}

static inline void leaf_repeated(struct polar_paths *p, const struct polar_step *step,
                                 uint32_t stages)
{
    const uint32_t h = 1u << step->stage;
    const polar_row *a = p->alpha + h;
    polar_row choice;
    sums sum, zeros;

    add_rows(a, h, sum);
    negative_sums(a, h, zeros);
    for (uint32_t l = 0; l < POLAR_LANES; l++) {
        const int32_t ones = sum[l] + zeros[l];

        choice[l] = sum[l] < 0 ? -1 : 0;
        p->metric[l] += (uint32_t)(sum[l] < 0 ? ones : zeros[l]);
        p->penalty[l] = (uint16_t)(sum[l] < 0 ? -sum[l] : sum[l]);
    }
    if (rank_frames(p)) {
        follow(p, step, stages);
        move_lanes(p, choice, p->parent);
        for (uint32_t l = 0; l < POLAR_LANES; l++)
            choice[l] ^= p->other[l];
    }
    for (uint32_t i = 0; i < h; i++)
        memcpy(p->beta[step->at + i], choice, POLAR_LANES);
}

/* Magnitudes, signs, and lanes where the number of negative ones is odd. */
static inline void begin_free(struct polar_paths *p, const polar_row *a, uint32_t h, polar_row *b)
{
    for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES) {
        vec odd = vec_i8_set(0);

        for (uint32_t i = 0; i < h; i++) {
            const vec v = vec_load(a[i] + l), sign = vec_mask_bytes(vec_i8_negative(v));

            vec_store(p->magnitude[i] + l, vec_i8_abs(v));
            vec_store(b[i] + l, sign);
            odd ^= sign;
        }
        vec_store(p->odd + l, odd);
    }
    stay_in_place(p->from);
}

/* The next least magnitude of each lane, the first one of equals, and where: number `n`. What was found
   before counts no more. */
static inline void find_least(struct polar_paths *p, uint32_t h, uint32_t n)
{
    for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES) {
        const vec gone = n ? vec_load(p->least_at[n - 1] + l) : vec_i8_set(POLAR_NO_BIT);
        vec least = vec_i8_set(-1), at = vec_i8_set(0);

        for (uint32_t i = 0; i < h; i++) {
            vec m = vec_load(p->magnitude[i] + l);

            if (n) {
                m = vec_i8_pick(vec_i8_eq(gone, vec_i8_set((int8_t)i)), vec_i8_set(-1), m);
                vec_store(p->magnitude[i] + l, m);
            }
            at = vec_i8_pick(vec_u8_less(m, least), vec_i8_set((int8_t)i), at);
            least = vec_u8_min(least, m);
        }
        vec_store(p->least[n] + l, least);
        vec_store(p->least_at[n] + l, at);
    }
}

/* One fork, of the bit that least_at[n] says; `made` forks before it. False: nothing changed. */
static inline bool fork_free(struct polar_paths *p, const struct polar_step *step, uint32_t stages,
                             uint32_t n, uint32_t made, bool even)
{
    int8_t *flipped = p->flipped[made];
    polar_row penalty;

    for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES) {
        const vec least = take_lanes(p->least[n], p->from, l), odd = vec_load(p->odd + l);
        const vec spare = vec_i8_negate(vec_i8_negative(odd), vec_load(p->spare + l));

        vec_store(penalty + l, even ? vec_i8_add(least, spare) : least); /* unsigned */
    }
    for (uint32_t l = 0; l < POLAR_LANES; l++)
        p->penalty[l] = (uint8_t)penalty[l];
    if (!rank_frames(p))
        return false;
    follow(p, step, stages);
    move_lanes(p, p->from, p->parent);
    move_lanes(p, p->odd, p->parent);
    move_lanes(p, p->spare, p->parent);
    move_lanes(p, p->spare_at, p->parent);
    for (uint32_t i = 0; i < made; i++)
        move_lanes(p, p->flipped[i], p->parent);
    for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES) {
        const vec other = vec_load(p->other + l);

        vec_store(flipped + l,
                  vec_i8_pick(vec_i8_negative(other), take_lanes(p->least_at[n], p->from, l),
                              vec_i8_set(POLAR_NO_BIT)));
        vec_store(p->odd + l, vec_load(p->odd + l) ^ other);
    }
    return true;
}

/* Lanes that have a bit in a row of bits' numbers flip it. */
static inline void flip(polar_row *b, const int8_t *number, polar_bits lanes)
{
    for (; lanes; lanes &= lanes - 1) {
        const uint32_t l = (uint32_t)__builtin_ctzll(lanes);

        b[number[l]][l] ^= -1;
    }
}

static inline polar_bits negative_lanes(const int8_t *row)
{
    polar_bits bits = 0;

    for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES)
        bits |= (polar_bits)vec_mask_bits(vec_i8_negative(vec_load(row + l))) << l;
    return bits;
}

/* The word of the leaf: the signs of where the paths came from, and what they flipped. */
static inline void end_free(const struct polar_paths *p, polar_row *b, uint32_t h, uint32_t made,
                            bool even)
{
    for (uint32_t i = 0; i < h && made; i++)
        move_lanes(p, b[i], p->from);
    for (uint32_t i = 0; i < made; i++)
        flip(b, p->flipped[i], ~negative_lanes(p->flipped[i]) & p->live);
    if (even)
        flip(b, p->spare_at, negative_lanes(p->odd) & p->live);
}

static inline void leaf_free(struct polar_paths *p, const struct polar_step *step, uint32_t stages,
                             bool even)
{
    const uint32_t h = 1u << step->stage, bits = even ? h - 1 : h;
    const uint32_t forks = bits < p->most - 1 ? bits : p->most - 1;
    polar_row *b = p->beta + step->at;
    uint32_t made = 0;

    begin_free(p, p->alpha + h, h, b);
    if (even) {
        find_least(p, h, 0);
        memcpy(p->spare, p->least[0], POLAR_LANES);
        memcpy(p->spare_at, p->least_at[0], POLAR_LANES);
        for (uint32_t l = 0; l < POLAR_LANES; l++)
            p->metric[l] += p->odd[l] ? (uint32_t)p->spare[l] : 0;
    }
    for (uint32_t n = even; made < forks; n++, made++) {
        find_least(p, h, n);
        if (!fork_free(p, step, stages, n, made, even))
            break;
    }
    end_free(p, b, h, made, even);
}

/* ---- The walk -------------------------------------------------------------------------------- */

static inline void list_g(struct polar_paths *p, const struct polar_step *step, bool frozen)
{
    const uint32_t h = 1u << step->stage;
    const polar_row *a = p->alpha + 2 * h;
    const uint8_t *map = p->alpha_of[step->stage + 1];
    /* rows are bytes, which may be anything: what they point from is not read again */
    const polar_row *left = p->beta + step->at - h;
    polar_row *to = p->alpha + h;
    const uint32_t parts = parts_of(p);

    for (uint32_t i = 0; i < h; i++)
        EACH_PART
        {
            const uint32_t l = w * VEC_BYTES;
            const vec u = take_lanes(a[i], map, l), v = take_lanes(a[i + h], map, l);

            vec_store(to[i] + l, frozen ? plain_sum(u, v)
                                        : sum_of(u, v, vec_i8_negative(vec_load(left[i] + l))));
        }
}

static inline void list_combine(struct polar_paths *p, const struct polar_step *step)
{
    const uint32_t h = 1u << step->stage;
    const uint8_t *map = p->beta_of[step->stage];
    polar_row *left = p->beta + step->at;
    const uint32_t parts = parts_of(p);

    for (uint32_t i = 0; i < h; i++) {
        vec v[POLAR_LANES / VEC_BYTES];

        EACH_PART
        v[w] = take_lanes(left[i], map, w * VEC_BYTES) ^ vec_load(left[i + h] + w * VEC_BYTES);
        EACH_PART
        vec_store(left[i] + w * VEC_BYTES, v[w]);
    }
}

static inline void list_step(const struct polar_program *program, struct polar_paths *p,
                             const struct polar_step *step)
{
    const uint32_t h = 1u << step->stage;

    switch ((enum polar_op)step->op) {
    case POLAR_F:
        step_f(p->alpha + 2 * h, h, p->alpha + h);
        stay_in_place(p->alpha_of[step->stage]);
        break;
    case POLAR_G:
    case POLAR_G0:
        list_g(p, step, step->op == POLAR_G0);
        stay_in_place(p->alpha_of[step->stage]);
        stay_in_place(p->beta_of[step->stage]);
        break;
    case POLAR_COMBINE:
        list_combine(p, step);
        break;
    case POLAR_COPY:
        memcpy(p->beta + step->at, p->beta + step->at + h, h * sizeof *p->beta);
        break;
    case POLAR_RATE0:
        add_penalty(p, p->alpha + h, h);
        memset(p->beta + step->at, 0, h * sizeof *p->beta);
        break;
    case POLAR_REP:
        leaf_repeated(p, step, program->stages);
        break;
    case POLAR_CHECK:
        leaf_check(p, program, step);
        break;
    case POLAR_RATE1:
    case POLAR_SPC:
        leaf_free(p, step, program->stages, step->op == POLAR_SPC);
        break;
    }
}

static void start_paths(struct polar_paths *p)
{
    p->live = ~(polar_bits)0 >> (POLAR_LANES - p->frames * p->paths);
    for (uint32_t l = 0; l < POLAR_LANES; l++) {
        const uint32_t path = l % p->paths, first = l - path, last = first + p->most - 1;

        p->metric[l] = path ? POLAR_NO_PATH : 0;
        if (l >= 16)
            continue;
        p->last[l] = l > last ? l : last;
        p->next[l] = l >= last ? l : l + 1;
    }
}

static void scl(const struct polar_program *program, struct polar_paths *p)
{
    start_paths(p);
    stay_in_place(p->alpha_of[program->stages]);
    for (uint32_t s = 0; s < program->n_steps; s++)
        list_step(program, p, &program->step[s]);
}

static void bits_of(const polar_row *rows, uint32_t n, polar_bits *bits)
{
    for (uint32_t i = 0; i < n; i++)
        bits[i] = negative_lanes(rows[i]);
}
