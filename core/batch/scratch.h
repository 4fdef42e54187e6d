/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Working memory that the calls of a thread share. A program with a prepared pipeline for each of many sizes calls them in
 * turn: memory of their own would be out of the caches each time.
 */
#ifndef FECRUN_BATCH_SCRATCH_H
#define FECRUN_BATCH_SCRATCH_H

#include "core/base/sanitized.h"

/* Bytes of a block. A sanitizer sees writes behind exact blocks only, so nothing is shared then. */
#ifdef SANITIZED
#define SCRATCH_SHARED 0
#else
#define SCRATCH_SHARED (2 << 20)
#endif

/* The thread's block, 64-byte aligned and not cleared: made by its first call and freed when it ends. A call within another
   one gets a block of its own. NULL: there is no memory. */
void *scratch_take(void);
/* Ends the use of a block. NULL is allowed. */
void scratch_give(void *block);

#endif
