/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * faults SHIM FUNCTION STEP COMMAND...: runs the command with every STEP-th call of the function
 * failing, one in each run (t/doubles/fault). Whichever it is, the command
 *
 *     - ends with status 0, and its standard output is that of a run in which nothing fails,
 *     - or ends with status 1 and a message, and what it printed before are whole lines of that output.
 *
 * Times and speeds in the output do not count. FAULTS_FILE names a file that the command replaces:
 * before each run it says "old", and after one with status 1 it does so still, or it is whole. No temporary
 * file stays here or in a directory below. One check, TAP.
 */
#include "t/lib/tap.h"

#include <ctype.h>
#include <fcntl.h>
#include <glob.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 1 << 20, TOLD = 5 };

static char **command;
static const char *replaced;
static volatile uint64_t *count;

struct outcome {
    int status; /* of waitpid */
    char *out, *err, *file;
    bool leaves; /* a temporary file, which is gone now */
};

/* ---- One run ---- */

static char *slurp(const char *path)
{
    char *text = calloc(1, MOST);
    FILE *file = fopen(path, "r");

    if (text && file && fread(text, 1, MOST - 1, file) == MOST - 1)
        bail("%s is too long", path);
    if (file)
        fclose(file);
    return text ? text : (bail("out of memory"), NULL);
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (!file || fputs(text, file) < 0 || fclose(file))
        bail("cannot write %s", path);
}

static void redirect(const char *path, int to)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    if (fd < 0 || dup2(fd, to) < 0)
        _exit(99);
}

/* Blanks what depends on the clock. */
static void mask(char *text)
{
    static const char *const keys[] = {"\"seconds\":", "\"info_mbps\":"};

    for (size_t k = 0; k < 2; k++)
        for (char *p = strstr(text, keys[k]); p; p = strstr(p, keys[k]))
            for (p += strlen(keys[k]); isdigit((unsigned char)*p) || (*p && strchr("+-.e", *p));
                 p++)
                *p = '#';
}

static bool remove_temporaries(void)
{
    glob_t found = {0};
    size_t n;

    glob("*.tmp", 0, NULL, &found);
    glob("*/*.tmp", GLOB_APPEND, NULL, &found);
    glob("*/.*.tmp", GLOB_APPEND, NULL, &found);
    n = found.gl_pathc;
    for (size_t i = 0; i < n; i++)
        unlink(found.gl_pathv[i]);
    globfree(&found);
    return n;
}

static struct outcome run(const char *shim, const char *fault)
{
    struct outcome outcome;
    pid_t pid;

    count[0] = count[1] = 0;
    if (replaced)
        put(replaced, "old\n");
    fflush(stdout);
    pid = fork();
    if (!pid) {
        redirect("faults.out", STDOUT_FILENO);
        redirect("faults.err", STDERR_FILENO);
        setenv("LD_PRELOAD", shim, 1);
        setenv("FAULT", fault, 1);
        alarm(60); /* for ever is wrong, too */
        execv(command[0], command);
        _exit(99);
    }
    if (pid < 0 || waitpid(pid, &outcome.status, 0) != pid)
        bail("cannot run %s", command[0]);
    outcome.leaves = remove_temporaries();
    outcome.out = slurp("faults.out");
    outcome.err = slurp("faults.err");
    outcome.file = replaced ? slurp(replaced) : NULL;
    mask(outcome.out);
    if (replaced)
        mask(outcome.file);
    return outcome;
}

static void forget(struct outcome *outcome)
{
    free(outcome->out);
    free(outcome->err);
    free(outcome->file);
}

/* ---- What was printed ---- */

