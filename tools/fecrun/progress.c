/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/progress.h"

#include "core/base/printable.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

double progress_left(const struct progress *p)
{
    const double done = (double)p->counts->frames, wrong = (double)p->counts->frame_errors;
    double left = -1, t;

    if (p->limits.seconds > 0)
        left = p->limits.seconds - p->seconds;
    if (p->limits.frames && done > 0) {
        t = p->seconds * ((double)p->limits.frames / done - 1);
        left = left < 0 || t < left ? t : left;
    }
    if (p->limits.frame_errors && wrong > 0) {
        t = p->seconds * ((double)p->limits.frame_errors / wrong - 1);
        left = left < 0 || t < left ? t : left;
    }
    return left;
}

/* "12 s", "3 min", "5.2 h", "1.5 days" */
static void print_time(char *text, size_t size, double seconds)
{
    if (seconds < 100)
        snprintf(text, size, "%.0f s", seconds);
    else if (seconds < 6000)
        snprintf(text, size, "%.0f min", seconds / 60);
    else if (seconds < 172800)
        snprintf(text, size, "%.1f h", seconds / 3600);
    else
        snprintf(text, size, "%.1f days", seconds / 86400);
}

/* Who waits long wants to know when to come back. */
static void print_end(char *text, size_t size, double left, time_t now)
{
    const time_t end = now + (time_t)left;
    char clock[16] = "", span[32];
    struct tm tm;

    print_time(span, sizeof span, left);
    if (left >= 100 && left < 86400 && localtime_r(&end, &tm))
        strftime(clock, sizeof clock, ", at %H:%M", &tm);
    snprintf(text, size, "ends in %s%s", span, clock);
}

/* "2/7" and "ebn0_db=2.5" */
static void print_point(char *text, size_t size, const struct progress *p)
{
    size_t used;

    snprintf(text, size, "point %zu/%zu", p->point + 1, p->points);
    for (size_t i = 0; p->at && i < p->at->n; i++) {
        used = strlen(text);
        snprintf(text + used, size - used, "%s%s=%s", i ? ", " : " ", p->at->sweeps[i].param,
                 point_value(p->at, i));
    }
}

/* Puts the part behind what is there, if it fits. */
static void add(char *text, size_t most, const char *between, const char *part)
{
    const size_t used = strlen(text);

    if (used + strlen(between) + strlen(part) <= most)
        sprintf(text + used, "%s%s", between, part);
}

void progress_line(char *text, size_t size, unsigned width, const struct progress *p, time_t now)
{
    const size_t most = size - 1 < width ? size - 1 : width;
    const struct run_counts *counts = p->counts;
    const double left = progress_left(p);
    char part[200], end[80] = "";

    print_point(part, sizeof part, p);
    if (strlen(part) > most / 2)
        snprintf(part, sizeof part, "point %zu/%zu", p->point + 1, p->points);
    text[0] = 0;
    add(text, most, "", part);
    snprintf(part, sizeof part, "%" PRIu64 " frames", counts->frames);
    add(text, most, ": ", part);
    snprintf(part, sizeof part, "%" PRIu64 " wrong", counts->frame_errors);
    add(text, most, ", ", part);
    if (left >= 0) {
        print_end(end, sizeof end, left, now);
        add(text, most, ", ", end);
    }
    if (counts->frames && counts->frame_errors) {
        snprintf(part, sizeof part, "FER %.1e",
                 (double)counts->frame_errors / (double)counts->frames);
        add(text, most, ", ", part);
    }
    snprintf(part, sizeof part, "%.3g Mb/s",
             p->seconds > 0 ? (double)counts->info_bits / p->seconds * 1e-6 : 0);
    add(text, most, ", ", part);
}

/* A line that is as wide as the terminal would go on in the next one. */
void progress_show(int terminal, const struct progress *p)
{
    struct winsize window = {0};
    char text[256], shown[256];
    unsigned width = 79;

    if (!ioctl(terminal, TIOCGWINSZ, &window) && window.ws_col > 20)
        width = window.ws_col - 1u;
    progress_line(text, sizeof text, width, p, time(NULL));
    printable_text(shown, sizeof shown, text);
    dprintf(terminal, "\r\033[K%s", shown);
}

void progress_clear(int terminal)
{
    dprintf(terminal, "\r\033[K");
}
