/* SPDX-License-Identifier: BSD-2-Clause */
/* Successive cancellation with a list of paths; decode.h says what a fork is. */
#include <fecrun/sdk/carve.h>
#include <math.h>

#include "plugins/polar/ref/ref.h"

struct path {
    struct polar_ref_tree tree;
    double metric;
    double penalty; /* of the other choice at the next fork */
    uint32_t last;  /* bit of the leaf that forked last, */
    uint32_t spare; /* and the one that keeps its parity even: */
    bool odd;       /* is it to be flipped? */
    bool other;     /* which choice this path took at the last fork */
};

struct polar_ref_list {
    struct path memory[POLAR_MOST_LIST];
    struct path *path[POLAR_MOST_LIST]; /* all of memory[]; the first `paths` are alive */
    uint32_t paths;
    const struct polar_decode *d;
};

size_t polar_ref_list_carve(struct polar_ref_list **list, const struct polar_decode *d, void *base)
{
    size_t used = 0;

    *list = fecrun_carve(base, &used, sizeof **list);
    for (uint32_t p = 0; p < d->most_paths; p++) {
        float *alpha = fecrun_carve(base, &used, 2 * d->code->n * sizeof *alpha);
        uint8_t *beta = fecrun_carve(base, &used, d->code->n);

        if (base)
            (*list)->memory[p].tree = (struct polar_ref_tree){alpha, beta};
    }
    if (base)
        (*list)->d = d;
    return used;
}

static void start(struct polar_ref_list *list, const float *llr)
{
    const uint32_t n = list->d->code->n;

    for (uint32_t p = 0; p < list->d->most_paths; p++)
        list->path[p] = &list->memory[p];
    list->paths = 1;
    list->memory[0].metric = 0;
    memcpy(list->memory[0].tree.alpha + n, llr, n * sizeof *llr);
}

/* ---- Forks ----------------------------------------------------------------------------------- */

struct candidate {
    double metric;
    uint32_t parent;
    bool other;
};

/* All but the memory that it points at, and that; stages above hold the same in both. */
static void clone(const struct polar_ref_list *list, struct path *to, const struct path *from)
{
    const struct polar_ref_tree tree = to->tree;

    *to = *from;
    to->tree = tree;
    memcpy(tree.alpha, from->tree.alpha, 2 * list->d->code->n * sizeof *tree.alpha);
    memcpy(tree.beta, from->tree.beta, list->d->code->n);
}

/* The candidates in order: insertion, so that equal ones stay in theirs. */
static uint32_t rank(const struct polar_ref_list *list, struct candidate *c)
{
    const uint32_t n = 2 * list->paths;

    for (uint32_t i = 0; i < n; i++) {
        const struct path *path = list->path[i % list->paths];
        const bool other = i >= list->paths;
        const double metric = path->metric + (other ? path->penalty : 0);
        uint32_t at = i;

        for (; at && metric < c[at - 1].metric; at--)
            c[at] = c[at - 1];
        c[at] = (struct candidate){metric, i % list->paths, other};
    }
    return n < list->d->most_paths ? n : list->d->most_paths;
}

/* A path's first child takes its memory; others get that of paths without any, or fresh one. */
static void fork_paths(struct polar_ref_list *list)
{
    struct candidate c[2 * POLAR_MOST_LIST];
    struct path *next[POLAR_MOST_LIST], *free_paths[POLAR_MOST_LIST];
    bool used[POLAR_MOST_LIST] = {false};
    const uint32_t n = rank(list, c);
    uint32_t spare = 0;

    for (uint32_t i = 0; i < n; i++)
        used[c[i].parent] = true;
    for (uint32_t p = 0; p < list->d->most_paths; p++)
        if (!used[p])
            free_paths[spare++] = list->path[p];
    for (uint32_t i = 0; i < n; i++) {
        struct path *parent = list->path[c[i].parent];

        next[i] = used[c[i].parent] ? parent : free_paths[--spare];
        used[c[i].parent] = false;
        if (next[i] != parent)
            clone(list, next[i], parent);
    }
    for (uint32_t i = 0; i < n; i++) {
        next[i]->metric = c[i].metric;
        next[i]->other = c[i].other;
        list->path[i] = next[i];
    }
    for (uint32_t i = 0; i < spare; i++)
        list->path[n + i] = free_paths[i];
    list->paths = n;
}

/* ---- Leaves ---------------------------------------------------------------------------------- */

/* What it costs that all bits are 0. */
static double penalty_of_zeros(const float *a, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += a[i] < 0 ? -(double)a[i] : 0;
    return sum;
}

