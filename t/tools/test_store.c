/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When the files of a journal, and their names, are forced to the disk, and what a file does that another
 * process removes. fsync() and closedir() are this program's own.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include "tools/fecrun/journal/store.h"

#include "core/base/cpu.h"
#include "t/lib/tap.h"

#include <dirent.h>
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    unsigned files, dirs, parents;
    ino_t file;         /* that was synced last */
    unsigned lines;     /* in it by then */
    unsigned names;     /* in the directory J when that was synced last */
    bool head_had_name; /* when the first file was synced */
} synced;

static unsigned count_names(const char *path)
{
    DIR *dir = opendir(path);
    unsigned n = 0;

    for (struct dirent *entry; dir && (entry = readdir(dir));)
        n += entry->d_name[0] != '.';
    if (dir)
        closedir(dir);
    return n;
}

static unsigned count_lines(int fd)
{
    char path[64], text[1 << 14];
    FILE *file;
    unsigned n = 0;

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    file = fopen(path, "r");
    while (file && fgets(text, sizeof text, file))
        n++;
    if (file)
        fclose(file);
    return n;
}

int fsync(int fd)
{
    struct stat st, parent;

    if (fstat(fd, &st) || stat(".", &parent))
        return -1;
    if (S_ISDIR(st.st_mode) && st.st_ino == parent.st_ino) {
        synced.parents++;
    } else if (S_ISDIR(st.st_mode)) {
        synced.dirs++;
        synced.names = count_names("J");
    } else {
        if (!synced.files++)
            synced.head_had_name = !access("J/pipeline.json", F_OK);
        synced.file = st.st_ino;
        synced.lines = count_lines(fd);
    }
    return 0;
}

int fdatasync(int fd)
{
    return fsync(fd);
}

/* Removed as soon as a directory has been listed. NULL: nothing is. */
static const char *remove_when_listed;

int closedir(DIR *dir)
{
    int (*const next)(DIR *) = (int (*)(DIR *))(uintptr_t)dlsym(RTLD_NEXT, "closedir");
    const int status = next(dir);

    if (remove_when_listed && unlink(remove_when_listed))
        bail("cannot remove %s", remove_when_listed);
    remove_when_listed = NULL;
    return status;
}

/* ---- A journal ---- */

static struct store store;
static struct diag why;

static void append(struct store_point *point, uint64_t first)
{
    struct range range = {.first = first, .counts.frames = 10, .counts.bits = 100};

    if (store_append(&store, point, &range, NULL, &why))
        bail("store_append: %s", why.text);
}

static void begin(json_t *identity)
{
    store.writer = json_pack("{s:{s:i}}", "stop", "frames", 100);
    if (store_open(&store, "J", identity, &why) || store_read(&store, &why))
        bail("store_open: %s", why.text);
    ok(synced.files == 1 && !synced.head_had_name,
       "pipeline.json has its name when it is on the disk");
    ok(synced.parents == 1, "the directory's own name is forced there");
    if (store_begin(&store, &why))
        bail("store_begin: %s", why.text);
    ok(synced.dirs == 1 && synced.names == 2, "then the names of both files are");
}

static void try_lines(void)
{
    json_t *set = json_object();
    struct store_point *point;
    struct stat own;
    double now;

    if (store_point(&store, set, NULL, &point, &why) || stat(store.files[store.own].path, &own))
        bail("store_point: %s", why.text);
    json_decref(set);
    now = cpu_seconds();
    ok(store.sync_at > now && store.sync_at <= now + 10, "lines are, within 10 seconds");
    append(point, 0);
    is_int(synced.files, 1, "not each by itself");
    store.sync_at = cpu_seconds() - 1e-3;
    append(point, 10);
    ok(synced.files == 2 && synced.file == own.st_ino && synced.lines == 3,
       "when the time is over all lines are, the new one too");
    now = cpu_seconds();
    ok(store.sync_at > now && store.sync_at <= now + 10 + 1, "the next time is 10 seconds later");
    append(point, 20);
    is_int(synced.files, 2, "not before");
    ok(!store_close(&store, &why) && synced.files == 3 && synced.lines == 4,
       "those that are left when the journal is closed");
}

/* Nothing new: a journal that is there already. */
static void try_again(json_t *identity)
{
    const unsigned files = synced.files, parents = synced.parents;

    if (store_open(&store, "J", identity, &why) || store_read(&store, &why))
        bail("store_open: %s", why.text);
    ok(synced.files == files && synced.parents == parents, "a journal that is there is only read");
    store_close(&store, NULL);
}

/* ---- Files of other processes ---- */

/* Makes a file of another process, with its first line alone. */
static void put_file(const char *path)
{
    FILE *file = fopen(path, "w");

    if (!file || fprintf(file, "{\"id\":\"%s\",\"stop\":{\"frames\":100}}\n", store.id) < 0 ||
        fclose(file))
        bail("cannot write %s", path);
}

static void open_again(const json_t *identity)
{
    why = (struct diag){0};
    if (store_open(&store, "J", identity, &why))
        bail("store_open: %s", why.text);
}

static bool can_read(void)
{
    const bool can = !store_read(&store, &why);

    if (!can)
        printf("# %s\n", why.text);
    return can;
}

static uint64_t lines_read(void)
{
    return store.n_points ? store.points[0]->ranges.n : 0;
}

/* identity: NULL as in merge, which only reads. */
static void try_removed(const json_t *identity, const char *who)
{
    static const char other[] = "J/other-1-00000000.jsonl";

    open_again(identity);
    put_file(other);
    remove_when_listed = other;
    ok(can_read(), "%s: a file that goes when it is listed has no lines", who);
    ok(!remove_when_listed && access(other, F_OK), "it went before it was opened");
    is_int(lines_read(), 3, "the lines of the other file are read");
    store_close(&store, NULL);

    open_again(identity);
    put_file(other);
    if (store_read(&store, &why) || unlink(other))
        bail("store_read: %s", why.text);
    ok(can_read() && lines_read() == 3, "%s: one that goes later has no further lines", who);
    put_file(other);
    ok(can_read(), "nor does it matter if it comes back");
    store_close(&store, NULL);

    open_again(identity);
    if (unlink(other) || symlink("nowhere", other))
        bail("cannot make %s", other);
    ok(store_read(&store, &why) && strstr(why.text, "cannot read J/other-1-00000000.jsonl"),
       "%s: a link that leads nowhere is an error", who);
    store_close(&store, NULL);
    if (unlink(other))
        bail("cannot remove %s", other);
}

int main(void)
{
    char dir[] = "/tmp/fecrun-store.XXXXXX";
    json_t *identity = json_pack("{s:i, s:[]}", "seed", 1, "pipeline");

    if (!mkdtemp(dir) || chdir(dir) || !identity)
        bail("mkdtemp");
    begin(identity);
    try_lines();
    try_again(identity);
    try_removed(identity, "run");
    try_removed(NULL, "merge");
    json_decref(identity);
    if (system("rm -rf J") || chdir("/") || rmdir(dir))
        bail("cannot remove %s", dir);
    return done_testing();
}
