/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: several groups of 64 blocks, with an early stop. A group of 64 side by side takes as long as its
 * slowest block, and one that cannot be decoded takes all iterations. So at some iterations the blocks
 * that are still open leave their group for a pool of such blocks from all groups, which is decoded as
 * a group when it is full, or in the end. All lanes of a group are always in the same iteration, as
 * the factor of messages depends on it; a block's result does not depend on who is beside it.
 */

enum {
    POOLS_FEW = 32
}; /* as many or fewer open blocks leave: to move them costs half an iteration */

/* Blocks side by side in the same iteration. */
struct group {
    int8_t *L, *message;
    uint32_t iterations; /* that are done */
    uint32_t n;          /* lanes 0 .. n-1 hold blocks */
    uint64_t frame[LDPC_LANES];
};

struct pools {
    const struct ldpc_simd *simd;
    void *scratch;
    const struct ldpc_batch *batch;
    struct ldpc_lanes_work work; /* what groups use one after the other, and a place for new ones */
    uint32_t n;
    struct group pool[LDPC_POOLS];
};

static void pools_move(const int8_t *from, int8_t *to, size_t vectors, const struct moves *moves)
{
    for (size_t v = 0; v < vectors; v++)
        move_lanes(from + v * LDPC_LANES, moves, to + v * LDPC_LANES);
}

/* Blocks of `from` in these lanes, behind those of `to`. */
static void pools_take(const struct ldpc_simd *s, const struct group *from, uint64_t blocks,
                       struct group *to)
{
    uint8_t order[LDPC_LANES] = {0};
    uint64_t places = 0;
    struct moves moves;

    for (uint64_t left = blocks; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);

        order[to->n] = (uint8_t)lane;
        places |= UINT64_C(1) << to->n;
        to->frame[to->n++] = from->frame[lane];
    }
    moves = moves_of(order, places);
    pools_move(from->L, to->L, s->used, &moves);
    pools_move(from->message, to->message, s->lanes_edges, &moves);
}

/* Where blocks may leave to now; NULL: nowhere. */
static struct group *pools_of(struct pools *p, const struct group *group)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (p->pool[i].iterations == group->iterations && &p->pool[i] != group)
            return &p->pool[i];
    return NULL;
}

/* One iteration; which of the blocks in `open` are done? */
static uint64_t pools_step(struct pools *p, struct group *group, uint64_t open)
{
    const struct ldpc_simd *s = p->simd;
    const struct ldpc_decode *d = s->decode;
    const bool last = group->iterations + 1 == d->iterations, check = d->early_stop || last;
    struct ldpc_lanes_work *w = &p->work;
    uint64_t odd = open, done;

    lanes_iteration(s, w, group->iterations++, check);
    if (check) {
        lanes_signs(s, w);
        odd = lanes_check(s, w, open);
    }
    done = last ? open : open & ~odd;
    if (done)
        lanes_decide(s, w, done);
    for (uint64_t left = done; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);

        ldpc_report(&(struct ldpc_verdict){group->iterations,
                                           !(odd >> lane & 1) && lanes_known(s, w, lane)},
                    &p->batch->info[group->frame[lane]]);
        if (ldpc_wants_soft(p->batch)) /* before L goes on without it */
            ldpc_put_soft(s, p->batch, group->frame[lane], w->L + lane, LDPC_LANES);
    }
    return done;
}

/*
 * Where there are no pools: will the open blocks be done sooner if each begins again, alone? What they still
 * need is taken to be as many iterations as they have had.
 */
static bool pools_alone(const struct pools *p, const struct group *group, uint64_t open)
{
    const uint32_t had = group->iterations, most = p->simd->decode->iterations - had;
    const uint32_t need = had < most ? had : most;
    const double alone = p->simd->along_share * __builtin_popcountll(open) * (had + need);

    return !p->n && p->simd->n_rows && alone < need;
}

/*
 * Until all blocks are done, here or, for the rest, in a pool or alone. A pool without room for them is decoded
 * first; its own may do the same in one that is further on, so this goes no deeper than there are pools.
 */
static void pools_run(struct pools *p, struct group *group)
{
    const uint64_t all = group->n < 64 ? (UINT64_C(1) << group->n) - 1 : UINT64_MAX;
    const uint32_t start = group->iterations;
    struct group *to = NULL;
    bool alone = false;
    uint64_t open = all;

    p->work.L = group->L;
    p->work.message = group->message;
    memset(p->work.decided, 0, p->simd->decode->bits * sizeof *p->work.decided);
    while (open && !to && !alone) {
        open &= ~pools_step(p, group, open);
        if (open && __builtin_popcountll(open) <= POOLS_FEW)
            to = pools_of(p, group);
        alone = open && pools_alone(p, group, open);
    }
    lanes_output(p->simd, &p->work, p->batch, group->frame, all & ~open);
    if (to && to->n + (uint32_t)__builtin_popcountll(open) > LDPC_LANES)
        pools_run(p, to);
    if (to)
        pools_take(p->simd, group, open, to);
    for (; alone && open; open &= open - 1)
        p->simd->along->along(p->simd, p->batch, group->frame[__builtin_ctzll(open)], p->scratch);
    group->iterations = start;
    group->n = 0;
}

/* Blocks first .. first+n-1 as they came in. */
static void pools_new(struct pools *p, struct group *group, uint64_t first, uint32_t n)
{
    group->iterations = 0;
    group->n = n;
    for (uint32_t i = 0; i < n; i++)
        group->frame[i] = first + i;
    p->work.L = group->L;
    p->work.message = group->message;
    lanes_input(p->simd, &p->work, p->batch, first, n);
}

/* Pools that there is room for, spread over the iterations. */
static void pools_begin(struct pools *p, const struct ldpc_simd *s, uint64_t frames, void *scratch)
{
    const uint32_t n = frames > LDPC_ALONE ? s->n_pools : 0;
    const size_t columns = (size_t)s->used * LDPC_LANES;

    ldpc_lanes_carve(&p->work, s, scratch);
    p->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct group *pool = &p->pool[p->n];

        pool->n = 0;
        pool->iterations = ldpc_pool_leaves(i, n);
        pool->L = p->work.pools + i * (columns + s->lanes_edges * LDPC_LANES);
        pool->message = pool->L + columns;
        p->n += pool->iterations < s->decode->iterations;
    }
}

static void side(const struct ldpc_simd *s, const struct ldpc_batch *batch, uint64_t first,
                 uint64_t frames, void *scratch)
{
    struct pools p = {.simd = s, .scratch = scratch, .batch = batch};
    struct group group;

    pools_begin(&p, s, frames, scratch);
    group.L = p.work.L;
    group.message = p.work.message;
    for (uint64_t f = 0; f < frames; f += LDPC_LANES) {
        pools_new(&p, &group, first + f,
                  frames - f < LDPC_LANES ? (uint32_t)(frames - f) : LDPC_LANES);
        pools_run(&p, &group);
    }
    for (uint32_t i = 0; i < p.n; i++)
        if (p.pool[i].n)
            pools_run(&p, &p.pool[i]);
}
