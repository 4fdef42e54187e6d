/* SPDX-License-Identifier: BSD-2-Clause */
/* IEEE 802.11-2020 Annex F and IEEE 802.16e-2005 8.4.9.2.5: 24 base columns each. */
#include <fecrun/sdk/params.h>
#include <stdlib.h>

#include "plugins/ldpc/code/build.h"
#include "plugins/ldpc/code/standard/tables.h"

enum { COLS = LDPC_PROTO_COLS, WIMAX_FIRST_Z = 24, WIMAX_STEP = 4 };

static const struct ldpc_proto *find(const struct ldpc_proto *table, size_t n_table, uint32_t z,
                                     const char *rate)
{
    for (size_t i = 0; i < n_table; i++)
        if ((!z || table[i].z == z) && !strcmp(table[i].rate, rate))
            return &table[i];
    return NULL;
}

static struct ldpc_code *build(enum ldpc_family family, const struct ldpc_proto *proto, uint32_t z,
                               struct fecrun_error *err)
{
    struct ldpc_entry entry[LDPC_PROTO_MAX_ROWS * COLS];
    bool modulo = family == LDPC_WIMAX && !strcmp(proto->rate, "2/3A");
    size_t n = 0;
    struct ldpc_code fixed = {
        .family = family,
        .z = z,
        .rows = proto->rows,
        .cols = COLS,
        .core_rows = proto->rows,
        .k = (COLS - proto->rows) * z,
        .n = COLS * z,
    };

    for (uint32_t r = 0; r < proto->rows; r++)
        for (uint32_t c = 0; c < COLS; c++) {
            uint32_t shift = (uint32_t)proto->shift[r][c];

            if (proto->shift[r][c] < 0)
                continue;
            /* Of z = 96 (Wi-Fi's matrices are not scaled): floor(s z / 96), but s mod z in 2/3A. */
            shift = modulo ? shift % z : shift * z / proto->z;
            entry[n].row = r;
            entry[n++].edge = (struct ldpc_edge){.col = c, .shift = shift, .skip = LDPC_NO_LANE};
        }
    return ldpc_code_build(&fixed, entry, n, err);
}

struct ldpc_code *ldpc_code_wifi(uint32_t n, const char *rate, struct fecrun_error *err)
{
    const struct ldpc_proto *proto;

    if (n != 648 && n != 1296 && n != 1944) {
        fecrun_fail(err, "n", "is %u; 648, 1296 and 1944 are the lengths of Wi-Fi", n);
        return NULL;
    }
    proto = find(ldpc_wifi_proto, LDPC_WIFI_PROTOS, n / COLS, rate);
    if (!proto) {
        fecrun_fail(err, "rate", "Wi-Fi has no rate '%.20s'; 1/2, 2/3, 3/4 and 5/6 are possible",
                    rate);
        return NULL;
    }
    return build(LDPC_WIFI, proto, n / COLS, err);
}

struct ldpc_code *ldpc_code_wimax(uint32_t n, const char *rate, struct fecrun_error *err)
{
    const struct ldpc_proto *proto;
    uint32_t step = COLS * WIMAX_STEP;

    if (n < COLS * WIMAX_FIRST_Z || n > COLS * LDPC_WIMAX_Z0 || n % step) {
        fecrun_fail(err, "n", "is %u; the 19 lengths of WiMAX go from %d to %d in steps of %u", n,
                    COLS * WIMAX_FIRST_Z, COLS * LDPC_WIMAX_Z0, step);
        return NULL;
    }
    proto = find(ldpc_wimax_proto, LDPC_WIMAX_PROTOS, 0, rate);
    if (!proto) {
        fecrun_fail(err, "rate",
                    "WiMAX has no rate '%.20s'; 1/2, 2/3A, 2/3B, 3/4A, 3/4B and 5/6 are possible",
                    rate);
        return NULL;
    }
    return build(LDPC_WIMAX, proto, n / COLS, err);
}
