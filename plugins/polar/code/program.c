/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/polar/code/program.h"

#include <stdlib.h>

/* Once to count, with program->step NULL, and once to write. */
struct walk {
    const struct polar_code *code;
    struct polar_program *program;
    bool pruned, list;
    bool hidden; /* the nodes at work are part of one that was added */
};

static struct polar_step *add(struct walk *w, enum polar_op op, uint32_t stage, uint32_t at)
{
    struct polar_program *p = w->program;
    struct polar_step *step = p->step ? &p->step[p->n_steps] : NULL;

    p->n_steps++;
    if (step)
        *step = (struct polar_step){.op = (uint8_t)op, .stage = (uint8_t)stage, .at = (uint16_t)at};
    return step;
}

static void add_node(struct walk *w, uint32_t node)
{
    struct polar_program *p = w->program;

    if (w->hidden)
        return;
    if (p->node)
        p->node[p->n_nodes] = (uint8_t)node;
    p->n_nodes++;
}

/*
 * The parity at `at` in terms of beta. Bit i of u is the sum of those bits j of the code word that it
 * is part of for which j - first has all ones of i - first; that word is of the largest aligned block
 * with i that lies in front of `at`, next to its brother.
 */
static void add_check(struct walk *w, uint32_t at)
{
    struct polar_program *p = w->program;
    struct polar_step *step = add(w, POLAR_CHECK, 0, at);
    const uint32_t first = p->n_checks, number = p->n_steps - 1;

    add_node(w, number & 0xff);
    add_node(w, number >> 8);
    for (uint32_t j = 0; j < at; j++) {
        const uint32_t size = 1u << (31 - __builtin_clz(at ^ j));
        const uint32_t block = j & ~(size - 1);
        bool odd = false;

        for (uint32_t i = block; i <= j; i++)
            odd ^= ((i - block) & ~(j - block)) == 0 && polar_in_parity(w->code, at, i);
        if (odd && p->check)
            p->check[p->n_checks] = (uint16_t)j;
        p->n_checks += odd;
    }
    if (step) {
        step->list = first;
        step->length = p->n_checks - first;
    }
}

/* The leaf that a node is, if it is one. */
static bool leaf_of(const struct walk *w, uint32_t stage, uint32_t at, enum polar_op *op)
{
    const uint32_t size = 1u << stage;
    uint32_t free_bits = 0, parities = 0;

    for (uint32_t i = at; i < at + size; i++) {
        free_bits += w->code->kind[i] == POLAR_MESSAGE;
        parities += w->code->kind[i] == POLAR_PARITY;
    }
    if (stage == 0) {
        *op = parities ? POLAR_CHECK : free_bits ? POLAR_RATE1 : POLAR_RATE0;
        return true;
    }
    if (!w->pruned || parities)
        return false;
    *op = POLAR_RATE0;
    if (free_bits == 0 || size > POLAR_MOST_LEAF)
        return free_bits == 0;
    *op = POLAR_RATE1;
    if (free_bits == size)
        return true;
    *op = POLAR_REP;
    if (free_bits == 1 && w->code->kind[at + size - 1] == POLAR_MESSAGE)
        return true;
    *op = POLAR_SPC;
    return free_bits == size - 1 && w->code->kind[at] == POLAR_FROZEN;
}

/* Both children of a node, as leaves. */
struct children {
    enum polar_op left, right;
    bool left_leaf, right_leaf, left_frozen, right_frozen;
};

static struct children children_of(const struct walk *w, uint32_t below, uint32_t at)
{
    struct children c;

    c.left_leaf = leaf_of(w, below, at, &c.left);
    c.right_leaf = leaf_of(w, below, at + (1u << below), &c.right);
    c.left_frozen = c.left_leaf && c.left == POLAR_RATE0;
    c.right_frozen = c.right_leaf && c.right == POLAR_RATE0;
    return c;
}

/* enum polar_visit, or POLAR_RATE0. */
static uint32_t visit_of(const struct walk *w, uint32_t below, const struct children *c)
{
    if (w->list)
        return POLAR_VISIT_BOTH;
    if (c->left_frozen && c->right_frozen)
        return POLAR_RATE0;
    if (c->left_frozen)
        return POLAR_VISIT_RIGHT;
    if (c->right_frozen)
        return POLAR_VISIT_LEFT;
    if (w->code->parities)
        return POLAR_VISIT_KEEP;
    return below == 2 && c->left_leaf && c->left == POLAR_REP && c->right_leaf &&
                   c->right == POLAR_SPC
               ? POLAR_VISIT_REP_SPC
               : POLAR_VISIT_BOTH;
}

static void walk(struct walk *w, uint32_t stage, uint32_t at);

/* at: of the right one. */
static void walk_right(struct walk *w, uint32_t stage, uint32_t at, const struct children *c)
{
    if (!c->right_frozen || w->list) {
        add(w, c->left_frozen ? POLAR_G0 : POLAR_G, stage, at);
        walk(w, stage, at);
    } else {
        add(w, POLAR_RATE0, stage, at);
    }
}

static void walk(struct walk *w, uint32_t stage, uint32_t at)
{
    const uint32_t below = stage - 1, half = stage ? 1u << below : 0;
    struct children c;
    enum polar_op op;
    uint32_t visit;

    if (leaf_of(w, stage, at, &op)) {
        add_node(w, op);
        if (op == POLAR_CHECK)
            add_check(w, at);
        else
            add(w, op, stage, at);
        return;
    }
    c = children_of(w, below, at);
    visit = visit_of(w, below, &c);
    add_node(w, visit);
    w->hidden = visit == POLAR_VISIT_REP_SPC;
    if (!c.left_frozen || w->list) {
        add(w, POLAR_F, below, at);
        walk(w, below, at);
    }
    walk_right(w, below, at + half, &c);
    w->hidden = false;
    if (c.left_frozen)
        add(w, POLAR_COPY, below, at);
    else if (!c.right_frozen)
        add(w, POLAR_COMBINE, below, at);
}

struct polar_program *polar_program_new(const struct polar_code *code, bool pruned, bool list)
{
    struct polar_program count = {.stages = code->stages}, *program;
    struct walk w = {code, &count, pruned, list, false};

    walk(&w, code->stages, 0);
    program = malloc(sizeof *program + count.n_steps * sizeof *program->step +
                     (count.n_checks + 1) * sizeof *program->check + count.n_nodes);
    if (!program)
        return NULL;
    *program = (struct polar_program){.stages = code->stages, .pruned = pruned};
    program->step = (struct polar_step *)(program + 1);
    program->check = (uint16_t *)(program->step + count.n_steps);
    program->node = (uint8_t *)(program->check + count.n_checks + 1);
    w.program = program;
    walk(&w, code->stages, 0);
    return program;
}
