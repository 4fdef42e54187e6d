/* SPDX-License-Identifier: BSD-2-Clause */
/* Pipelines of standards, by name: --preset. */
#ifndef FECRUN_TOOL_PRESET_H
#define FECRUN_TOOL_PRESET_H

#include "core/base/diag.h"

struct preset {
    char text[2048];  /* a pipeline file */
    char stands[256]; /* what it stands for: the document, the table, the numbers */
};

/* Makes the pipeline of dvb-s-1/2 to 7/8, nr-pusch-mcs-0 to 28, nr-ldpc-K-N, lte-pdsch-mcs-0 to 28 or wifi-he-mcs-0 to 11. -1: there is
   no such one. */
int preset_make(struct preset *preset, const char *name, struct diag *diag);

/* The i-th of them, but for nr-ldpc-K-N; NULL: no more. */
const char *preset_name(size_t i, char *name, size_t size);

#endif
