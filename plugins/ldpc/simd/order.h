/* SPDX-License-Identifier: BSD-2-Clause */
/* The order of a base row's lanes that share bits: the row has several edges to one column (twins). */
#ifndef LDPC_SIMD_ORDER_H
#define LDPC_SIMD_ORDER_H

#include "plugins/ldpc/code/code.h"

enum { LDPC_GROUP = 32 };

/* Lanes that share no bit. */
struct ldpc_group {
    uint32_t first;
    uint32_t lanes; /* bit i: lane first + i, which is below z */
};

/*
 * Groups of a row's lanes, one after the other; lanes of the groups 2 k and 2 k + 1 share no bit either, so that
 * those two may be done at once, and the second of them may be empty. Returns how many: even; 0: the row
 * has no twins, and its lanes may go in any order. group[]: room for 2 z + 2.
 *
 * Where shifts of twins differ by two groups or more, groups are those that follow each other. Where they are
 * nearer, groups of 32 lanes or fewer are made and put beside others from elsewhere in the row, or, where they are nearer
 * still, every second or third piece of a group's lanes goes first: whatever takes the fewest.
 */
uint32_t ldpc_order_lanes(const struct ldpc_code *code, uint32_t row, struct ldpc_group *group);

#endif
