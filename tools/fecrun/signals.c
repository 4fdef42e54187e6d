/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/signals.h"

#include "core/base/diag.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile int stopped;
static int64_t first; /* when, in ms; 0: not yet */
static bool terminal; /* somebody waits for an answer */

static void tell(const char *text)
{
    while (write(STDERR_FILENO, text, strlen(text)) < 0 && errno == EINTR)
        continue;
}

/* Batch systems and timeout(1) send a signal to a process and to its group, so it comes twice. */
static void on_signal(int number)
{
    const int reason = errno;
    struct timespec now;
    int64_t ms, before = 0;

    (void)number;
    clock_gettime(CLOCK_MONOTONIC, &now);
    ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + 1;
    __atomic_store_n(&stopped, 1, __ATOMIC_RELAXED);
    if (__atomic_compare_exchange_n(&first, &before, ms, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        if (terminal)
            tell("\nfecrun: stopping; a second signal ends at once, without results\n");
    } else if (ms - before >= 1000) {
        tell("fecrun: ended at once by a second signal; results are lost, and temporary files may "
             "be left\n");
        _exit(DIAG_RUN);
    }
    errno = reason;
}

const volatile int *signals_flag(void)
{
    return &stopped;
}

/* Without SA_RESTART: a read that waits for input ends. What nohup, or a shell in the background,
   has made us ignore stays so. */
volatile int *signals_catch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal}, old;

    terminal = isatty(STDERR_FILENO);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(&action.sa_mask, numbers[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!sigaction(numbers[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    return &stopped;
}
