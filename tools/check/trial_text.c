/* SPDX-License-Identifier: BSD-2-Clause */
/* Describes a trial as text. */
#include "tools/check/trial.h"

#include "tools/check/check_impl.h"

#include <stdio.h>

static const char *form_text(const struct fecrun_form *form, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s>%s", form->n_in ? fecrun_type_name(form->in[0].type) : "none",
             form->n_out ? fecrun_type_name(form->out[0].type) : "none");
    return buffer;
}

const char *trial_text(const struct trial *t, char *buffer, size_t size)
{
    char frames[160], form[40];

    snprintf(buffer, size, "%.400s, %s, %s, %llu frames, form %s%s%s%s%s", t->variant->point->text,
             check_variant_text(t->variant, frames, sizeof frames),
             check_pattern_name(t->job->pattern), (unsigned long long)t->frames,
             form_text(t->form, form, sizeof form), t->tune[0] ? ", tune " : "", t->tune,
             t->variant->in[0].stream && t->call.first == 0 ? ", start of the stream" : "",
             t->call.info.flags ? ", info set before" : "");
    return buffer;
}

bool trial_fail(const struct trial *t, unsigned group, const char *what, const char *why)
{
    char text[700];

    return check_fail(t->work->check->report, group, "%s: %s: %s", trial_text(t, text, sizeof text),
                      what, why);
}
