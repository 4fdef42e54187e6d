/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Codes by their parameters, each made once however many plans have it: a sweep plans every point, and
 * blocks every size, and a large matrix takes milliseconds to read, to digest and to put in order.
 * Shared codes are not changed any more. What nobody has is freed.
 */
#ifndef LDPC_CODE_LIBRARY_H
#define LDPC_CODE_LIBRARY_H

#include "plugins/ldpc/code/params.h"

/* As ldpc_read_code(); give it back with ldpc_library_give(), which takes NULL, too. */
struct ldpc_code *ldpc_library_take(const struct fecrun_values *values, struct fecrun_error *err);
void ldpc_library_give(struct ldpc_code *code);

/* As ldpc_schedule_new() of a code that was taken; it lives as long as the code. */
struct ldpc_schedule *ldpc_library_schedule(const struct ldpc_code *code, uint32_t rows,
                                            bool reverse, struct fecrun_error *err);

#endif
