/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is wrong, in words, where it begins: what a port has from the one before is not said again.
 * Losses are of mutual information, in dB of the channel: by so much less noise the rest of the
 * information would have come through.
 */
#include "tools/fecrun/doctor/doctor.h"

#include <fecrun/sdk/sample.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define LOSS_DB 0.1     /* worth a word */
#define FINE_DB 0.01    /* scales that lose no more than this beyond the best are as good */
#define SLOPE_OFF 1.5   /* of two levels in a dimension; of more levels max-log LLRs */
#define SLOPE_OFF_QAM 2 /* are too small by as much as 1.6 in much noise, and */
#define LOSS_DB_QAM 0.5 /* lose as much as 0.3 dB, by nature */
#define SURE 5.0
#define RARE 30       /* wrong signs: with fewer, differences are chance */
#define NOTHING 0.002 /* bits: no LLRs any more */

const char *doctor_what_name(enum doctor_what what)
{
    static const char *const names[] = {"inverted",  "swapped", "unrelated", "scale",
                                        "saturated", "coarse",  "loss",      "silent"};

    return names[what];
}

__attribute__((format(printf, 4, 5))) static struct doctor_verdict *say(struct doctor_port *port,
                                                                        enum doctor_what what,
                                                                        struct doctor_cost cost,
                                                                        const char *format, ...)
{
    struct doctor_verdict *verdict = &port->verdicts[port->n_verdicts];
    va_list args;

    if (port->n_verdicts == DOCTOR_VERDICTS)
        return NULL;
    port->n_verdicts++;
    *verdict = (struct doctor_verdict){.what = what, .cost = cost};
    va_start(args, format);
    vsnprintf(verdict->text, sizeof verdict->text, format, args);
    va_end(args);
    return verdict;
}

static const struct doctor_port *before(const struct doctor *doctor, const struct doctor_port *port)
{
    return port->before >= 0 ? &doctor->ports[port->before] : NULL;
}

static bool has(const struct doctor_port *port, enum doctor_what what)
{
    for (size_t i = 0; port && i < port->n_verdicts; i++)
        if (port->verdicts[i].what == what)
            return true;
    return false;
}

/* Also where the fault began before the one in front. */
static bool had(const struct doctor *doctor, const struct doctor_port *port, enum doctor_what what)
{
    for (port = before(doctor, port); port; port = before(doctor, port))
        if (has(port, what))
            return true;
    return false;
}

/* Then all that follows is of no use: that has to be mended first. */
static bool had_wrong_signs(const struct doctor *doctor, const struct doctor_port *port)
{
    return had(doctor, port, DOCTOR_INVERTED) || had(doctor, port, DOCTOR_SWAPPED) ||
           had(doctor, port, DOCTOR_UNRELATED) || had(doctor, port, DOCTOR_SILENT);
}

static const struct doctor_cost unknown = {NAN, NAN};

/* Does each real dimension carry a bit, so that max-log LLRs are exact? Of unknown schemes, yes. */
static bool one_bit(const struct doctor_port *port)
{
    return !port->scheme[0] || doctor_dimension_bits(port->scheme) == 1;
}

/* The exponent of two levels and white noise is Es/N0 itself, and near to proportional otherwise. */
static struct doctor_cost cost_of(const struct doctor_port *port, struct doctor_worth better,
                                  struct doctor_worth worse)
{
    if (!((1 - better.information) * (double)port->numbers.n > RARE))
        return unknown;
    if (worse.information < NOTHING)
        return (struct doctor_cost){HUGE_VAL, HUGE_VAL};
    return (struct doctor_cost){.long_db = doctor_esn0(port->scheme, better.information) -
                                           doctor_esn0(port->scheme, worse.information),
                                .short_db = 10 * log10(better.exponent / worse.exponent)};
}

static double larger(struct doctor_cost cost)
{
    return fmax(cost.long_db, cost.short_db);
}

/* "costs about 0.5 dB (long codes) to 0.9 dB (short ones)" */
static const char *cost_text(struct doctor_cost cost, char *text, size_t size)
{
    if (isnan(cost.long_db))
        snprintf(text, size, "what it costs cannot be told at so little noise");
    else if (isinf(cost.long_db))
        snprintf(text, size, "leaves nothing for a decoder");
    else if (fabs(cost.long_db - cost.short_db) < 0.1)
        snprintf(text, size, "costs about %.*f dB", larger(cost) < 0.1 ? 2 : 1, larger(cost));
    else
        snprintf(text, size, "costs about %.1f dB with long codes, %.1f dB with short ones",
                 cost.long_db, cost.short_db);
    return text;
}

/* ---- Signs ---- */

/* "0, 2" */
static void list_bits(const bool *set, unsigned n, char *text, size_t size)
{
    size_t used = 0;

    text[0] = 0;
    for (unsigned j = 0; j < n && used + 8 < size; j++)
        if (set[j])
            used += (size_t)snprintf(text + used, size - used, "%s%u", used ? ", " : "", j);
}

