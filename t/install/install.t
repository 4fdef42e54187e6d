#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# An installed fecrun: the program, a plugin built outside of the tree, a program with libfecrun.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

# What is installed, and how others build with it, are the same with a sanitizer, but for files that it leaves out.
[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "the build without a sanitizer is the one that is installed"
command -v pkg-config >/dev/null 2>&1 || skip_all "no pkg-config"
[ -f "$top_builddir/Makefile" ] || skip_all "no build directory"
D=$T/root
run make -s -C "$top_builddir" install DESTDIR="$D"
is 0 "make install"
[ "$status" = 0 ] || { done_testing; }
find "$D" -type f -o -type l | sed "s|^$D||" | sort >installed
program=$D$(grep '/bin/fecrun$' installed)
plugins=$(dirname "$D$(grep '/fecrun/[0-9]*/chain\.so$' installed)")
manual="doc/fecrun/stages/ldpc.decode.md man/man1/fecrun.1 man/man1/fecrun-check.1
    man/man5/fecrun-pipeline.5 bash-completion/completions/fecrun
    zsh/site-functions/_fecrun fish/vendor_completions.d/fecrun.fish"
ok "no libtool file beside the plugins" sh -c '! grep "fecrun/[0-9]*/.*\.la$" installed'
ok "no static plugin" sh -c '! grep "fecrun/[0-9]*/.*\.a$" installed'
for file in include/fecrun/plugin.h include/fecrun/fecrun.h include/fecrun/sdk/params.h \
    pkgconfig/fecrun.pc pkgconfig/fecrun-plugin.pc conf/quickstart.yaml doc/fecrun/plugin-guide.md doc/fecrun/examples/decode.c doc/fecrun/examples/waterfall.py \
    pkgconfig/fecrun-fec.pc include/fecrun/fec.h $manual; do
    ok "$file" grep -q "/$file\$" installed
done

# The tree was moved (to DESTDIR), and the program finds its plugins beside itself.
FECRUN=$program
run "$program" list
is 0 "the installed program"
prints "^  chain .*$plugins/chain.so" "finds the plugins installed with it"
for so in "$plugins"/*.so; do
    ok "$(basename "$so") exports one symbol" \
        [ "$(nm -D --defined-only "$so" 2>/dev/null | awk '$2 != "A" { print $3 }')" = fecrun_plugin ]
done

# ---- A plugin built outside of the tree ----
PKG_CONFIG_PATH=$(dirname "$D$(grep 'pkgconfig/fecrun.pc' installed)")
PKG_CONFIG_SYSROOT_DIR=$D
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
mkdir plugin
cp "$top_srcdir"/t/install/outoftree/* plugin
run make -s -C plugin CC="$CC"
is 0 "a plugin builds with pkg-config alone"
cat >p.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 100}
  - repeat.encode: {times: 5}
  - channel.bsc: {p: 0.1}
  - llr.quantize: {type: i8, scale: 10}
  - repeat.decode: {times: 5}
  - sink.errors: {}
stop: {frames: 1000}
END
refuses 2 'unknown stage .repeat.encode' run p.yaml
FECRUN_PLUGIN_PATH=$T/plugin
export FECRUN_PLUGIN_PATH
run "$program" list
prints '^  repeat .*/plugin/repeat.so' "FECRUN_PLUGIN_PATH"
run "$program" run p.yaml --json - --quiet
is 0 "it runs in a pipeline"
# 3 to 5 of 5 bits wrong: 0.00856; 100000 bits have 856 +- 29 of them
errors=$(sed -n 's/.*"bit_errors":\([0-9]*\).*/\1/p' out)
ok "and corrects errors: $errors of 100000 bits are wrong" \
    [ "${errors:-0}" -gt 700 ] && [ "${errors:-0}" -lt 1000 ]
prints '"repeat.decode":"backwards"' "with its second backend"
run "$program" run p.yaml --json - --quiet --backend ref
prints "\"bit_errors\":$errors," "the reference counts the same"
refuses 2 'repeat.decode.times=7: 500 LLRs arrive.*times is 7, but repeat.encode \(line 4\) has 5' \
    check p.yaml --set repeat.decode.times=7
refuses 2 'repeat.decode.times=1: 1, but repeat.encode \(line 4\) has 5' check p.yaml \
    --set repeat.decode.times=1
sed 's/repeat.decode: {times: 5}/repeat.decode: {}/' p.yaml >taken.yaml
run "$program" run taken.yaml --json - --quiet
prints "\"bit_errors\":$errors," "a shared parameter need not be written twice"
run "$program" describe repeat.decode
prints 'times .*1\.\.100.*default 3' "describe"
run "$program" bench p.yaml --batches 100 --json -
is 0 "bench"
check=$(dirname "$program")/fecrun-check
run "$check" --seconds 5 plugin/repeat.so
is 0 "fecrun-check on it"

# ---- What new-plugin writes, as a new user would go on with it ----
refuses 2 'Mine. is not a valid name of a plugin' new-plugin Mine
refuses 2 'plugin .ldpc. exists already: .*/ldpc.so' new-plugin ldpc
refuses 2 'new-plugin: needs NAME' new-plugin
refuses 2 'run: --cuda belongs to new-plugin' run p.yaml --cuda
# written NAME LANGUAGE COMPILER OPTION...: writes it, builds it without a warning, checks and runs it
written() {
    written=$1 language=$2 compiler=$3
    shift 3
    run "$program" new-plugin "$written" "$@"
    is 0 "new-plugin $written $*"
    ok "less than 200 lines of $language" [ "$(cat "$written"/* | wc -l)" -lt 200 ]
    if ! command -v "$compiler" >/dev/null 2>&1; then
        skip 5 "no $compiler"
        return
    fi
    run make -s -C "$written" "$language=$compiler" "${language}FLAGS=-O2 -Wall -Wextra -pedantic -Werror"
    is 0 "it builds"
    run "$program" describe "$written.decode" --plugin-dir "$written"
    prints '{times: 5}' "describe shows its example"
    run env PATH="$(dirname "$program"):$PATH" make -s -C "$written" run
    is 0 "make run"
    prints '^ *4.000 .* 1000 ' "a pipeline with it"
    run "$check" --seconds 2 "$written/$written.so"
    is 0 "fecrun-check on it"
}
written mine C "${CC%% *}"
written mine_too CXX "${CXX:-g++}" --cxx
refuses 2 'new-plugin: mine: File exists' new-plugin mine
run "$program" new-plugin mine_cuda --cuda
is 0 "new-plugin --cuda"
nvcc=${NVCC:-nvcc}
command -v "$nvcc" >/dev/null 2>&1 || nvcc=/usr/local/cuda/bin/nvcc
if command -v "$nvcc" >/dev/null 2>&1; then
    run make -s -C mine_cuda NVCC="$nvcc"
    is 0 "it builds"
    run "$program" describe mine_cuda.decode --plugin-dir mine_cuda
    prints '^ *cuda ' "a backend for devices"
    ok "exports one symbol" \
        [ "$(nm -D --defined-only mine_cuda/mine_cuda.so | awk '{ print $3 }')" = fecrun_plugin ]
else
    skip 3 "no nvcc"
fi

# ---- A plugin in C++ ----
CXX=${CXX:-g++}
sdk=$(dirname "$D$(grep 'include/fecrun/sdk/params.h' installed)")
if command -v "$CXX" >/dev/null 2>&1; then
    (cd "$sdk/../.." && ls fecrun/*.h fecrun/sdk/*.h) | sed 's/.*/#include <&>/' >all.cc
    for std in c++11 c++20; do
        run "$CXX" -std=$std -Wall -Wextra -pedantic -Werror -fsyntax-only -I "$sdk/../.." all.cc
        is 0 "all headers are $std"
        rm -f plugin/hamming.so
        run make -s -C plugin hamming.so CXX="$CXX" STD=$std
        is 0 "a plugin in $std builds"
        ok "without a warning" [ ! -s err ]
        run "$program" list
        prints '^  hamming .*/plugin/hamming.so' "it is found"
        if [ -x "$check" ]; then
            run "$check" --seconds 1 plugin/hamming.so
            is 0 "fecrun-check on it"
        fi
    done
    cat >hamming.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 400}
  - hamming.encode: {}
  - hamming.decode: {}
  - sink.errors: {}
stop: {frames: 250}
END
    run "$program" run hamming.yaml --json - --quiet
    is 0 "it runs in a pipeline"
    prints '"frames":250,"bits":100000,"bit_errors":0' "and gives back what was encoded"
else
    skip 1 "no C++ compiler"
fi

# ---- A program with libfecrun ----
run sh -c '$CC -o host plugin/host.c $(pkg-config --cflags --libs fecrun)'
is 0 "a program builds with pkg-config fecrun"
lib=$(dirname "$D$(grep '/libfecrun\.so$' installed)")
LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH # the tree was moved: plugins are those beside the library
cp "$D$(grep 'conf/quickstart.yaml' installed)" quickstart.yaml
run ./host quickstart.yaml stop.frames=64
is 0 "it runs the quickstart"
prints '^1 dB: 64 of 64 frames wrong, frames$' "its first point"
prints '^7 points with fecrun' "all points"
run ./host p.yaml
is 0 "and the plugin"
prints "of 1000 frames wrong" "its point"
run ./host nowhere.yaml
is 2 "a message for a missing file"
prints 'status 2: nowhere.yaml: No such file' "its text"
run ./host quickstart.yaml viterbi.decode.code=x
prints 'status 2: --set viterbi.decode.code=x: must be one of' "a message for a wrong option"
ok "libfecrun exports fecrun_* only" sh -c \
    '! nm -D --defined-only "$0" | awk "\$2 != \"A\" { print \$3 }" | grep -v "^fecrun_"' \
    "$D$(grep '/libfecrun\.so$' installed)"
# The example of doc/embedding.md
cp "$top_srcdir/doc/examples/decode.c" .
run sh -c '$CC -Wall -Wextra -Werror -o decode decode.c $(pkg-config --cflags --libs fecrun)'
is 0 "a program that decodes from memory builds"
run ./decode 3 10
is 0 "it runs"
prints '^0 of 3000 bits wrong$' "and decodes"
run ./decode 1 1 viterbi.decode.code=x
says '^decode: --set viterbi.decode.code=x: must be one of' "or says why not"

# A program written for libfec, which knows nothing of fecrun
cat >fec.c <<END
#include <fec.h>
#include <stdio.h>
int main(void)
{
    unsigned char symbols[2 * (64 + 6)] = {0}, data[8] = {1};
    void *vp = create_viterbi27(64);
    int i, ones = 0;

    if (!vp || init_viterbi27(vp, 0) || update_viterbi27_blk(vp, symbols, 70) ||
        chainback_viterbi27(vp, data, 64, 0))
        return 1;
    for (i = 0; i < 8; i++)
        ones += data[i];
    delete_viterbi27(vp);
    printf("%d\\n", ones);
    return 0;
}
END
run sh -c '$CC -Wall -Wextra -Werror -o fec fec.c $(pkg-config --cflags --libs fecrun-fec) -Wl,-rpath-link,"$0"' "$lib"
is 0 "a program written for libfec builds"
run ./fec
is 0 "it runs"
prints '^0$' "and decodes"
ok "libfecrun-fec exports libfec's names and fecrun_*" sh -c \
    '! nm -D --defined-only "$0" | awk "\$2 != \"A\" { print \$3 }" |
        grep -Ev "^(create|set|init|update|chainback|delete|decode)_viterbi|^fecrun_"' \
    "$D$(grep '/libfecrun-fec\.so$' installed)"

# C++ of each age, without a warning
cat >host.cc <<END
#include <fecrun/fecrun.h>
#include <cstring>
int main()
{
    static const char text[] = "{fecrun: 1, pipeline: [source.random: {bits: 8}, sink.errors],"
                               " stop: {frames: 3}}";
    fecrun_message message = {};
    fecrun_session *session = nullptr;

    message.size = sizeof message;
    if (fecrun_open_text(&session, "text", text, std::strlen(text), nullptr, &message) ||
        fecrun_run(session, nullptr, &message))
        return message.status;
    fecrun_close(session);
    return 0;
}
END
for std in 11 14 17 20; do
    if command -v ${CXX:-c++} >/dev/null 2>&1; then
        run sh -c "${CXX:-c++} -std=c++$std -Wall -Wextra -Wpedantic -Werror -o host.cc$std host.cc \
            \$(pkg-config --cflags --libs fecrun)"
        is 0 "a C++$std program builds"
        run ./host.cc$std
        is 0 "and runs"
    else
        skip 2 "no C++ compiler"
    fi
done

unset FECRUN_PLUGIN_PATH
run make -s -C "$top_builddir" uninstall DESTDIR="$D"
is 0 "make uninstall"
ok "leaves nothing" [ -z "$(find "$D" -type f)" ]
done_testing
