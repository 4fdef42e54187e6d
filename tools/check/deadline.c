/* SPDX-License-Identifier: BSD-2-Clause */
/* The time of --seconds that is left to this process, and the work that had no time. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"

#include <stdio.h>
#include <string.h>

static double start, seconds, end;

void check_budget_start(double all)
{
    start = check_clock();
    seconds = all;
    end = start + all;
}

void check_budget_part(double share)
{
    end = start + share * seconds;
}

double check_budget_left(void)
{
    return end - check_clock();
}

bool check_budget_allows(double cost)
{
    return check_budget_left() > cost;
}

void check_left_out(struct check_report *report, const char *what)
{
    size_t used = strlen(report->left_out);

    if (!strstr(report->left_out, what))
        snprintf(report->left_out + used, sizeof report->left_out - used, "%s%s", used ? ", " : "",
                 what);
}
