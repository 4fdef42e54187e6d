/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/batch/exec.h"

#include <fecrun/sdk/params.h>

/* Copies n items that begin `from` items into the neighbour's buffer. */
static int copy_items(struct worker *worker, char *dst, const struct buffer *src, uint64_t from,
                      uint64_t n, bool device, struct diag *diag)
{
    struct stream host = {0};

    return stream_copy(device ? &worker->stream : &host, dst,
                       src->data + fecrun_bytes(src->type, from), fecrun_bytes(src->type, n), diag);
}

int exec_gather(struct exec *exec, struct worker *worker, size_t segment,
                struct slot *const *neighbours, size_t n_before, size_t n_after,
                struct margin *have, struct diag *diag)
{
    size_t stage = exec->segments[segment].first;
    const struct margin *want = &exec->layout.margins[stage];
    bool device = exec->negotiation->choices[stage].space != SPACE_HOST;
    struct buffer *own = slot_input(neighbours[0], &exec->layout, stage, 0);
    char *end = own->data + fecrun_bytes(own->type, slot_stream_items(neighbours[0], own));

    *have = (struct margin){0, 0};
    for (size_t k = 1; k <= n_before && have->before < want->before; k++) {
        struct slot *slot = *(neighbours - k);
        struct buffer *buffer = slot_input(slot, &exec->layout, stage, 0);
        uint64_t items = slot_stream_items(slot, buffer), n = want->before - have->before;
        n = n < items ? n : items;
        have->before += n;
        if (copy_items(worker, own->data - fecrun_bytes(own->type, have->before), buffer, items - n,
                       n, device, diag))
            return -1;
    }
    for (size_t k = 1; k <= n_after && have->after < want->after; k++) {
        struct slot *slot = neighbours[k];
        struct buffer *buffer = slot_input(slot, &exec->layout, stage, 0);
        uint64_t items = slot_stream_items(slot, buffer), n = want->after - have->after;
        n = n < items ? n : items;
        if (copy_items(worker, end + fecrun_bytes(own->type, have->after), buffer, 0, n, device,
                       diag))
            return -1;
        have->after += n;
    }
    return 0;
}
