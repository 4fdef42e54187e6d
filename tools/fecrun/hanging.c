/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/hanging.h"

#include "tools/fecrun/probed.h"
#include "tools/fecrun/remember.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A line is: time, numbers of the file, tab, path, tab, reason. */
static bool recall(void *data, const char *file_path, const struct stat *st, char *reason,
                   size_t size)
{
    char path[PATH_MAX], line[PATH_MAX + 1024], fields[REMEMBER_FIELDS];
    const size_t n = strlen(file_path);
    bool found = false;
    FILE *file = remember_read("hanging");

    (void)data;
    if (!file || !remember_path(path, sizeof path, "hanging"))
        return false;
    remember_fields(fields, st);
    while (!found && fgets(line, sizeof line, file)) {
        char *rest, *end = strchr(line, '\n');
        const long long age = (long long)time(NULL) - strtoll(line, &rest, 10);

        if (!end || age < 0 || age > REMEMBER_DAY || *rest++ != ' ' ||
            strncmp(rest, fields, strlen(fields)))
            continue;
        rest += strlen(fields);
        *end = 0;
        found = *rest == '\t' && !strncmp(rest + 1, file_path, n) && rest[1 + n] == '\t';
        if (found)
            snprintf(reason, size, "%s; not tried again before it changes, or %s is removed",
                     rest + 2 + n, path);
    }
    fclose(file);
    return found;
}

static void keep(void *data, const char *file_path, const struct stat *st, const char *reason)
{
    char fields[REMEMBER_FIELDS];
    FILE *file;

    (void)data;
    if (strchr(file_path, '\n') || strchr(file_path, '\t') || !(file = remember_add("hanging")))
        return;
    remember_fields(fields, st);
    fprintf(file, "%lld %s\t%s\t%s\n", (long long)time(NULL), fields, file_path, reason);
    fclose(file); /* what is not written is tried again */
}

const struct quarantine *hanging_quarantine(void)
{
    static struct quarantine_memory memory = {
        .recall = recall, .keep = keep, .trusts = probed_trusts, .asked = probed_asked};
    static const struct quarantine quarantine = {
        .data = &memory, .load = quarantine_load, .ask = quarantine_ask};

    return &quarantine;
}
