/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif
#include "tools/fecrun/probed.h"

#include "tools/fecrun/remember.h"

#include <dlfcn.h>
#include <errno.h>
#include <fecrun/sdk/stage.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*
 * Lines of the file, each with a time and the key of all that is asked:
 *     TIME KEY came NUMBERS PATH<tab>NUMBERS PATH<tab>...   the child came back, with these files loaded
 *     TIME KEY asks PID                                     a process asks them itself
 *     TIME KEY done PID                                     and was not ended by that
 */
enum { LINE = 16384, ASKING = 64 };

/* Processes that began to ask and did not say more. */
struct asking {
    size_t n;
    long pid[ASKING];
};

/* ---- What is asked ---- */

static uint64_t add_text(uint64_t key, const char *text)
{
    return fecrun_digest(key, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* The start of the machine, and where else its libraries may come from. */
static uint64_t machine_key(void)
{
    char boot[64] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    uint64_t key;

    if (file && !fgets(boot, sizeof boot, file))
        boot[0] = 0;
    if (file)
        fclose(file);
    key = add_text(0, boot);
    key = add_text(key, getenv("LD_LIBRARY_PATH"));
    return add_text(key, getenv("LD_PRELOAD"));
}

static uint64_t key_of(const struct probe *probes, size_t n)
{
    uint64_t key = machine_key();

    for (size_t i = 0; i < n; i++) {
        const struct probe *q = &probes[i];
        const void *asked = q->backend ? (const void *)q->backend : (const void *)q->provider;
        Dl_info info;
        key = fecrun_digest(key, &q->device, sizeof q->device);
        key = add_text(key, q->backend ? q->backend->name : q->provider->name);
        key = add_text(key, dladdr(asked, &info) ? info.dli_fname : NULL);
    }
    return key;
}

/* ---- What is remembered of it ---- */

/* Are the files of this line as they were? Cuts it to pieces. */
static bool same_files(char *list)
{
    char *rest = NULL, fields[REMEMBER_FIELDS];
    size_t n = 0;

    for (char *one = strtok_r(list, "\t\n", &rest); one; one = strtok_r(NULL, "\t\n", &rest), n++) {
        const char *path = strchr(one, '/');
        struct stat st;
        if (!path || stat(path, &st))
            return false;
        remember_fields(fields, &st);
        if (strlen(fields) != (size_t)(path - one) || strncmp(fields, one, strlen(fields)))
            return false;
    }
    return n > 0;
}

static void begin(struct asking *asking, long pid)
{
    if (asking->n < ASKING)
        asking->pid[asking->n++] = pid;
}

static void end(struct asking *asking, long pid)
{
    for (size_t i = 0; i < asking->n; i++)
        if (asking->pid[i] == pid)
            asking->pid[i--] = asking->pid[--asking->n];
}

/* Did one of them end without a word? */
static bool any_died(const struct asking *asking)
{
    for (size_t i = 0; i < asking->n; i++)
        if (kill((pid_t)asking->pid[i], 0) && errno == ESRCH)
            return true;
    return asking->n == ASKING;
}

/* What a line of that key says. */
static void take_line(const char *what, char *files, struct asking *asking)
{
    if (!strncmp(what, "came ", 5)) {
        snprintf(files, LINE, "%s", what + 5);
        asking->n = 0;
    } else if (!strncmp(what, "asks ", 5)) {
        begin(asking, strtol(what + 5, NULL, 10));
    } else if (!strncmp(what, "done ", 5)) {
        end(asking, strtol(what + 5, NULL, 10));
    }
}

static bool recall(uint64_t key, char *line, char *files)
{
    FILE *file = remember_read("probed");
    struct asking asking = {0};

    files[0] = 0;
    while (file && fgets(line, LINE, file)) {
        char *rest;
        const long long age = (long long)time(NULL) - strtoll(line, &rest, 10);
        if (strchr(rest, '\n') && age >= 0 && age <= REMEMBER_DAY &&
            strtoull(rest, &rest, 16) == key && *rest++ == ' ')
            take_line(rest, files, &asking);
    }
    if (file)
        fclose(file);
    return files[0] && !any_died(&asking) && same_files(files);
}

/* What is not written is asked in a child again. */
static bool write_line(uint64_t key, const char *what, const char *more)
{
    FILE *file = remember_add("probed");
    bool written;

    if (!file)
        return false;
    written = fprintf(file, "%lld %016" PRIx64 " %s %s\n", (long long)time(NULL), key, what, more) >
              0;
    return !fclose(file) && written;
}

static bool write_pid(uint64_t key, const char *what)
{
    char pid[32];

    snprintf(pid, sizeof pid, "%ld", (long)getpid());
    return write_line(key, what, pid);
}

bool probed_trusts(void *data, const struct probe *probes, size_t n)
{
    const uint64_t key = key_of(probes, n);
    char *room = malloc(2 * (size_t)LINE);
    const bool trusts = room && recall(key, room, room + LINE) && write_pid(key, "asks");

    (void)data;
    free(room);
    return trusts;
}

/* Paths, a line each, as the file has them: each with its numbers. False: one is not there. */
static bool describe_files(const char *files, char *line, size_t size)
{
    size_t used = 0;

    while (*files) {
        const int n = (int)strcspn(files, "\n");
        char path[PATH_MAX], fields[REMEMBER_FIELDS];
        struct stat st;
        snprintf(path, sizeof path, "%.*s", n, files);
        if (stat(path, &st) || strchr(path, '\t'))
            return false;
        remember_fields(fields, &st);
        used += (size_t)snprintf(line + used, size - used, "%s%s\t", fields, path);
        if (used >= size)
            return false;
        files += n + 1;
    }
    return used > 0;
}

void probed_asked(void *data, const struct probe *probes, size_t n, const char *files)
{
    const uint64_t key = key_of(probes, n);
    char *line = malloc(LINE);

    (void)data;
    if (!files)
        write_pid(key, "done");
    else if (line && describe_files(files, line, LINE - 64))
        write_line(key, "came", line);
    free(line);
}
