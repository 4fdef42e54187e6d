#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The tree's layers: who may include whom, no circle of calls, and each header compiles alone.
. "$top_srcdir/t/lib/tap.sh"

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "sources are the same with a sanitizer"

# A folder, then those that its files may include besides their own and <fecrun/...>; FAMILY stands for
# any plugin, ENGINE for any folder there. All below code/ and ENGINE is one with it,
# as are the stages of plugins/chain.
core='core/base core/value core/plugin core/plan core/batch'
runs='run/file run/schedule run/session run/fleet run/sweep'
rules="core/base
core/value          core/base
core/plugin         core/base core/value
core/plan           core/base core/value core/plugin
core/batch          core/base core/value core/plugin core/plan
run/file            $core
run/schedule        $core
run/session         $core run/file run/schedule
run/fleet           $core run/file run/schedule run/session
run/sweep           $core run/file run/schedule run/session run/fleet
run/api             $core $runs
tools/fecrun/bench  $core $runs tools/fecrun/frames
tools/fecrun/cluster  $core $runs tools/fecrun/journal
tools/quarantine    core/base core/plugin
tools/cluster  tools/fecrun/cluster
tools/fecrun/doctor  $core $runs tools/fecrun/frames
tools/fecrun/frames  $core $runs
tools/fecrun/sync    $core $runs
tools/fecrun/journal  $core $runs tools/fecrun/json
tools/fecrun        $core $runs tools/fecrun/bench tools/fecrun/cluster tools/fecrun/doctor tools/fecrun/frames tools/fecrun/journal tools/fecrun/json tools/fecrun/html tools/fecrun/plot tools/fecrun/sync tools/quarantine
tools/fecrun/html  core/base tools/fecrun/json tools/fecrun/plot
tools/fecrun/json
tools/fecrun/plot  core/base run/schedule tools/fecrun/json
tools/fecrun/templates
tools/check         core/base core/value core/plugin tools/quarantine
tools/libfec
tools/bbdev
tools/gnuradio
tools/gnuradio/include/gnuradio/fecrun
tools/gnuradio/lib
plugins/common/files
plugins/common/absorbed  plugins/common/recover
plugins/common/checks
plugins/common/crc
plugins/common/gpu
plugins/common/recover  plugins/common/checks plugins/common/files
plugins/common/rtc
plugins/common/vec
plugins/common/words
plugins/FAMILY/code    plugins/common/crc plugins/common/words
plugins/FAMILY/encode  plugins/FAMILY plugins/FAMILY/code plugins/common/crc plugins/common/words
plugins/FAMILY/rate    plugins/FAMILY plugins/FAMILY/code plugins/common/recover
plugins/FAMILY/ref     plugins/FAMILY plugins/FAMILY/code plugins/FAMILY/encode plugins/common/checks
plugins/FAMILY/syndrome  plugins/FAMILY plugins/FAMILY/code plugins/FAMILY/code/read plugins/common/checks
plugins/FAMILY/syndrome/simd  plugins/FAMILY/syndrome plugins/common/vec
plugins/FAMILY/simd    plugins/FAMILY plugins/FAMILY/code plugins/FAMILY/simd/frame plugins/FAMILY/simd/several plugins/common/vec
plugins/FAMILY/simd/frame  plugins/FAMILY plugins/FAMILY/code plugins/common/vec plugins/common/words
plugins/FAMILY/simd/several plugins/FAMILY plugins/FAMILY/code plugins/FAMILY/simd/frame plugins/common/vec
plugins/FAMILY/cuda    plugins/FAMILY plugins/FAMILY/code plugins/FAMILY/cuda/ENGINE plugins/common/absorbed plugins/common/crc plugins/common/gpu plugins/common/rtc
plugins/FAMILY/cuda/ENGINE  plugins/FAMILY plugins/FAMILY/code plugins/FAMILY/rate plugins/FAMILY/cuda plugins/common/absorbed plugins/common/crc plugins/common/gpu plugins/common/recover
plugins/ldpc/cuda/quantize  plugins/ldpc/cuda/general
plugins/ldpc/cuda/rate  plugins/ldpc/cuda/encode
plugins/ldpc/cuda/shared  plugins/ldpc/cuda/registers
plugins/chain/cuda/kernels  plugins/chain/cuda/thread
plugins/chain/cuda  plugins/chain/seg
plugins/chain/cuda/thread  plugins/chain/seg
plugins/turbo/cuda/document  plugins/turbo/cuda/windows
plugins/turbo/cuda/single  plugins/turbo/cuda/windows
plugins/FAMILY         plugins/FAMILY/code plugins/FAMILY/encode plugins/FAMILY/rate plugins/common/checks plugins/common/crc plugins/common/files plugins/common/recover plugins/common/rtc plugins/common/words"

