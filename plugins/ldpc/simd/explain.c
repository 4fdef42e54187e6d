/* SPDX-License-Identifier: BSD-2-Clause */
/* What `explain` says of the backend simd: its kernels, the width of their messages, and why. */
#include <stdio.h>

#include "plugins/ldpc/simd/simd.h"

/* The kernel along the lanes of one block. */
static void along_text(const struct ldpc_simd *s, char *text, size_t size)
{
    char kernel[40] = "", slots[64] = "";

    if (s->along != s->kernel)
        snprintf(kernel, sizeof kernel, " by %s", s->along->name);
    if (s->packed.slot && s->packed.slot < s->along->width)
        snprintf(slots, sizeof slots, ", %u columns a vector", s->along->width / s->packed.slot);
    snprintf(text, size, "one by one along their lanes%s%s", kernel, slots);
}

/* Why not 64 blocks side by side, where both are possible. */
static const char *longer(const struct ldpc_simd *s)
{
    const size_t bytes = (s->used + s->lanes_edges) * LDPC_LANES;

    return bytes > LDPC_NEAR_BYTES  ? "64 side by side would not fit the caches"
           : !s->decode->early_stop ? "64 side by side would take longer"
                                    : "64 side by side would wait for the slowest one";
}

void ldpc_simd_explain(const struct ldpc_simd *s, char *text, size_t text_size)
{
    char along[128] = "", pools[80] = "";

    if (s->n_rows)
        along_text(s, along, sizeof along);
    if (s->n_pools)
        snprintf(pools, sizeof pools, "; slow blocks of more than %d leave for %u other groups",
                 LDPC_ALONE, s->n_pools);
    if (!s->run)
        snprintf(text, text_size, "%s, 8-bit messages, blocks %s", s->kernel->name, along);
    else if (!s->n_rows)
        snprintf(text, text_size, "%s, 8-bit messages, 64 blocks side by side%s", s->kernel->name,
                 pools);
    else if (s->along_few > LDPC_LANES && s->along_rest > LDPC_LANES)
        snprintf(text, text_size, "%s, 8-bit messages, blocks %s; %s", s->kernel->name, along,
                 longer(s));
    else if (s->along_few > LDPC_LANES)
        snprintf(text, text_size,
                 "%s, 8-bit messages, calls of up to %d blocks %s, larger ones 64 side by side%s",
                 s->kernel->name, LDPC_ALONE, along, pools);
    else
        snprintf(text, text_size, "%s, 8-bit messages, 64 blocks side by side; up to %u %s%s",
                 s->kernel->name, s->along_few - 1, along, pools);
}
