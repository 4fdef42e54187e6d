/* SPDX-License-Identifier: BSD-2-Clause */
/* The form of the kernel in registers of a code that is not NR's. */
#ifndef LDPC_CUDA_REGISTERS_FORM_H
#define LDPC_CUDA_REGISTERS_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/ldpc/code/code.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LDPC_REGISTERS_COLS = 64, /* most columns and rows of a base graph: sets of them are words */
    LDPC_REGISTERS_HELD = 16, /* most columns that stay in registers */
};

/* Numbers that a kernel is compiled with. */
struct ldpc_registers_form {
    uint32_t pairs;                  /* of code blocks at a time */
    uint32_t lanes;                  /* pairs z */
    uint32_t threads;                /* of a thread block: lanes, up to a multiple of 32 */
    uint32_t blocks;                 /* thread blocks of a multiprocessor */
    bool oms, spa, early_stop, soft; /* soft: LLRs come out, too */
    bool reverse; /* the reference takes the last row first, as the kernel does */
    uint32_t
        unpacked;  /* first rows, in the kernel's order, whose messages have 16 bits; others: 8 */
    uint64_t held; /* columns in registers, one bit each */
    uint32_t turn[LDPC_REGISTERS_COLS]; /* of each row of the code: thread t takes lane t + turn */
    uint32_t offset[LDPC_REGISTERS_COLS]; /* of a held column: thread t has lane t + offset */
};

/* Chooses the turns of rows, and columns that stay in registers then: at most so many. */
void ldpc_registers_hold(const struct ldpc_code *code, uint32_t most,
                         struct ldpc_registers_form *form);

/* NULL, or why no kernel in registers can decode such a code. */
const char *ldpc_registers_unfit(const struct ldpc_code *code);

/*
 * Chooses a form; NULL, or why there is none. shared, shared_block: bytes that a multiprocessor
 * and a thread block have.
 */
const char *ldpc_registers_choose_form(const struct ldpc_code *code, bool reverse, size_t shared,
                                       size_t shared_block, struct ldpc_registers_form *form);

/* Row i of the kernel, which begins with its last one, is this row of the code. */
uint32_t ldpc_registers_row(const struct ldpc_code *code, const struct ldpc_registers_form *form,
                            uint32_t i);

/* Bytes of a frame, of which so many LLRs are read, in the staging area; pairs' LLRs in as many
   banks as may be. */
uint32_t ldpc_registers_slot(uint32_t read, uint32_t pairs);

/* Bytes of shared memory of a thread block without the staging area. */
size_t ldpc_registers_form_shared(const struct ldpc_code *code,
                                  const struct ldpc_registers_form *form);

#ifdef __cplusplus
}
#endif

#endif
