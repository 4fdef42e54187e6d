/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/bench/load.h"

/* Waits with the clock in hand: a sleeping thread's wake-up would be counted as the decoder's. */
static double await(const struct load *load, double planned)
{
    double now = load->now(load->data);

    while (now < planned)
        now = load->now(load->data);
    return now;
}

int load_run(const struct load *load, double *us, struct load_served *served, struct diag *diag)
{
    const double lasts = (double)load->frames / load->rate, begin = load->now(load->data);
    const double most = lasts > LOAD_PATIENCE ? lasts : LOAD_PATIENCE;
    double done = begin;

    *served = (struct load_served){0};
    while (served->frames < load->frames && !(load->cancel && *load->cancel)) {
        const double planned = begin + (double)served->frames / load->rate;

        if (await(load, planned) - planned > most) {
            served->overloaded = true;
            return 0;
        }
        if (load->serve(load->data, diag))
            return -1;
        served->busy -= done > planned ? done : planned;
        done = load->now(load->data);
        served->busy += done;
        us[served->frames++] = 1e6 * (done - planned);
    }
    served->overloaded = served->busy > (double)served->frames / load->rate;
    return 0;
}
