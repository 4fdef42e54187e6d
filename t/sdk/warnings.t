#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Tables of a plugin compile without a warning of -Wall and -Wextra, in C and C++, with GCC and Clang. The macros of
# fecrun/sdk/params.h are in code of others, who choose their own warnings.
. "$top_srcdir/t/lib/tap.sh"

cat >tables.c <<'EOF'
#include <fecrun/sdk/params.h>
#include <fecrun/sdk/stage.h>

static const char *const words[] = {"a", "b", NULL};
static const struct fecrun_old_choice *const old_words[] = {FECRUN_OLD_CHOICE(.old = "aa", .now = "a"), NULL};
static const struct fecrun_param *const params[] = {
    FECRUN_INT("times", 1, 9, .default_text = "3", .help = "how often"),
    FECRUN_FLOAT("alpha", 0.05, 1, .flags = FECRUN_PARAM_POINT, .help = "factor"),
    FECRUN_CHOICE("word", words, .help = "one of two", .old_choices = old_words),
    FECRUN_BOOL("stream", .default_text = "false", .help = "endless"),
    FECRUN_PARAM(.name = "path", .help = "a file"),
    NULL};
static const struct fecrun_port *const ports[] = {FECRUN_PORT(.name = "in", .kinds = FECRUN_KIND_LLR), NULL};
static const struct fecrun_example *const examples[] = {FECRUN_EXAMPLE(.params = "{times: 1}"), NULL};
static const struct fecrun_form *const forms[] = {
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_U8),
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_I8}, {.type = FECRUN_NONE}),
                FECRUN_OUT({.type = FECRUN_U8}, {.type = FECRUN_NONE})),
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = FECRUN_I8}), FECRUN_OUT({.type = FECRUN_U8})),
    NULL};
static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(.name = "ref", .summary = "s", .forms = forms), NULL};
const struct fecrun_stage *const stage = FECRUN_STAGE(
    .name = "t.s", .summary = "s", .params = params, .inputs = ports, .outputs = ports, .backends = backends,
    .examples = examples);
EOF
cp tables.c tables.cc
for compiler in gcc clang g++ clang++; do
    case $compiler in
    *++) language='-std=gnu++11 tables.cc' ;;
    *) language='-std=gnu11 tables.c' ;;
    esac
    if command -v $compiler >found; then
        run $compiler -Wall -Wextra -Werror -fsyntax-only "-I$top_srcdir/core/include" "-I$top_builddir/include" $language
        is 0 "$compiler -Wall -Wextra says nothing about a plugin's tables"
    else
        skip 1 "no $compiler here"
    fi
done

# What the guide and the plugins write in place of a port that a form does not have.
grep -rnE '\{ *FECRUN_NONE *\}' "$top_srcdir/core" "$top_srcdir/plugins" "$top_srcdir/t" "$top_srcdir/doc" \
    --include='*.[ch]' --include='*.md' >short
ok "no sample is written without the name of its field$(sed 's/^/: /' short)" [ ! -s short ]
done_testing
