/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/polar/rate/params.h"

static int check_owner(const struct fecrun_values *values, unsigned param, const char *name,
                       bool small, struct fecrun_error *err)
{
    if (fecrun_value(values, param)->given != 2)
        return 0;
    return fecrun_fail(err, name,
                       small ? "code: nr-small has no %s" : "%s is that of code: nr-small", name);
}

int polar_rate_read(struct polar_rate *rate, const struct fecrun_values *values, uint32_t found,
                    struct fecrun_error *err)
{
    const struct fecrun_value *e = fecrun_value(values, POLAR_RATE_P_E);
    const struct polar_nr nr = {.k = (uint32_t)fecrun_value(values, POLAR_RATE_P_K)->i,
                                .e = e->given ? (uint32_t)e->i : found,
                                .n_max = (uint32_t)fecrun_value(values, POLAR_RATE_P_N_MAX)->i};
    const uint32_t qm = (uint32_t)fecrun_value(values, POLAR_RATE_P_QM)->i;

    if (fecrun_value(values, POLAR_RATE_P_CODE)->i != POLAR_NR_SMALL)
        return check_owner(values, POLAR_RATE_P_QM, "qm", false, err) ||
                       polar_rate_make(rate, &nr, fecrun_value(values, POLAR_RATE_P_INTERLEAVE)->i,
                                       err)
                   ? -1
                   : 0;
    if (check_owner(values, POLAR_RATE_P_N_MAX, "n_max", true, err) ||
        check_owner(values, POLAR_RATE_P_INTERLEAVE, "channel_interleave", true, err) ||
        polar_check_small(nr.k, nr.e, qm, err))
        return -1;
    polar_rate_repeat(rate, polar_small_n(nr.k, qm), nr.e);
    return 0;
}