/* Numbers have as many digits as they like: '#' stands for any of them. */
static bool same_line(const char *a, const char *b)
{
    while (*a && *b && *a != '\n' && *b != '\n') {
        if (*a == '#' && *b == '#') {
            a += strspn(a, "#");
            b += strspn(b, "#");
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return (*a == '\n' || !*a) && *a == *b;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');

    return end ? end + 1 : line + strlen(line);
}

static bool said_in_line(const char *line, const char *what)
{
    const char *found = strstr(line, what);

    return found && found < next_line(line);
}

/* Are all lines those of the reference, from its first one on? A line that says how it ended is, and so is a
   point of which only a part was counted, as it says itself. */
static bool begins(const char *out, const char *reference, bool whole)
{
    while (*out && *reference && same_line(out, reference)) {
        out = next_line(out);
        reference = next_line(reference);
    }
    if (whole)
        return !*out && !*reference;
    if (!strncmp(out, "{\"type\":\"point\"", 15) && said_in_line(out, "\"stop\":\"error\""))
        out = next_line(out);
    return !*out || !strcmp(out, "{\"type\":\"end\",\"status\":1}\n");
}

static const char *wrong(const struct outcome *o, const struct outcome *reference)
{
    static char text[64];
    int status = WIFEXITED(o->status) ? WEXITSTATUS(o->status) : -1;

    if (status < 0)
        snprintf(text, sizeof text, "signal %d", WTERMSIG(o->status));
    else if (status > 1)
        snprintf(text, sizeof text, "status %d", status);
    else if (!begins(o->out, reference->out, !status))
        snprintf(text, sizeof text, "status %d with other output", status);
    else if (status && strncmp(o->err, "fecrun: ", 8) && !strstr(o->err, "\nfecrun: "))
        snprintf(text, sizeof text, "status %d without a message", status);
    else if (o->leaves)
        snprintf(text, sizeof text, "status %d, and a temporary file stays", status);
    else if (replaced && !(status && !strcmp(o->file, "old\n")) &&
             !begins(o->file, reference->file, true))
        snprintf(text, sizeof text, "status %d, and %.30s is another", status, replaced);
    else
        return NULL;
    return text;
}

static void map_count(void)
{
    char zero[16] = {0};
    int fd = open("faults.count", O_RDWR | O_CREAT | O_TRUNC, 0600);
    void *map;

    if (fd < 0 || write(fd, zero, sizeof zero) != sizeof zero)
        bail("cannot write faults.count");
    map = mmap(NULL, sizeof zero, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        bail("cannot map faults.count");
    count = map;
    setenv("FAULT_COUNT", "faults.count", 1);
}

static struct outcome plain_run(const char *shim, const char *name)
{
    char fault[64];
    struct outcome o;

    snprintf(fault, sizeof fault, "%s:0", name);
    o = run(shim, fault);
    if (o.status)
        bail("%s fails by itself: %s", command[0], o.err);
    return o;
}

int main(int argc, char **argv)
{
    unsigned bad = 0, runs = 0, failed = 0;
    struct outcome reference;
    unsigned long step, calls;

    if (argc < 5)
        bail("usage: faults SHIM FUNCTION STEP COMMAND...");
    command = argv + 4;
    replaced = getenv("FAULTS_FILE");
    step = strtoul(argv[3], NULL, 10);
    map_count();
    reference = plain_run(argv[1], argv[2]);
    calls = count[0];
    for (unsigned long n = 1; n <= calls; n += step) {
        char fault[64];
        const char *why;
        struct outcome o;
        snprintf(fault, sizeof fault, "%s:%lu", argv[2], n);
        o = run(argv[1], fault);
        why = wrong(&o, &reference);
        runs++;
        failed += o.status != 0;
        if (why && bad++ < TOLD)
            diag("%s: %s: %.300s", fault, why, o.err);
        forget(&o);
    }
    diag("%lu calls of %s: %u runs, %u end with status 1, %u are wrong", calls, argv[2], runs,
         failed, bad);
    ok(calls && !bad, "%s %s: no failing %s prints anything wrong", argv[5], argv[6], argv[2]);
    forget(&reference);
    return 0;
}
