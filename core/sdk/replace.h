/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file that appears under its name when it is complete, in place of what was there: after a crash or
 * a power cut the name holds the old file or the whole new one. Until then it is
 * TARGET.PID-NUMBER.tmp, locked (flock), in the same directory; those of processes that are gone are
 * removed when their target is written the next time.
 */
#ifndef FECRUN_SDK_REPLACE_H
#define FECRUN_SDK_REPLACE_H

#ifdef __cplusplus
extern "C" {
#endif

struct fecrun_replace {
    int fd;          /* to write to; -1: none */
    char *target;    /* the file's name; a symbolic link was followed, so that it stays one */
    char *temporary; /* NULL: what exists is no regular file (a device, a pipe), written directly */
};

/* 0, or -1 and errno; then there is nothing to drop. A file that is replaced keeps its mode. */
int fecrun_replace_open(struct fecrun_replace *file, const char *path);
/* Puts the file in place, where it is on disk when this returns, and closes it. suffix: to the
   target's name, or "". -1 and errno: not in place, or perhaps not on disk yet. Then drop it. */
int fecrun_replace_commit(struct fecrun_replace *file, const char *suffix);
/* Removes what was not put in place, and frees; errno stays. Once more, or zeroed, is fine. */
void fecrun_replace_drop(struct fecrun_replace *file);

#ifdef __cplusplus
}
#endif

#endif
