/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that appear when they are complete: names, modes, links, orphans, two writers at once. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fecrun/sdk/replace.h>

#include "t/lib/tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int refused; /* flock() fails with it; 0: it is the system's */

int flock(int fd, int how)
{
    if (!refused)
        return (int)syscall(SYS_flock, fd, how);
    errno = refused;
    return -1;
}

static char dir[] = "/tmp/replace-XXXXXX", name[64];

static const char *slurp(const char *path)
{
    static char text[256];
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;

    text[n] = '\0';
    if (file)
        fclose(file);
    return file ? text : NULL;
}

static void spit(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    fputs(text, file);
    fclose(file);
}

static int count_files(void)
{
    DIR *d = opendir(dir);
    int n = 0;

    for (struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static void put(struct fecrun_replace *file, const char *text)
{
    ok(write(file->fd, text, strlen(text)) == (ssize_t)strlen(text), "write %s", text);
}

static void test_place(void)
{
    struct fecrun_replace file;
    struct stat st;

    ok(!fecrun_replace_open(&file, name), "a new file");
    put(&file, "one");
    ok(!slurp(name), "is not there yet");
    ok(!fecrun_replace_commit(&file, ""), "commit");
    fecrun_replace_drop(&file);
    is_str(slurp(name), "one", "then it is");
    chmod(name, 0664);
    fecrun_replace_open(&file, name);
    put(&file, "two");
    fecrun_replace_drop(&file);
    is_str(slurp(name), "one", "dropped: the old one stays");
    fecrun_replace_open(&file, name);
    put(&file, "three");
    ok(!fecrun_replace_commit(&file, ".part"), "under a longer name");
    fecrun_replace_drop(&file);
    is_str(slurp(name), "one", "the old one stays");
    fecrun_replace_open(&file, name);
    put(&file, "four");
    fecrun_replace_commit(&file, "");
    fecrun_replace_drop(&file);
    fecrun_replace_drop(&file);
    ok(!stat(name, &st) && (st.st_mode & 0777) == 0664, "a replaced file keeps its mode");
    is_int(count_files(), 2, "nothing else is left");
}

static void test_others(void)
{
    struct fecrun_replace a, b, zero = {0};
    char link_name[80], orphan[96], others[96];
    struct stat st;

    fecrun_replace_drop(&zero);
    ok(fcntl(0, F_GETFD) >= 0 || errno == EBADF, "zeroed: nothing is closed");
    snprintf(link_name, sizeof link_name, "%s/link", dir);
    ok(!symlink(name, link_name) && !fecrun_replace_open(&a, link_name), "through a link");
    put(&a, "five");
    ok(!fecrun_replace_open(&b, name), "a second writer");
    put(&b, "six");
    ok(!fecrun_replace_commit(&a, "") && !strcmp(slurp(name), "five"), "the first is done");
    ok(!fecrun_replace_commit(&b, "") && !strcmp(slurp(name), "six"), "the last one counts");
    fecrun_replace_drop(&a);
    fecrun_replace_drop(&b);
    ok(!lstat(link_name, &st) && S_ISLNK(st.st_mode), "the link stays one");
    unlink(link_name);

    snprintf(orphan, sizeof orphan, "%s.12345-0.tmp", name);
    snprintf(others, sizeof others, "%s.12345-0x.tmp", name);
    spit(orphan, "of a dead process");
    spit(others, "of somebody else");
    fecrun_replace_open(&a, name);
    ok(access(orphan, F_OK), "an orphan goes");
    ok(!access(others, F_OK), "what only looks like one stays");
    fecrun_replace_open(&b, name);
    ok(!access(a.temporary, F_OK), "one that is being written is none");
    fecrun_replace_drop(&a);
    fecrun_replace_drop(&b);
    unlink(others);
}

static void test_failures(void)
{
    struct fecrun_replace file;
    char none[80];

    snprintf(none, sizeof none, "%s/none/x", dir);
    errno = 0;
    ok(fecrun_replace_open(&file, none) && errno == ENOENT, "no directory");
    ok(fecrun_replace_open(&file, dir) && errno == EISDIR, "a directory");
    ok(!fecrun_replace_open(&file, "/dev/null") && !file.temporary, "a device is written to");
    ok(!fecrun_replace_commit(&file, ""), "and closed");
    fecrun_replace_drop(&file);
    fecrun_replace_open(&file, name);
    unlink(file.temporary);
    ok(fecrun_replace_commit(&file, "") && errno == ENOENT, "its temporary is gone");
    fecrun_replace_drop(&file);
    is_str(slurp(name), "six", "the old file is not");
}

/* A lock that another process has is a reason for another name; one that the system refuses is none. */
static void test_refused_lock(void)
{
    struct fecrun_replace file;
    const int before = count_files();

    refused = EIO;
    ok(fecrun_replace_open(&file, name) && errno == EIO && file.fd < 0, "no lock: an error");
    is_int(count_files(), before, "and no temporary stays");
    refused = ENOLCK;
    ok(!fecrun_replace_open(&file, name), "a file system without locks");
    refused = 0;
    fecrun_replace_drop(&file);
    is_int(count_files(), before, "leaves nothing either");
}

int main(void)
{
    char command[64];

    if (!mkdtemp(dir))
        bail("mkdtemp");
    snprintf(name, sizeof name, "%s/file", dir);
    umask(022);
    test_place();
    test_others();
    test_failures();
    test_refused_lock();
    snprintf(command, sizeof command, "rm -r %s", dir);
    ok(!system(command), "the directory goes");
    return done_testing();
}
