/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sigaltstack */
#endif
#include "tools/fecrun/crash.h"

#include "core/base/diag.h"
#include "core/base/sanitized.h"
#include "core/plugin/calling.h"
#include "tools/fecrun/result_impl.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t over;

static void put(const char *text)
{
    size_t left = strlen(text);

    while (left) {
        ssize_t n = write(STDERR_FILENO, text, left);
        if (n < 0 && errno != EINTR)
            return;
        left -= n > 0 ? (size_t)n : 0;
        text += n > 0 ? n : 0;
    }
}

/* Only what may be called in a signal handler. */
static void report(const struct call_place *calling, const char *what)
{
    const char *kept;

    put("fecrun: ");
    put(calling->stage);
    put(": the plugin ");
    put(what);
    put(" in ");
    put(calling->what);
    put("(): ");
    put(calling->path);
    for (size_t i = 0; (kept = output_rescue(i)); i++) {
        put(i ? ", " : "; what was done before is in ");
        put(kept);
    }
    put("\n");
}

static void at_exit(void)
{
    const struct call_place calling = calling_now();

    if (over)
        return;
    if (calling.stage)
        report(&calling, "ended the program");
    else
        put("fecrun: a plugin, or a library that it uses, ended the program\n");
    _exit(DIAG_RUN);
}

static const char *name_of(int number)
{
    return number == SIGSEGV  ? "crashed (segmentation fault)"
           : number == SIGBUS ? "crashed (bus error)"
           : number == SIGFPE ? "crashed (arithmetic error)"
           : number == SIGILL ? "crashed (illegal instruction)"
                              : "called abort()";
}

/* Where no plugin runs, the error is ours, and the system's to tell. */
static void on_crash(int number)
{
    const struct call_place calling = calling_now();

    if (!calling.stage) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    report(&calling, name_of(number));
    _exit(DIAG_RUN);
}

#ifndef SANITIZED
/* The handler's stack, one a thread: a thread's own may be what is at its end. */
static void use_another_stack(void)
{
    static _Thread_local char room[64 << 10];

    sigaltstack(&(stack_t){.ss_sp = room, .ss_size = sizeof room}, NULL);
}
#endif

/* A sanitizer knows more about a crash than we do. */
static void catch_crashes(void)
{
#ifndef SANITIZED
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};

    use_another_stack();
    calling_thread = use_another_stack;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
#else
    (void)on_crash;
#endif
}

void crash_watch(void)
{
    catch_crashes();
    if (atexit(at_exit))
        over = 1; /* then without */
}

void crash_over(void)
{
    over = 1;
}
