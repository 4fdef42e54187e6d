/* SPDX-License-Identifier: BSD-2-Clause */
/* What `explain` says of the backend simd: its kernels, the width of their metrics, and why. */
#include <inttypes.h>
#include <stdio.h>

#include "plugins/polar/simd/simd.h"

/* Instruction sets without code for one frame alone put it into lanes that are empty but for one. */
static const char none_alone[] = ", also where a call has fewer";

/* sc: a lane each, or few frames along their positions. */
static void sc_text(const struct polar_choice *c, char *text, size_t size)
{
    char few[80] = "";

    if (!c->few)
        snprintf(few, sizeof few, "%s", none_alone);
    else
        snprintf(few, sizeof few, ", up to %" PRIu64 " left over along their positions", c->few);
    snprintf(text, size, "%d frames side by side%s", POLAR_LANES, few);
}

/* The same of lists: the paths of several frames in the lanes. */
static void list_text(const struct polar_choice *c, uint32_t paths, char *text, size_t size)
{
    const uint32_t frames = POLAR_LANES / c->lanes;
    char few[80] = "";

    if (c->few_lists >= frames) {
        snprintf(text, size, "the %u paths of a frame along its positions", paths);
        return;
    }
    if (!c->few_lists)
        snprintf(few, sizeof few, "%s", none_alone);
    else
        snprintf(few, sizeof few, ", up to %" PRIu64 " left over along their positions",
                 c->few_lists);
    snprintf(text, size, "the %u paths of each of %u frames side by side%s", paths, frames, few);
}

void polar_simd_explain(const struct polar_decode *d, const struct polar_choice *c, char *text,
                        size_t text_size)
{
    char sc[128] = "", list[160] = "";

    if (d->sc)
        sc_text(c, sc, sizeof sc);
    if (d->list)
        list_text(c, d->most_paths, list, sizeof list);
    if (d->algorithm == POLAR_BP)
        snprintf(text, text_size, "%s, floats, %d frames side by side", c->kernel, POLAR_BP_LANES);
    else if (d->algorithm == POLAR_ML)
        snprintf(text, text_size, "%s, 8-bit LLRs and 16-bit sums, %d frames side by side",
                 c->kernel, POLAR_LANES);
    else if (d->algorithm == POLAR_AE)
        snprintf(text, text_size, "%s, 8-bit LLRs, %d frames side by side, %u members in turn",
                 c->kernel, POLAR_LANES, d->members);
    else if (d->adaptive)
        snprintf(text, text_size,
                 "%s, 8-bit LLRs, %s; where the CRC fails a list with 32-bit metrics, %s",
                 c->kernel, sc, list);
    else if (d->list)
        snprintf(text, text_size, "%s, 8-bit LLRs, 32-bit metrics, %s%s", c->kernel, list,
                 d->crc.width ? "; adaptive: true would try one path first" : "");
    else
        snprintf(text, text_size, "%s, 8-bit LLRs, %s", c->kernel, sc);
}
