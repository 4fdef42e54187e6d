/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory of turning metrics and their decisions, and the trace through the decisions. */
#include "plugins/viterbi/simd/turning.h"

#include <stdlib.h>
#include <string.h>

enum { LOW = 7 }; /* digits of a state that the first part of a table takes */

/* Which digit of the state a coordinate or a bit of the lane's number is. */
struct layout {
    unsigned coordinate[VITERBI_MAX_K], lane[VITERBI_MAX_K];
};

static void begin(const struct viterbi_turning *t, struct layout *at)
{
    for (unsigned j = 0; j < t->coordinates; j++)
        at->coordinate[j] = j;
    for (unsigned b = 0; b < t->lane_bits; b++)
        at->lane[b] = t->coordinates + b;
}

/* The step k of a turn: its digit becomes the newest one, then may change places with a lane's. */
static void pass(const struct viterbi_turning *t, unsigned k, struct layout *at)
{
    const unsigned first = t->coordinates - t->lane_bits,
                   newest = t->coordinates + t->lane_bits - 1;

    for (unsigned j = 0; j < t->coordinates; j++)
        at->coordinate[j] = j == k ? newest : at->coordinate[j] - 1;
    for (unsigned b = 0; b < t->lane_bits; b++)
        at->lane[b]--;
    if (k >= first) {
        const unsigned newer = at->coordinate[k];
        at->coordinate[k] = at->lane[k - first];
        at->lane[k - first] = newer;
    }
}

/* The number's bits as digits of a state. */
static uint32_t state_of(unsigned number, unsigned bits, const unsigned *digit)
{
    uint32_t state = 0;

    for (unsigned b = 0; b < bits; b++)
        state |= (uint32_t)(number >> b & 1) << digit[b];
    return state;
}

/* table[0][low digits] ^ table[1][high digits] is the sum of the places of a state's digits. */
static void fill_table(uint16_t table[2][1 << LOW], const uint16_t *place, unsigned digits)
{
    memset(table, 0, 2 * sizeof *table);
    for (unsigned i = 0; i < 1u << LOW; i++) {
        for (unsigned b = 0; b < LOW; b++) {
            if (i >> b & 1 && b < digits)
                table[0][i] ^= place[b];
            if (i >> b & 1 && b + LOW < digits)
                table[1][i] ^= place[b + LOW];
        }
    }
}

static uint32_t look_up(const uint16_t table[2][1 << LOW], uint32_t state)
{
    return (uint32_t)table[0][state & ((1u << LOW) - 1)] ^ table[1][state >> LOW];
}

/* The bits of a step's decisions are butterfly, upper or lower state, lane; the lane's bits from
   state_bit on stand above that of the state. */
static void fill_place(const struct viterbi_turning *t, unsigned k, const struct layout *at,
                       struct viterbi_turning_step *step)
{
    const unsigned digits = t->coordinates + t->lane_bits;
    uint16_t place[VITERBI_MAX_K] = {0};

    for (unsigned b = 0; b < t->lane_bits; b++)
        place[at->lane[b] - 1] = (uint16_t)(1u << (b < t->state_bit ? b : b + 1));
    for (unsigned j = 0; j < t->coordinates; j++)
        if (j != k)
            place[at->coordinate[j] - 1] = (uint16_t)(1u << (t->lane_bits + 1 + j - (j > k)));
    place[digits - 1] = (uint16_t)(1u << t->state_bit);
    fill_table(step->place, place, digits);
}

static void fill_step(const struct viterbi_turning *t, const uint8_t *label, unsigned k,
                      const struct layout *at, struct viterbi_turning_step *step)
{
    const unsigned lanes = 1u << t->lane_bits, low = (1u << k) - 1;

    for (unsigned i = 0; i < 1u << (t->coordinates - 1); i++)
        step->label[i] = (uint16_t)(label[state_of((i & ~low) << 1 | (i & low), t->coordinates,
                                                   at->coordinate) >>
                                          1]
                                        << t->lane_bits >>
                                    2);
    for (unsigned lane = 0; lane < lanes; lane++)
        for (unsigned j = 0; j < VITERBI_MAX_N; j++)
            step->flip[j * lanes + lane] =
                (int16_t) - (label[state_of(lane, t->lane_bits, at->lane) >> 1] >> j & 1);
    fill_place(t, k, at, step);
}

struct viterbi_turning *viterbi_turning_create(const struct viterbi_code *code,
                                               const uint8_t *label, unsigned lane_bits,
                                               unsigned state_bit)
{
    const unsigned coordinates = code->K - 1 - lane_bits;
    struct viterbi_turning *t;
    struct layout at;

    t = aligned_alloc(64, sizeof *t + coordinates * sizeof t->step[0]);
    if (!t)
        return NULL;
    memset(t, 0, sizeof *t + coordinates * sizeof t->step[0]);
    t->coordinates = coordinates;
    t->lane_bits = lane_bits;
    t->state_bit = state_bit;
    begin(t, &at);
    for (unsigned k = 0; k < coordinates; k++) {
        fill_step(t, label, k, &at, &t->step[k]);
        pass(t, k, &at);
    }
    return t;
}

void viterbi_turning_where(const struct viterbi_turning *t, size_t stage,
                           uint16_t where[2][1 << LOW])
{
    const unsigned turn = viterbi_turning_by(t, stage);
    uint16_t place[VITERBI_MAX_K] = {0};
    struct layout at;

    begin(t, &at);
    for (unsigned k = 0; k < stage % t->coordinates; k++)
        pass(t, k, &at);
    for (unsigned b = 0; b < t->lane_bits; b++)
        place[at.lane[b]] = (uint16_t)(1u << b);
    for (unsigned j = 0; j < t->coordinates; j++)
        place[at.coordinate[j]] = (uint16_t)(1u << (t->lane_bits + (j + turn) % t->coordinates));
    fill_table(where, place, t->coordinates + t->lane_bits);
}

void viterbi_turning_trace(struct viterbi_run *run, size_t from, size_t to, uint64_t *seed,
                           uint64_t *words)
{
    const struct viterbi_turning *t = run->simd->turning;
    const unsigned K = run->simd->spec.code.K;
    const uint32_t mask = run->simd->states - 1;
    unsigned k = (unsigned)(to % t->coordinates);
    uint32_t state = (uint32_t)seed[0];
    uint64_t bits = 0;

    for (size_t i = to; i-- > from;) {
        const uint8_t *dropped = viterbi_run_dropped(run, i);
        uint32_t at;
        k = (k ? k : t->coordinates) - 1;
        at = look_up(t->step[k].place, state);
        bits = bits >> 1 | (uint64_t)(state >> (K - 2)) << 63;
        state = (state << 1 | (dropped[at / 8] >> at % 8 & 1u)) & mask;
    }
    seed[0] = state;
    if (words)
        words[0] = bits;
}
