/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/simd/order.h"

#include <stdbool.h>
#include <string.h>

enum {
    LEAST_LANES = 16, /* of a group that is tried */
    WINDOW = 24       /* groups among which pairs are looked for: all of z = 360, as a rule */
};

struct maker {
    const struct ldpc_code *code;
    uint32_t row;
    struct ldpc_group *group; /* in pairs */
    uint32_t n;
    uint32_t empty;                   /* of these */
    struct ldpc_group window[WINDOW]; /* not in pairs yet */
    uint32_t waiting;
};

/* Calls for each two edges of the row to one column. */
typedef bool test_twins(const void *what, uint32_t apart, uint32_t z);

/* Does the test hold for any of them? apart: by how much their shifts differ. */
static bool any_twins(const struct ldpc_code *code, uint32_t row, test_twins *test,
                      const void *what)
{
    const struct ldpc_edge *edge = code->edge;
    const uint32_t end = code->row_first[row + 1];

    for (uint32_t a = code->row_first[row]; a < end; a++)
        for (uint32_t b = a + 1; b < end && edge[b].col == edge[a].col; b++)
            if (test(what, edge[b].shift - edge[a].shift, code->z))
                return true;
    return false;
}

static bool is_apart(const void *what, uint32_t apart, uint32_t z)
{
    const uint32_t *lanes = what;

    return *lanes == apart || *lanes == z - apart;
}

/* Do two lanes of the row that are so far apart share a bit? */
static bool meet(const struct ldpc_code *code, uint32_t row, uint32_t lanes)
{
    return any_twins(code, row, is_apart, &lanes);
}

static bool is_near(const void *what, uint32_t apart, uint32_t z)
{
    const uint32_t *lanes = what;

    return apart < *lanes || z - apart < *lanes;
}

/* Has the second group a lane so many behind one of the first, around the end? */
static bool reaches(const struct ldpc_group *a, const struct ldpc_group *b, uint32_t lanes,
                    uint32_t z)
{
    const uint32_t up = (a->first + lanes + z - b->first) % z, down = z - up;

    return (up < LDPC_GROUP && (a->lanes << up & b->lanes)) ||
           (down < LDPC_GROUP && (a->lanes >> down & b->lanes));
}

static bool are_met(const void *what, uint32_t apart, uint32_t z)
{
    const struct ldpc_group *const *two = what;

    return reaches(two[0], two[1], apart, z) || reaches(two[0], two[1], z - apart, z);
}

/* Of each group in the window: bits of those that it shares no bit with. */
static void find_partners(const struct maker *m, uint32_t *partners)
{
    memset(partners, 0, WINDOW * sizeof *partners);
    for (uint32_t a = 0; a < m->waiting; a++)
        for (uint32_t b = a + 1; b < m->waiting; b++) {
            const struct ldpc_group *const two[2] = {&m->window[a], &m->window[b]};

            if (any_twins(m->code, m->row, are_met, two))
                continue;
            partners[a] |= UINT32_C(1) << b;
            partners[b] |= UINT32_C(1) << a;
        }
}

/* Of `among`, the one with the fewest partners in `left`, but for those that have none: they come last. */
static uint32_t choosiest(const uint32_t *partners, uint32_t among, uint32_t left)
{
    uint32_t best = (uint32_t)__builtin_ctz(among), fewest = UINT32_MAX;

    for (; among; among &= among - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(among);
        const uint32_t n = (uint32_t)__builtin_popcount(partners[i] & left) - 1; /* 0 is most */

        if (n < fewest) {
            fewest = n;
            best = i;
        }
    }
    return best;
}

/* One more pair, behind those of the window that begin before it. */
static void add_pair(struct maker *m, uint32_t window, struct ldpc_group a, struct ldpc_group b)
{
    uint32_t at = m->n;

    for (; at > window && m->group[at - 2].first > a.first; at -= 2)
        memcpy(m->group + at, m->group + at - 2, 2 * sizeof *m->group);
    m->group[at] = a;
    m->group[at + 1] = b;
    m->empty += !b.lanes;
    m->n += 2;
}

