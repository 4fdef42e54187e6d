/* SPDX-License-Identifier: BSD-2-Clause */
/* What rs.encode and rs.decode have in common. */
#ifndef OUTER_RS_STAGE_H
#define OUTER_RS_STAGE_H

#include "plugins/common/checks/checks.h"
#include "plugins/outer/code/rs_frame.h"

/* For plan(): -1 and a reason if the input is no frames of `symbols` a word of that code. */
static inline int rs_check_input(const struct rs_code *code, const struct fecrun_frame *in,
                                 uint32_t symbols, struct fecrun_error *err)
{
    const uint64_t bits = (uint64_t)symbols * code->depth * code->m;
    char words[32] = "";

    if (checks_frames(in, "block codes work", err))
        return -1;
    if (in->items == bits)
        return 0;
    if (code->depth > 1)
        snprintf(words, sizeof words, "%u words of ", code->depth);
    return fecrun_fail(err, NULL,
                       "the input has %llu bits a frame and RS(%u, %u) takes %llu (%s%u symbols of "
                       "%u bits)",
                       (unsigned long long)in->items, code->n, code->k, (unsigned long long)bits,
                       words, symbols, code->m);
}

#endif
