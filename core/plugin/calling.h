/* SPDX-License-Identifier: BSD-2-Clause */
/* Which function of a plugin runs in this thread. tools/fecrun/crash.c prints it after a crash. */
#ifndef FECRUN_PLUGIN_CALLING_H
#define FECRUN_PLUGIN_CALLING_H

#include <fecrun/plugin.h>

struct call_place {
    const char *stage; /* its id; NULL: no plugin's function runs */
    const char *what;  /* "run" */
    const char *path;  /* of the plugin */
};

/* A program's function, or NULL. Each thread calls it before its first call of a plugin. Set it before other threads. */
extern void (*calling_thread)(void);

/* The texts outlive the call. */
void calling_begin(const char *stage, const char *what, const char *path);
/* Ends the texts of the error, too, which the plugin may have filled to the last byte. May be NULL. */
void calling_end(struct fecrun_error *err);
/* May be asked in a signal handler. */
struct call_place calling_now(void);

#endif
