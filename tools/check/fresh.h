/* SPDX-License-Identifier: BSD-2-Clause */
/* One call in a process that has made no other code object. */
#ifndef FECRUN_CHECK_FRESH_H
#define FECRUN_CHECK_FRESH_H

#include "tools/check/check.h"

#include <sys/types.h>

struct check_fresh {
    pid_t pid;
    int fd;
};

/* Forks it; to be called before the first plan(), create() or run(). check is what it works with. */
void check_fresh_start(struct check_fresh *fresh, const struct check *check);
/* plan(), create() and run() there, once for each process. 0; or -1, and the text of what failed in
   err. The result is the caller's to free after both. */
int check_fresh_run(struct check_fresh *fresh, const struct check_variant *variant,
                    const struct fecrun_form *form, const struct check_input *input,
                    const struct check_call *call, struct check_result *result,
                    struct fecrun_error *err);
/* Waits for its end. */
void check_fresh_end(struct check_fresh *fresh);

#endif
