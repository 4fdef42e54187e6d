/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/diag.h"
#include "t/lib/tap.h"

static const char *const known[] = {"viterbi.decode", "channel.awgn", "ebn0_db", "code",
                                    "iterations",     "cuda",         "q",       NULL};

static void test_fail(void)
{
    struct diag d = {0};

    is_int(diag_fail(NULL, DIAG_RUN, "lost"), -1, "no diagnostic is fine");
    is_int(diag_fail(&d, DIAG_USAGE, "%s: %d", "first", 1), -1, "a failure is -1");
    is_int(d.status, DIAG_USAGE, "status is kept");
    is_str(d.text, "first: 1", "text is formatted");
    diag_fail(&d, DIAG_RUN, "second");
    diag_fail_at(&d, DIAG_RUN, (struct mark){"f", 1, 1}, "third");
    is_str(d.text, "first: 1", "the first error wins");
    is_int(d.status, DIAG_USAGE, "with its status");
}

static void test_place(void)
{
    struct diag a = {0}, b = {0}, c = {0};

    diag_fail_at(&a, DIAG_USAGE, (struct mark){"x.yaml", 3, 14}, "seed: bad");
    is_str(a.text, "x.yaml:3:14: seed: bad", "file, line and column");
    diag_fail_at(&b, DIAG_USAGE, (struct mark){"x.yaml", 0, 0}, "seed: bad");
    is_str(b.text, "x.yaml: seed: bad", "line 0: only the file");
    diag_fail_at(&c, DIAG_USAGE, (struct mark){0}, "seed: bad");
    is_str(c.text, "seed: bad", "no file: only the text");
}

static void test_hostile(void)
{
    struct diag d = {0}, e = {0}, f = {0};
    char big[4096], file[4096];

    diag_fail(&d, DIAG_USAGE, "key \x1b[31m\nred\x7f");
    is_str(d.text, "key \\x1b[31m red\\u007f", "control characters are shown");
    for (size_t i = 0; i + 2 < sizeof big; i += 2)
        memcpy(big + i, "\xc3\xa9", 3);
    diag_fail(&e, DIAG_USAGE, "%s", big);
    ok(strlen(e.text) >= 1021 && strlen(e.text) % 2 == 0, "a cut leaves whole characters");
    memset(file, 'f', sizeof file - 1);
    file[sizeof file - 1] = '\0';
    diag_fail_at(&f, DIAG_USAGE, (struct mark){file, 1, 2}, "reason");
    ok(strstr(f.text, "...: reason") != NULL, "a long file name does not hide the reason");
}

static void test_nearest(void)
{
    char hint[96], longer[200];

    is_str(diag_nearest("viterbi.decod", known), "viterbi.decode", "a letter is missing");
    is_str(diag_nearest("viterib.decode", known), "viterbi.decode", "two letters are swapped");
    is_str(diag_nearest("CODE", known), "code", "case does not matter");
    is_str(diag_nearest("ebn0", known), "ebn0_db", "a beginning");
    is_str(diag_nearest("cude", known), "code", "the first of equals");
    is_str(diag_nearest("turbo", known), NULL, "nothing near");
    is_str(diag_nearest("p", known), NULL, "one letter is near nothing");
    is_str(diag_nearest("", known), NULL, "an empty name");
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    is_str(diag_nearest(longer, known), NULL, "a long name");
    is_str(diag_hint(hint, sizeof hint, "iteration", known), " (did you mean iterations?)",
           "a hint");
    is_str(diag_hint(hint, sizeof hint, "zzz", known), "", "no hint");
}

int main(void)
{
    test_fail();
    test_place();
    test_hostile();
    test_nearest();
    return done_testing();
}
