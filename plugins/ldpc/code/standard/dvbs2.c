/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * DVB-S2: EN 302 307-1 5.3.2. The standard's parity bit and check number i q + t, with
 * q = (n - k) / 360, is lane i of base column k / 360 + t and of base row t here: so a group of 360
 * information bits and the parity bits, too, are circulants.
 */
#include <fecrun/sdk/params.h>
#include <stdlib.h>

#include "plugins/ldpc/code/build.h"
#include "plugins/ldpc/code/standard/tables.h"

enum { Z = LDPC_DVBS2_Z, NORMAL = 64800, SHORT = 16200 };

static const struct ldpc_dvbs2_table *find(bool short_frame, const char *rate,
                                           struct fecrun_error *err)
{
    char list[128] = "";
    size_t used = 0;

    for (size_t i = 0; i < LDPC_DVBS2_TABLES; i++) {
        const struct ldpc_dvbs2_table *t = &ldpc_dvbs2_table[i];

        if (t->short_frame != short_frame)
            continue;
        if (!strcmp(t->rate, rate))
            return t;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                                 t->rate);
    }
    fecrun_fail(err, "rate", "DVB-S2 has no rate '%.20s' in %s frames; it has %s", rate,
                short_frame ? "short" : "normal", list);
    return NULL;
}

/* Bit m of a group goes into check x + m q. */
static size_t put_groups(const struct ldpc_dvbs2_table *t, uint32_t q, struct ldpc_entry *entry)
{
    const uint16_t *address = t->address;
    size_t n = 0;

    for (uint32_t g = 0; g < t->groups; g++) {
        uint32_t degree = g < t->wide_groups ? t->wide_degree : LDPC_DVBS2_DEGREE;

        for (uint32_t j = 0; j < degree; j++, n++) {
            uint32_t x = *address++;

            entry[n].row = x % q;
            entry[n].edge = (struct ldpc_edge){
                .col = g, .shift = (Z - x / q) % Z, .skip = LDPC_NO_LANE};
        }
    }
    return n;
}

/* Check i q + t meets parity bits i q + t and, but for the first, the one before it. */
static size_t put_accumulator(uint32_t first_col, uint32_t q, struct ldpc_entry *entry)
{
    size_t n = 0;

    for (uint32_t t = 0; t < q; t++) {
        entry[n].row = t;
        entry[n++].edge = (struct ldpc_edge){.col = first_col + t, .skip = LDPC_NO_LANE};
        entry[n].row = t;
        entry[n].edge = (struct ldpc_edge){.col = first_col + t - 1, .skip = LDPC_NO_LANE};
        if (!t)
            entry[n].edge = (struct ldpc_edge){.col = first_col + q - 1, .shift = Z - 1, .skip = 0};
        n++;
    }
    return n;
}

/* Information bits stand where the standard has them; parity bits go to their circulants. */
static int set_place(struct ldpc_code *c, uint32_t q, struct fecrun_error *err)
{
    c->place = malloc(c->n * sizeof *c->place);
    if (!c->place)
        return fecrun_no_memory(err);
    for (uint32_t v = 0; v < c->k; v++)
        c->place[v] = v;
    for (uint32_t p = 0; p < c->n - c->k; p++)
        c->place[c->k + p] = c->k + p % q * Z + p / q;
    return 0;
}

struct ldpc_code *ldpc_code_dvbs2(bool short_frame, const char *rate, struct fecrun_error *err)
{
    const struct ldpc_dvbs2_table *t = find(short_frame, rate, err);
    uint32_t n = short_frame ? SHORT : NORMAL;
    struct ldpc_code *c = NULL, fixed;
    struct ldpc_entry *entry;
    size_t n_entries;
    uint32_t q;

    if (!t)
        return NULL;
    q = n / Z - t->groups;
    fixed = (struct ldpc_code){
        .family = LDPC_DVBS2,
        .z = Z,
        .rows = q,
        .cols = n / Z,
        .core_rows = q,
        .k = t->groups * Z,
        .n = n,
        .alpha = ldpc_alpha_dvbs2(rate),
    };
    n_entries = (size_t)t->wide_groups * t->wide_degree +
                (size_t)(t->groups - t->wide_groups) * LDPC_DVBS2_DEGREE + 2 * q;
    entry = malloc(n_entries * sizeof *entry);
    if (!entry) {
        fecrun_no_memory(err);
        return NULL;
    }
    put_accumulator(t->groups, q, entry + put_groups(t, q, entry));
    c = ldpc_code_build(&fixed, entry, n_entries, err);
    free(entry);
    if (c && set_place(c, q, err)) {
        ldpc_code_free(c);
        return NULL;
    }
    return c;
}