/* "0 as 2, 1 as 3" */
static bool list_swaps(const struct doctor_numbers *numbers, char *text, size_t size)
{
    size_t used = 0;

    text[0] = 0;
    for (unsigned j = 0; j < numbers->period && used + 12 < size; j++)
        if (numbers->told[j] && numbers->follows[j] != j)
            used += (size_t)snprintf(text + used, size - used, "%s%u has %u", used ? ", " : "", j,
                                     numbers->follows[j]);
    return used > 0;
}

static void judge_inversion(struct doctor_port *port)
{
    const struct doctor_numbers *numbers = &port->numbers;
    unsigned told = 0, inverted = 0;
    char bits[32];

    for (unsigned j = 0; j < numbers->period; j++) {
        told += numbers->told[j];
        inverted += numbers->inverted[j];
    }
    if (!inverted)
        return;
    if (inverted == told) {
        say(port, DOCTOR_INVERTED, unknown,
            "looks inverted: %.1f %% of the signs are those of the opposite bit (positive means 0)",
            100 * (1 - numbers->right));
        return;
    }
    list_bits(numbers->inverted, numbers->period, bits, sizeof bits);
    say(port, DOCTOR_INVERTED, unknown, "of each %u bits, counted from 0, these look inverted: %s",
        numbers->period, bits);
}

static void judge_order(struct doctor_port *port)
{
    const struct doctor_numbers *numbers = &port->numbers;
    char swaps[120];

    if (!list_swaps(numbers, swaps, sizeof swaps))
        return;
    say(port, DOCTOR_SWAPPED, unknown, "of each %u bits some look swapped: place (from 0) %s in it",
        numbers->period, swaps);
}

static void judge_relation(struct doctor_port *port)
{
    const struct doctor_numbers *numbers = &port->numbers;

    for (unsigned j = 0; j < numbers->period; j++)
        if (numbers->told[j])
            return;
    if (!numbers->n || numbers->zero == numbers->n ||
        fabs(numbers->right - 0.5) > SURE * 0.5 / sqrt((double)numbers->n))
        return;
    say(port, DOCTOR_UNRELATED, unknown,
        "has nothing to do with the bits that were sent (%.1f %% of the signs agree): another "
        "order, scrambling, or only noise",
        100 * numbers->right);
}

/* ---- Size ---- */

static bool slope_known(const struct doctor_numbers *numbers)
{
    return numbers->slope > 0 && numbers->slope_error < 0.1 * numbers->slope;
}

static void judge_scale(const struct doctor *doctor, struct doctor_port *port)
{
    const struct doctor_numbers *numbers = &port->numbers;
    const struct doctor_port *from = before(doctor, port);
    const double base = from && slope_known(&from->numbers) ? from->numbers.slope : 1;
    const double off = numbers->slope / base;
    const double most = one_bit(port) ? SLOPE_OFF : SLOPE_OFF_QAM;
    struct doctor_cost cost;
    char words[100];

    if (!slope_known(numbers) || (off < most && off > 1 / most) ||
        (from && !slope_known(&from->numbers)))
        return;
    cost = cost_of(port, numbers->worth, (struct doctor_worth){numbers->as_is, 1});
    cost.short_db = cost.long_db; /* it is of decoders that know the scale, or of none */
    say(port, DOCTOR_SCALE, cost,
        "LLRs are %.3g times too %s for their scale of %g: %s where a decoder uses it (log-map, "
        "spa, "
        "thresholds)",
        off < 1 ? 1 / off : off, off < 1 ? "large" : "small",
        port->frame.llr_scale > 0 ? port->frame.llr_scale : 1,
        cost_text(cost, words, sizeof words));
}

/* ---- Quantising ---- */

/* 1, 1.5, 2, 3, 4, 6, 8, ... and their halves */
static double step_of(int i)
{
    return ldexp(i & 1 ? 1.5 : 1, i >> 1);
}

#define STEPS 48

/* A scale in the middle of those that lose as little as the best, 0 if there is none, and what it
   costs. */
static int right_scale(const struct doctor_port *from, double most, double *scale,
                       struct doctor_cost *cost, struct diag *diag)
{
    const double unit = from->frame.llr_scale > 0 ? from->frame.llr_scale : 1;
    struct doctor_cost costs[STEPS];
    double least = INFINITY;
    int low = STEPS, high = 0;

    for (int i = 0; i < STEPS; i++) {
        struct doctor_worth left;
        if (doctor_quantised(&from->levels, step_of(i - STEPS / 2) * unit, most, &left, diag))
            return -1;
        costs[i] = cost_of(from, from->numbers.worth, left);
        least = fmin(least, larger(costs[i]));
    }
    for (int i = 0; i < STEPS; i++)
        if (larger(costs[i]) < least + FINE_DB) {
            low = i < low ? i : low;
            high = i;
        }
    *scale = low > high ? 0 : step_of((low + high) / 2 - STEPS / 2);
    *cost = low > high ? unknown : costs[(low + high) / 2];
    return 0;
}