static void pair_up(struct maker *m)
{
    const uint32_t window = m->n;
    uint32_t partners[WINDOW], left = (UINT32_C(1) << m->waiting) - 1;

    find_partners(m, partners);
    while (left) {
        const uint32_t a = choosiest(partners, left, left);
        uint32_t b;

        if (!(partners[a] & left)) {
            left &= ~(UINT32_C(1) << a);
            add_pair(m, window, m->window[a], (struct ldpc_group){0, 0});
            continue;
        }
        b = choosiest(partners, partners[a] & left, left);
        left &= ~(UINT32_C(1) << a | UINT32_C(1) << b);
        if (a < b)
            add_pair(m, window, m->window[a], m->window[b]);
        else
            add_pair(m, window, m->window[b], m->window[a]);
    }
    m->waiting = 0;
}

/* Each lane of so many has the lowest colour that none before it has that it shares a bit with. Returns how many. */
static uint32_t colour_lanes(const struct maker *m, uint32_t lanes, uint32_t *of_colour)
{
    uint32_t met = 0, n = 0; /* bit d: lanes d apart meet */

    for (uint32_t d = 1; d < lanes; d++)
        met |= (uint32_t)meet(m->code, m->row, d) << d;
    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t colour = 0, before = 0; /* lanes that it meets */

        for (uint32_t d = 1; d <= i; d++)
            before |= (met >> d & 1) << (i - d);
        while (colour < n && (of_colour[colour] & before))
            colour++;
        if (colour == n)
            of_colour[n++] = 0;
        of_colour[colour] |= UINT32_C(1) << i;
    }
    return n;
}

/* Groups of so many lanes, each by colour. */
static void make(struct maker *m, uint32_t lanes)
{
    const uint32_t z = m->code->z;
    uint32_t of_colour[LDPC_GROUP], colours = colour_lanes(m, lanes, of_colour);

    m->n = m->empty = m->waiting = 0;
    for (uint32_t at = 0; at < z; at += lanes)
        for (uint32_t c = 0; c < colours; c++) {
            const uint32_t there = z - at < LDPC_GROUP ? (UINT32_C(1) << (z - at)) - 1 : UINT32_MAX;

            if (!(of_colour[c] & there))
                continue;
            m->window[m->waiting++] = (struct ldpc_group){at, of_colour[c] & there};
            if (m->waiting == WINDOW)
                pair_up(m);
        }
    pair_up(m);
}

/* Whole groups, one after the other. */
static uint32_t follow(uint32_t z, struct ldpc_group *group)
{
    uint32_t n = 0;

    for (uint32_t at = 0; at < z; at += LDPC_GROUP)
        group[n++] = (struct ldpc_group){at, z - at < LDPC_GROUP ? (UINT32_C(1) << (z - at)) - 1
                                                                 : UINT32_MAX};
    if (n % 2)
        group[n++] = (struct ldpc_group){0, 0};
    return n;
}

uint32_t ldpc_order_lanes(const struct ldpc_code *code, uint32_t row, struct ldpc_group *group)
{
    struct maker m = {.code = code, .row = row, .group = group};
    const uint32_t near = 2 * LDPC_GROUP;
    uint32_t best = LDPC_GROUP, least = UINT32_MAX;

    if (!code->twins || !any_twins(code, row, is_near, &(uint32_t){UINT32_MAX}))
        return 0;
    if (!any_twins(code, row, is_near, &near))
        return follow(code->z, group);
    for (uint32_t lanes = LDPC_GROUP; lanes >= LEAST_LANES; lanes--) {
        uint32_t cost;

        make(&m, lanes);
        cost = 2 * m.n - m.empty; /* vectors of two groups count twice, those of one once */
        if (cost < least) {
            least = cost;
            best = lanes;
        }
    }
    make(&m, best);
    return m.n;
}
