/* SPDX-License-Identifier: BSD-2-Clause */
/* Values of parameters as JSON, and the result of a search for one of them. */
#include "tools/fecrun/result_impl.h"

#include "core/value/conf.h"

#include <stdlib.h>
#include <string.h>

json_t *result_text(const char *text)
{
    json_t *json = json_string(text);
    char *ascii;

    if (json || !(ascii = strdup(text)))
        return json;
    for (char *p = ascii; *p; p++) {
        if ((unsigned char)*p >= 0x80)
            *p = '?';
    }
    json = json_string(ascii);
    free(ascii);
    return json;
}

json_t *result_value(const char *text)
{
    int64_t integer;
    double real;

    if (!strcmp(text, "true") || !strcmp(text, "false"))
        return json_boolean(text[0] == 't');
    if (conf_int(text, &integer))
        return json_integer(integer);
    if (conf_float(text, &real))
        return json_real(real);
    return result_text(text);
}

static json_t *others_of(const struct result_found *found)
{
    json_t *set = json_object();
    char name[256];

    for (size_t i = 0; i < found->others.n; i++) {
        const struct pipeline_sweep *sweep = &found->others.sweeps[i];
        snprintf(name, sizeof name, "%s.%s", sweep->stage, sweep->param);
        json_object_set_new(set, name, result_value(point_value(&found->others, i)));
    }
    return set;
}

json_t *found_json(const struct result_found *found)
{
    const struct pipeline_sweep *sweep = found->sweep;
    const bool known = found->found.known;

    return json_pack("{s:s, s:o, s:o, s:f, s:o, s:o, s:o, s:b, s:I}", "type", "found", "set",
                     others_of(found), "parameter",
                     json_sprintf("%s.%s", sweep->stage, sweep->param),
                     sweep->find_ber ? "ber" : "fer", sweep->find_rate, "value",
                     known ? json_real(found->found.at) : json_null(), "lo",
                     known ? json_real(found->found.low) : json_null(), "hi",
                     known ? json_real(found->found.high) : json_null(), "sure", found->found.sure,
                     "points", (json_int_t)found->points);
}

void found_print(FILE *stream, const struct result_found *found)
{
    const struct pipeline_sweep *sweep = found->sweep;
    const char *rate = sweep->find_ber ? "BER" : "FER";

    fprintf(stream, "%s %g: ", rate, sweep->find_rate);
    for (size_t i = 0; i < found->others.n; i++)
        fprintf(stream, "%s.%s %s, ", found->others.sweeps[i].stage, found->others.sweeps[i].param,
                point_value(&found->others, i));
    fprintf(stream, "%s.%s ", sweep->stage, sweep->param);
    if (found->found.known && found->found.sure)
        fprintf(stream, "%.3f dB, 95 %%: %.3f .. %.3f\n", found->found.at, found->found.low,
                found->found.high);
    else if (found->found.known)
        fprintf(stream,
                "%.3f dB, but only to 95 %%: %.3f .. %.3f after %zu points; more errors a point "
                "(stop.frame_errors) tell more\n",
                found->found.at, found->found.low, found->found.high, found->points);
    else if (found->found.above)
        fprintf(stream, "not found: the %s is larger even at %s\n", rate,
                sweep->values[sweep->count - 1]);
    else
        fprintf(stream, "not found: the %s is smaller even at %s\n", rate, sweep->values[0]);
}