# includes TREE: the includes that no rule allows, and folders without a rule.
includes() (
    cd "$1" || exit 99
    find core run tools plugins -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.inc' | sort |
        awk -v rules="$rules" '
        function family(dir,    p) {
            if (dir !~ /^plugins\// || dir ~ /^plugins\/common/)
                return dir
            sub("^plugins/[^/]*", "plugins/FAMILY", dir)
            sub("/cuda/.*", "/cuda/ENGINE", dir)
            return dir
        }
        function unit(dir) {
            if (match(dir, "^plugins/[^/]*/(code|cuda/[^/]*)"))
                return substr(dir, 1, RLENGTH)
            sub("^plugins/chain/(channel|crc|modem|seg|sink|source)$", "plugins/chain", dir)
            return dir
        }
        function plugin(dir,    p) {
            split(dir, p, "/")
            return p[1] == "plugins" && p[2] != "common" ? p[2] : ""
        }
        BEGIN {
            n = split(rules, row, "\n")
            for (i = 1; i <= n; i++) {
                m = split(row[i], word, " ")
                known[word[1]] = 1
                for (k = 2; k <= m; k++)
                    may[word[1], word[k]] = 1
            }
            known["core/sdk"] = known["core/include/fecrun"] = 1
        }
        {
            dir = $0
            sub("/[^/]*$", "", dir)
            dir = unit(dir)
            from = family(dir)
            if (!(from in known)) {
                print $0 ": no rule says what this folder may include"
                next
            }
            while ((getline line <$0) > 0) {
                if (line !~ /^#[ \t]*include "[^"]*\//)
                    continue
                split(line, part, "\"")
                to = part[2]
                sub("/[^/]*$", "", to)
                to = unit(to)
                if (to != dir && ((!((from, family(to)) in may) && !((dir, to) in may)) ||
                                  (plugin(to) != "" && plugin(to) != plugin(dir))))
                    print $0 ": includes " part[2]
            }
            close($0)
        }'
)

# opened TREE: what sees the inside of exec, slot and layout above run/; of tools only bench times single calls.
opened() (
    cd "$1" && find tools -name '*.[ch]' ! -path 'tools/fecrun/bench/*' \
        -exec grep -HE '^#[ \t]*include "core/batch/' {} + | grep -vE '"core/batch/(line|times)\.h"'
    :
)

# deep TREE MOST: the sources of verbs from which more than MOST project headers are reached one through the
# other; then the largest depth of all.
deep() (
    cd "$1" && awk -v most="$2" '
        function depth(file,    line, part, list, n, i, d, max) {
            if (file in known)
                return known[file]
            while ((getline line <file) > 0)
                if (line ~ /^#[ \t]*include "[^"]*\//) {
                    split(line, part, "\"")
                    list[++n] = part[2]
                }
            close(file)
            for (i = 1; i <= n; i++)
                if ((d = 1 + depth(list[i])) > max)
                    max = d
            return known[file] = max + 0
        }
        BEGIN {
            for (i = 1; i < ARGC; i++) {
                if ((d = depth(ARGV[i])) > largest)
                    largest = d
                if (d > most)
                    print ARGV[i] ": " d
            }
            print "largest " largest
        }' tools/fecrun/*.c
)

# circles DIR...: where the objects below these folders call each other in a circle.
circles() {
    find "$@" -name '*.o' ! -path '*sdk*' -exec nm -A -P {} + 2>/dev/null |
        awk '
        {
            file = $1
            sub(":$", "", file)
            sub("/[.]libs/", "/", file)
            if ($3 == "T" || $3 == "D" || $3 == "R" || $3 == "B")
                owner[$2] = file
            else if ($3 == "U")
                use[file SUBSEP $2] = 1
        }
        END {
            for (u in use) {
                split(u, p, SUBSEP)
                if ((p[2] in owner) && owner[p[2]] != p[1] && p[2] != "main")
                    print p[1], owner[p[2]]
            }
        }' | tsort 2>&1 >/dev/null
}

# The last run printed nothing.
finds_nothing() {
    [ "$status" = 0 ] && [ ! -s out ] && [ ! -s err ]
    tap_check $? "$1"
}

run includes "$top_srcdir"
finds_nothing "no file includes what lies above it"

# The check itself: each kind of upward include, in a copy, is found.
mkdir tree
(cd "$top_srcdir" && tar cf - core run tools plugins) | (cd tree && tar xf -)
chmod -R u+w tree
includes tree >before

# plant FILE INCLUDED
plant() {
    printf '#include "%s"\n' "$2" >>"tree/$1"
    run includes tree
    [ "$(diff before out | sed -n 's/^> //p')" = "$1: includes $2" ]
    tap_check $? "finds $1: $2"
    cp "$top_srcdir/$1" "tree/$1"
    chmod u+w "tree/$1"
}

plant core/base/diag.c run/session/session.h
plant core/value/param.c core/plugin/registry.h
plant core/batch/exec.c run/schedule/schedule.h
plant run/file/pipeline.c run/sweep/sweep.h
plant run/fleet/fleet.c run/sweep/sweep.h
plant core/batch/exec.c tools/fecrun/report.h
plant tools/check/main.c core/plan/plan.h
plant plugins/ldpc/ref/decode.c plugins/ldpc/simd/simd.h
plant plugins/viterbi/simd/run.c plugins/ldpc/code/code.h
plant plugins/ldpc/cuda/registers/row.cuh plugins/ldpc/cuda/shared/work.h
plant plugins/ldpc/code/code.c plugins/ldpc/cuda/registers/plan.h
mkdir tree/core/new
echo >tree/core/new/new.c
run includes tree
prints '^core/new/new.c: no rule' "finds a folder without a rule"

run opened "$top_srcdir"
finds_nothing "no verb sees the inside of a batch"
echo '#include "core/batch/slot.h"' >tree/tools/fecrun/frames/new.h
run opened tree
prints '^tools/fecrun/frames/new.h:#include' "finds one that does"
run deep "$top_srcdir" 10
ok "a verb reaches at most 10 headers, one through the other: $(cat out)" [ "$(wc -l <out)" = 1 ]
for k in 1 2 3 4 5 6 7 8 9 10; do
    echo "#include \"tools/fecrun/deep$((k + 1)).h\"" >tree/tools/fecrun/deep$k.h
done
echo '#include "tools/fecrun/deep1.h"' >tree/tools/fecrun/new.c
echo >tree/tools/fecrun/deep11.h
run deep tree 10
prints '^tools/fecrun/new.c: 11$' "finds one that reaches 11"

# Circles of calls: who defines, who uses; tsort says where a loop is.
if command -v tsort >/dev/null 2>&1 && command -v nm >/dev/null 2>&1; then
    run circles "$top_builddir/core" "$top_builddir/run" "$top_builddir/tools"
    finds_nothing "no circle of calls"
    for plugin in chain cuda frame ldpc outer polar turbo viterbi; do
        run circles "$top_builddir/plugins/$plugin"
        finds_nothing "... in plugins/$plugin"
    done
    mkdir circle
    echo 'int g(int); int f(int x) { return g(x); }' >circle/f.c
    echo 'int f(int); int g(int x) { return x ? f(x - 1) : 0; }' >circle/g.c
    (cd circle && $CC -c f.c g.c) >/dev/null 2>&1
    run circles circle
    prints 'loop' "finds a circle"
else
    skip 2 "no nm or tsort"
fi

# ---- The core alone ----

# needs ARCHIVE: what its objects use and none of them defines, except those of libc, libm, libdl and libyaml.
needs() {
    nm -P "$1" 2>/dev/null | awk '
        $2 ~ /^[TDRBVWC]$/ { defined[$1] = 1 }
        $2 == "U" { used[$1] = 1 }
        END { for (s in used) if (!(s in defined)) print s }' | sort >undefined
    # a reference to each, linked with nothing but these libraries
    { echo .data; sed 's/^/.quad /' undefined; } >alone.s
    echo 'int main(void) { return 0; }' >alone.c
    $CC -no-pie alone.c alone.s -lyaml -ldl -lm -lpthread -o alone 2>&1 |
        sed -n "s/.*undefined reference to .\([a-zA-Z0-9_]*\).*/\1/p" | sort -u
}
archive=$top_builddir/core/.libs/libfecruncore.a
if [ -f "$archive" ] && command -v nm >/dev/null 2>&1; then
    run needs "$archive"
    finds_nothing "the core's archive needs nothing but libc and libyaml"
    ok "... and is looked at" [ "$(wc -l <undefined)" -gt 50 ]
    echo 'int session_open(void); int core(void) { return session_open(); }' >more.c
    (cp "$archive" more.a && $CC -c more.c && ar q more.a more.o) >/dev/null 2>&1
    run needs more.a
    prints '^session_open$' "finds what the core must not need"
else
    skip 3 "no archive of the core, or no nm"
fi

# ---- Sizes: lines of .c and .h ----

# lines DIR...
lines() { (cd "$top_srcdir" && find "$@" -name '*.[ch]' -exec cat {} +) | wc -l; }
core_lines=$(lines core/base core/value core/plugin core/plan core/batch)
run_lines=$(lines run)
echo "# core $core_lines, run $run_lines"
ok "core/ has at most 8300 lines: $core_lines" [ "$core_lines" -le 8300 ]
both=$((core_lines + run_lines))
ok "core/ and run/ have at most 17000 lines: $both" [ "$both" -le 17000 ]
api_lines=$(lines run/api)
ok "run/api/ has at most 1802 lines: $api_lines" [ "$api_lines" -le 1802 ]

# Each header alone. One without a guard is a template: who includes it defines its words.
headers() { (cd "$top_srcdir" && find core run tools plugins -name "$1" -exec grep -l '^#ifndef' {} + | sort); }

# Those that only CUDA compiles, with kernels or the types and functions of kernels in them; tests bring
# along for some what CUDA does.
only_cuda='plugins/ldpc/cuda/general/arith.h
plugins/ldpc/cuda/general/group.h
plugins/ldpc/cuda/general/block.h
plugins/ldpc/cuda/general/row.h
plugins/ldpc/cuda/quantize/block.h
plugins/turbo/cuda/document/thread.h
plugins/viterbi/cuda/grid.h
plugins/viterbi/cuda/general/input.h
plugins/viterbi/cuda/general/block.h
plugins/viterbi/cuda/general/steps.h
plugins/viterbi/cuda/general/trace.h'

include_flags="-I$top_srcdir/core/include -I$top_builddir/include"
for header in $(headers '*.h'); do
    more=
    case $header in
    tools/bbdev/*)
        more=$DPDK_CFLAGS
        [ -n "$more" ] || continue
        ;;
    tools/gnuradio/*) continue ;; # C++
    esac
    case "
$only_cuda
" in
    *"
$header
"*) continue ;;
    esac
    echo "#include \"$header\"" >alone.c
    run $CC -std=gnu11 -Wall -Wextra -Werror -fsyntax-only $include_flags -iquote "$top_srcdir" \
        $HEADER_CFLAGS $more alone.c
    is 0 "$header"
done
for header in $only_cuda $(headers '*.cuh'); do
    if grep -q 'FECRUN_CUDA 1' "$top_builddir/include/cuda_defs.h"; then
        echo "#include \"$header\"" >alone.cu
        run "$NVCC" -arch=compute_80 -ptx -o /dev/null --expt-relaxed-constexpr -DFECRUN_CUDA=1 $include_flags \
            -I"$top_srcdir" alone.cu
        is 0 "$header"
    else
        skip 1 "built without CUDA"
    fi
done
# Time that passes is taken from a clock that nobody sets; what o'clock it is only where a user reads it, or where
# something is remembered for the next day.
grep -rnE 'gettimeofday|CLOCK_REALTIME|[^a-z_]time\((NULL|0)\)' "$top_srcdir/core" "$top_srcdir/run" \
    "$top_srcdir/tools" "$top_srcdir/plugins" --include='*.[ch]' | grep -v 'tools/fecrun/\(progress\|hanging\|probed\).c' >clocks
ok "no time is measured by a clock that can be set$(sed 's/^/: /' clocks)" [ ! -s clocks ]
done_testing
