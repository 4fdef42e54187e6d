/* SPDX-License-Identifier: BSD-2-Clause */
/* Pipeline files of a test, as text. They are written to an empty directory that the program stands
   in, so that messages begin with "p.yaml:LINE:COLUMN: ". */
#ifndef T_LIB_YAML_H
#define T_LIB_YAML_H

#include "run/file/pipeline.h"
#include "t/lib/tap.h"

#include <unistd.h>

static char yaml_dir[] = "/tmp/fecrun-t-XXXXXX";

static TAP_UNUSED void yaml_leave(void)
{
    unlink("p.yaml");
    if (chdir("/") || rmdir(yaml_dir))
        diag("%s is left", yaml_dir);
}

/* "p.yaml" with that text. */
static TAP_UNUSED const char *yaml_file(const char *text)
{
    static bool entered;
    FILE *file;

    if (!entered && (!mkdtemp(yaml_dir) || chdir(yaml_dir) || atexit(yaml_leave)))
        bail("cannot make %s", yaml_dir);
    entered = true;
    file = fopen("p.yaml", "w");
    if (!file || fputs(text, file) == EOF || fclose(file))
        bail("cannot write p.yaml");
    return "p.yaml";
}

/* NULL: refused, and d says why. sets may be NULL. */
static TAP_UNUSED struct pipeline *yaml_load(const char *text, const char *const *sets,
                                             struct diag *d)
{
    struct pipeline_options options = {.sets = sets};
    struct pipeline *pipeline;

    *d = (struct diag){0};
    return pipeline_load(&pipeline, yaml_file(text), &options, d) ? NULL : pipeline;
}

#endif