static void blame_scale(struct doctor_port *port, double scale, struct doctor_cost cost)
{
    const struct doctor_numbers *numbers = &port->numbers;
    const bool large = port->set_scale > scale;
    const double share = (double)(large ? numbers->limited : numbers->zero) / (double)numbers->n;
    const double off = large ? port->set_scale / scale : scale / port->set_scale;
    const char *type = fecrun_type_name(port->frame.type);
    char words[100];
    struct doctor_verdict *verdict = say(
        port, large ? DOCTOR_SATURATED : DOCTOR_COARSE, cost,
        "%.*f %% %s at %s: scale %g is %.3g times too %s, %s; right is llr.quantize: {type: %s, "
        "scale: %g}",
        share < 0.1 ? 1 : 0, 100 * share, large ? "saturated" : "are 0", type, port->set_scale, off,
        large ? "large" : "small", cost_text(cost, words, sizeof words), type, scale);

    if (verdict) {
        verdict->scale = scale;
        verdict->type = type;
    }
}

static int judge_quantiser(const struct doctor *doctor, struct doctor_port *port, struct diag *diag)
{
    const struct doctor_port *from = before(doctor, port);
    struct doctor_cost cost, best;
    double scale;

    if (!from->levels.n)
        return 0;
    cost = cost_of(from, from->numbers.worth, port->numbers.worth);
    if (!(larger(cost) > LOSS_DB))
        return 0;
    if (right_scale(from, port->frame.llr_max, &scale, &best, diag))
        return -1;
    if (scale > 0 && larger(cost) > larger(best) + LOSS_DB)
        blame_scale(port, scale, cost);
    return 0;
}

/* ---- What is lost otherwise ---- */

static void judge_loss(const struct doctor *doctor, struct doctor_port *port)
{
    const struct doctor_port *from = before(doctor, port);
    const double most = from || one_bit(port) ? LOSS_DB : LOSS_DB_QAM;
    const struct doctor_worth ideal = {port->allowed, port->numbers.worth.exponent};
    const struct doctor_worth worth = from ? from->numbers.worth : ideal;
    const struct doctor_cost cost = cost_of(port, worth, port->numbers.worth);
    char words[100];

    if (has(port, DOCTOR_SATURATED) || has(port, DOCTOR_COARSE) || !(cost.long_db > most) ||
        (from && (from->frame.items != port->frame.items || from->numbers.punctured)))
        return;
    say(port, DOCTOR_LOSS, from ? cost : (struct doctor_cost){cost.long_db, cost.long_db},
        "%.3f bit of %.3f come through: %s", port->numbers.worth.information, worth.information,
        cost_text(from ? cost : (struct doctor_cost){cost.long_db, cost.long_db}, words,
                  sizeof words));
}

/* Of LLRs whose bits nobody knows. */
static void judge_alone(const struct doctor *doctor, struct doctor_port *port)
{
    const struct doctor_numbers *numbers = &port->numbers;
    const double limited = (double)numbers->limited / (double)(numbers->n ? numbers->n : 1);

    if (limited <= 0.01 || had(doctor, port, DOCTOR_SATURATED))
        return;
    if (port->quantiser)
        say(port, DOCTOR_SATURATED, unknown,
            "%.*f %% saturated at %s: scale %g is too large, if the channel is a noisy one",
            limited < 0.1 ? 1 : 0, 100 * limited, fecrun_type_name(port->frame.type),
            port->set_scale);
    else
        say(port, DOCTOR_SATURATED, unknown,
            "%.*f %% saturated at the limit of %g: recorded with too large a scale, if the channel "
            "is a noisy one",
            limited < 0.1 ? 1 : 0, 100 * limited, port->frame.llr_max);
}

int doctor_judge(struct doctor *doctor, size_t number, struct diag *diag)
{
    struct doctor_port *port = &doctor->ports[number];
    const struct doctor_numbers *numbers = &port->numbers;

    if (numbers->zero == numbers->n) {
        if ((numbers->n || numbers->punctured) && !had(doctor, port, DOCTOR_SILENT))
            say(port, DOCTOR_SILENT, unknown, "all LLRs are 0");
        return 0;
    }
    if (numbers->bad)
        say(port, DOCTOR_SILENT, unknown, "%llu of %llu LLRs are no numbers",
            (unsigned long long)numbers->bad, (unsigned long long)numbers->n);
    if (port->sent_stage < 0) {
        judge_alone(doctor, port);
        return 0;
    }
    if (had_wrong_signs(doctor, port))
        return 0;
    judge_inversion(port);
    judge_order(port);
    judge_relation(port);
    if (port->n_verdicts)
        return 0;
    if (port->quantiser && judge_quantiser(doctor, port, diag))
        return -1;
    if (!port->n_verdicts)
        judge_scale(doctor, port);
    judge_loss(doctor, port);
    return 0;
}
