/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/polar/cuda/tables.h"

#include <fecrun/sdk/carve.h>

#ifdef FECRUN_CUDA

struct parts {
    uint16_t *position;
    uint32_t *crc_table, *crc_mask, *parity;
    struct polar_list_step *step;
    size_t bytes;
};

static struct parts lay_out(const struct polar_decode *d, uint32_t paths, void *base)
{
    struct parts p = {.bytes = 0};

    p.position = fecrun_carve(base, &p.bytes, polar_frames_positions(d) * sizeof *p.position);
    p.crc_table = fecrun_carve(base, &p.bytes, POLAR_CRC_TABLE * sizeof *p.crc_table);
    if (!paths)
        return p;
    p.step = fecrun_carve(base, &p.bytes, polar_list_most_steps(d) * sizeof *p.step);
    p.crc_mask = fecrun_carve(base, &p.bytes, LIST_MASK_WORDS * sizeof *p.crc_mask);
    p.parity = fecrun_carve(base, &p.bytes, LIST_PARITY_WORDS * sizeof *p.parity);
    return p;
}

static void fill(struct polar_tables *t, const struct polar_decode *d, uint32_t paths,
                 const struct parts *p)
{
    polar_frames_fill(&t->frames, d, p->position, p->crc_table);
    if (!paths)
        return;
    polar_list_plan(d, paths, &t->list, p->step);
    polar_list_crc_fill(d, &t->list, p->crc_mask);
    polar_list_parity_fill(d, &t->list, p->parity);
}

int polar_tables_make(struct polar_tables *t, const struct polar_decode *d, uint32_t paths,
                      struct fecrun_error *err)
{
    struct parts p = lay_out(d, paths, NULL);
    void *const base = aligned_alloc(64, p.bytes);
    int failed;

    *t = (struct polar_tables){.memory = NULL};
    if (!base)
        return fecrun_no_memory(err);
    memset(base, 0, p.bytes);
    p = lay_out(d, paths, base);
    fill(t, d, paths, &p);
    failed = fecrun_cuda_upload(&t->memory, base, p.bytes, "the code", err);
    free(base);
    if (failed)
        return -1;
    p = lay_out(d, paths, t->memory);
    t->frames.position = p.position;
    t->frames.crc_table = p.crc_table;
    t->list.frames = t->frames;
    t->list.step = p.step;
    t->list.crc.mask = p.crc_mask;
    t->list.parity = p.parity;
    return 0;
}

void polar_tables_free(struct polar_tables *t)
{
    cudaFree(t->memory);
    t->memory = NULL;
}

#endif
