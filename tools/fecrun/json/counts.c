/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/json/counts.h"

#include <stdio.h>

static const struct {
    const char *part, *whole; /* NULL: frames */
} pairs[] = {
    {"frame_errors", NULL}, {"failed", NULL},           {"undetected", NULL},
    {"bit_errors", "bits"}, {"block_errors", "blocks"},
};

static const char *const rates[] = {"ber", "ber_lo", "ber_hi", "fer", "fer_lo", "fer_hi", "bler"};

static bool pair_wrong(const json_t *object, const char *part, const char *whole, char *text,
                       size_t size)
{
    const json_t *few = json_object_get(object, part), *many = json_object_get(object, whole);

    if (!json_is_number(few) ||
        (json_number_value(few) >= 0 &&
         (!json_is_number(many) || json_number_value(few) <= json_number_value(many))))
        return false;
    if (json_is_number(many))
        snprintf(text, size, "%s is %.15g: must be 0 to %.15g, which is %s", part,
                 json_number_value(few), json_number_value(many), whole);
    else
        snprintf(text, size, "%s is %.15g: must be 0 or more", part, json_number_value(few));
    return true;
}

bool counts_wrong(const json_t *object, const char *frames, char *text, size_t size)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pair_wrong(object, pairs[i].part, pairs[i].whole ? pairs[i].whole : frames, text, size))
            return true;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        const json_t *rate = json_object_get(object, rates[i]);
        const double value = json_is_number(rate) ? json_number_value(rate) : 0;
        if (!(value >= 0 && value <= 1)) {
            snprintf(text, size, "%s is %g: must be 0 to 1", rates[i], value);
            return true;
        }
    }
    return false;
}
