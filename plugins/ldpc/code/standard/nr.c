/* SPDX-License-Identifier: BSD-2-Clause */
/* NR: TS 38.212 5.3.2. */
#include <fecrun/sdk/params.h>
#include <stdlib.h>

#include "plugins/ldpc/code/build.h"
#include "plugins/ldpc/code/standard/tables.h"

static const struct graph {
    uint32_t rows, cols, info_cols;
    const struct ldpc_nr_entry *entry;
    uint32_t n_entries;
} graphs[] = {
    {46, 68, 22, ldpc_nr_bg1, LDPC_NR_BG1_ENTRIES},
    {42, 52, 10, ldpc_nr_bg2, LDPC_NR_BG2_ENTRIES},
};

static const struct ldpc_lifting *find_lifting(uint32_t z, struct fecrun_error *err)
{
    const struct ldpc_lifting *first = ldpc_nr_lifting, *last = first + LDPC_NR_LIFTINGS - 1;
    const struct ldpc_lifting *l = first;

    while (l < last && l->z < z)
        l++;
    if (l->z == z)
        return l;
    if (z < first->z || z > last->z)
        fecrun_fail(err, "z", "is %u; the 51 lifting sizes of TS 38.212 go from %u to %u", z,
                    first->z, last->z);
    else
        fecrun_fail(err, "z",
                    "%u is none of the 51 lifting sizes of TS 38.212 (2 to 16 and, above, 8 to 15 "
                    "times a power of two up to 384); the next ones are %u and %u",
                    z, l[-1].z, l->z);
    return NULL;
}

/*
 * Rate matching as 38.212 uses it leaves K' above 2 z: of fewer bits none would be sent, for the
 * first 2 z are punctured.
 */
static int check_fillers(uint32_t bg, uint32_t z, uint32_t k, uint32_t fillers,
                         struct fecrun_error *err)
{
    uint32_t most = k - 2 * z - 1;

    if (fillers <= most)
        return 0;
    return fecrun_fail(err, "fillers",
                       "is %u; with bg %u and z = %u (K = %u) at most %u are possible, for of the "
                       "K - fillers bits the first 2 z = %u are not sent",
                       fillers, bg, z, k, most, 2 * z);
}

struct ldpc_code *ldpc_code_nr(uint32_t bg, uint32_t z, uint32_t fillers, struct fecrun_error *err)
{
    struct ldpc_entry entry[LDPC_NR_BG1_ENTRIES];
    const struct ldpc_lifting *lifting;
    const struct graph *g;
    struct ldpc_code fixed;

    if (bg < 1 || bg > 2) {
        fecrun_fail(err, "bg", "is %u; the base graphs of NR are 1 and 2", bg);
        return NULL;
    }
    g = &graphs[bg - 1];
    lifting = find_lifting(z, err);
    if (!lifting || check_fillers(bg, z, g->info_cols * z, fillers, err))
        return NULL;
    for (uint32_t i = 0; i < g->n_entries; i++) {
        const struct ldpc_nr_entry *from = &g->entry[i];

        entry[i].row = from->row;
        entry[i].edge.col = from->col;
        entry[i].edge.shift = from->shift[lifting->set] % z;
        entry[i].edge.skip = LDPC_NO_LANE;
    }
    fixed = (struct ldpc_code){
        .family = LDPC_NR,
        .bg = bg,
        .set = lifting->set,
        .z = z,
        .rows = g->rows,
        .cols = g->cols,
        .core_rows = 4,
        .k = g->info_cols * z,
        .fillers = fillers,
        .n = (g->cols - 2) * z,
        .punctured = 2 * z,
    };
    return ldpc_code_build(&fixed, entry, g->n_entries, err);
}
