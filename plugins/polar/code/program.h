/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a successive-cancellation decoder does, as a list of steps for any machine: the tree of the
 * code, walked once in plan(), subtrees that can be decoded at once cut off (fast-SSC).
 *
 * Memory of a decoder: for each stage s an array alpha[s] of 2^s LLRs, alpha[log2 N] being what was
 * received, and N bits beta. A node of stage s has the positions at .. at + 2^s - 1; when its steps
 * are done, beta[at ..] holds its code word. So what lies in front of `at` is always the code words
 * of the left siblings that wait for their right one, and behind the last step beta is x.
 *
 * h = 2^s, the size of the step's node; a = alpha[s + 1], b = beta + at:
 *
 *   F         alpha[s][i] = f(a[i], a[i + h])                 to the left child, whose `at` it is
 *   G         alpha[s][i] = a[i + h] + (1 - 2 b[i - h]) a[i]  to the right child
 *   G0        alpha[s][i] = a[i + h] + a[i]                   the left one is frozen: its beta is
 *                                                             not there
 *   COMBINE   b[i] ^= b[i + h], i < h                         both children, of stage s, are done;
 *                                                             `at` is the parent's
 *   COPY      b[i] = b[i + h]                                 the same, the left one was frozen
 *
 * Leaves, with a = alpha[s]; they set b[0 .. h - 1]:
 *
 *   RATE0     all 0. SC: only where it is a right child, and alpha[s] is not there. List: alpha[s] is
 *             there, for the metric; as a left child it need not set b
 *   RATE1     all of them free: the signs of a
 *   REP       all equal: the sign of the sum of a
 *   SPC       an even number of ones
 *   CHECK     one bit, s = 0, the parity of beta[j] for all j in its list
 *
 * The same tree in pre-order, a byte a node, is for decoders that hold a node's LLRs in registers; see
 * enum polar_visit.
 *
 * f(a, b) is the sign of a b with the smaller magnitude. Right children that are frozen need no
 * COMBINE. A bit is 1 where its LLR is less than 0. RATE1, REP and SPC have at most POLAR_MOST_LEAF bits.
 */
#ifndef POLAR_CODE_PROGRAM_H
#define POLAR_CODE_PROGRAM_H

#include "plugins/polar/code/code.h"

enum polar_op {
    POLAR_F,
    POLAR_G,
    POLAR_G0,
    POLAR_COMBINE,
    POLAR_COPY,
    POLAR_RATE0,
    POLAR_RATE1,
    POLAR_REP,
    POLAR_SPC,
    POLAR_CHECK,
};

enum { POLAR_MOST_LEAF = 128 };

/*
 * A node of the tree in pre-order: one of the leaves POLAR_RATE0 .. POLAR_SPC; POLAR_CHECK, followed by
 * the number of its step, low byte first; or which children follow. One that does not follow is
 * frozen. KEEP: both, and a later CHECK may need what the left one decides. REP_SPC: eight bits, the left
 * child is REP and the right one SPC, and neither follows.
 */
enum polar_visit {
    POLAR_VISIT_BOTH,
    POLAR_VISIT_LEFT,
    POLAR_VISIT_RIGHT,
    POLAR_VISIT_KEEP,
    POLAR_VISIT_REP_SPC,
};

struct polar_step {
    uint8_t op, stage;
    uint16_t at;
    uint32_t list, length; /* CHECK: its entries in `check`; else 0 */
};

/* Immutable; one piece of memory: free() is enough. */
struct polar_program {
    uint32_t stages;
    bool pruned; /* asked for: whether this code has larger leaves is another matter */
    uint32_t n_steps, n_checks, n_nodes;
    struct polar_step *step;
    uint16_t *check; /* positions of beta */
    uint8_t *node;   /* enum polar_visit */
};

/* pruned: no: all leaves are single bits. list: alpha of frozen leaves is wanted, too. NULL: out of
 * memory. */
struct polar_program *polar_program_new(const struct polar_code *code, bool pruned, bool list);

#endif