static void repeat(struct polar_ref_list *list, uint32_t at, uint32_t h)
{
    for (uint32_t p = 0; p < list->paths; p++) {
        struct path *path = list->path[p];
        const float *a = path->tree.alpha + h;
        const double zeros = penalty_of_zeros(a, h), sum = polar_ref_sum(a, h);
        const double ones = sum + zeros;

        path->tree.beta[at] = sum < 0;
        path->metric += sum < 0 ? ones : zeros;
        path->penalty = fabs(sum);
    }
    fork_paths(list);
    for (uint32_t p = 0; p < list->paths; p++) {
        uint8_t *b = list->path[p]->tree.beta + at;

        memset(b, *b ^ list->path[p]->other, h);
    }
}

static void begin_free(struct path *path, uint32_t at, uint32_t h, bool even)
{
    const float *a = path->tree.alpha + h;
    uint8_t *b = path->tree.beta + at;

    path->odd = false;
    path->last = h;
    for (uint32_t i = 0; i < h; i++) {
        b[i] = a[i] < 0;
        path->odd ^= b[i];
    }
    if (!even)
        return;
    path->last = path->spare = polar_ref_least(a, h, h);
    if (path->odd)
        path->metric += fabs((double)a[path->spare]);
}

/* Bits that are free, or but for their parity. */
static void free_bits(struct polar_ref_list *list, uint32_t at, uint32_t h, bool even)
{
    const uint32_t bits = even ? h - 1 : h;
    const uint32_t forks = bits < list->d->most_paths - 1 ? bits : list->d->most_paths - 1;

    for (uint32_t p = 0; p < list->paths; p++)
        begin_free(list->path[p], at, h, even);
    for (uint32_t i = 0; i < forks; i++) {
        for (uint32_t p = 0; p < list->paths; p++) {
            struct path *path = list->path[p];
            const float *a = path->tree.alpha + h;
            const double spare = even ? fabs((double)a[path->spare]) : 0;

            path->last = polar_ref_least(a, h, path->last);
            path->penalty = fabs((double)a[path->last]) + (path->odd ? -spare : spare);
        }
        fork_paths(list);
        for (uint32_t p = 0; p < list->paths; p++) {
            struct path *path = list->path[p];

            path->tree.beta[at + path->last] ^= path->other;
            path->odd ^= path->other;
        }
    }
    for (uint32_t p = 0; p < list->paths && even; p++)
        list->path[p]->tree.beta[at + list->path[p]->spare] ^= list->path[p]->odd;
}

static void frozen(struct polar_ref_list *list, const struct polar_step *step, uint32_t h)
{
    for (uint32_t p = 0; p < list->paths; p++) {
        struct path *path = list->path[p];
        const float *a = path->tree.alpha + h;
        uint8_t *b = path->tree.beta + step->at;

        if (step->op == POLAR_RATE0) {
            path->metric += penalty_of_zeros(a, h);
            memset(b, 0, h);
            continue;
        }
        *b = polar_ref_check(list->d->list, step, path->tree.beta);
        if ((*a < 0) != *b)
            path->metric += fabs((double)*a);
    }
}

static void leaf(struct polar_ref_list *list, const struct polar_step *step)
{
    const uint32_t h = 1u << step->stage;

    if (step->op == POLAR_RATE0 || step->op == POLAR_CHECK)
        frozen(list, step, h);
    else if (step->op == POLAR_REP)
        repeat(list, step->at, h);
    else
        free_bits(list, step->at, h, step->op == POLAR_SPC);
}

/* ---- One frame ------------------------------------------------------------------------------- */

static void choose(const struct polar_decode *d, struct polar_ref_list *list, uint8_t *x,
                   uint8_t *message)
{
    uint32_t best = 0;
    bool best_holds = false;

    for (uint32_t p = 0; p < list->paths; p++) {
        const struct path *path = list->path[p];
        bool holds;

        memcpy(x, path->tree.beta, d->code->n);
        polar_message(d->code, x, message);
        holds = d->crc.width && polar_crc_holds(&d->crc, message, d->code->k);
        if (holds > best_holds ||
            (holds == best_holds && path->metric < list->path[best]->metric)) {
            best = p;
            best_holds = holds;
        }
    }
    memcpy(x, list->path[best]->tree.beta, d->code->n);
    polar_message(d->code, x, message);
}

void polar_ref_scl(const struct polar_decode *d, struct polar_ref_list *list, const float *llr,
                   uint8_t *x, uint8_t *message)
{
    start(list, llr);
    for (uint32_t i = 0; i < d->list->n_steps; i++) {
        const struct polar_step *step = &d->list->step[i];

        for (uint32_t p = 0; p < list->paths && step->op < POLAR_RATE0; p++)
            polar_ref_inner(step, &list->path[p]->tree, (float)d->limit);
        if (step->op >= POLAR_RATE0)
            leaf(list, step);
    }
    choose(d, list, x, message);
}
