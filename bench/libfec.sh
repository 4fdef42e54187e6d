#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# libfec's functions as fecrun has them (tools/libfec) beside the true ones of Debian's libfec-dev, one
# program built with each, by turns, on one core: bench/libfec.sh [BUILD_DIR]. LIBFEC names the
# directory of an unpacked libfec-dev (default: /). Writes its section of results/viterbi.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../build}" && pwd)
FECRUN=$build/fecrun
. "$here/lib.sh"
root=${LIBFEC:-}
ROUNDS=${ROUNDS:-3}

lib=$(find "$root/usr/lib" -name libfec.a 2>/dev/null | head -n 1)
[ -n "$lib" ] || { echo "no libfec.a: install libfec-dev, or unpack it and set LIBFEC" >&2; exit 1; }
${CC:-cc} -O2 -I"$root/usr/include" -o "$work/true" "$here/libfec.c" "$lib"
${CC:-cc} -O2 -I"$here/../tools/libfec" -o "$work/ours" "$here/libfec.c" \
    -L"$build/tools/libfec/.libs" -lfecrun-fec -Wl,-rpath-link,"$build/run/.libs"
LD_LIBRARY_PATH=$build/tools/libfec/.libs:$build/run/.libs
FECRUN_PLUGIN_PATH=$(echo "$build"/lib/fecrun/[0-9]*)
export LD_LIBRARY_PATH FECRUN_PLUGIN_PATH

for round in $(seq "$ROUNDS"); do
    note "round $round of $ROUNDS"
    "$work/true" >"$work/one"
    sed 's/^/libfec /' "$work/one"
    for isa in avx512 avx2; do
        FECRUN_ISA=$isa "$work/ours" >"$work/one"
        sed "s/^/$isa /" "$work/one"
    done
done >"$work/all"

{
    echo "## libfec's functions"
    echo
    echo "\`bench/libfec.sh\`: \`tools/libfec\` beside the true libfec (Debian's, 1.0-26-gc5d935f)."
    echo "One program is built with each and run in turn, on one core. Information bits of CPU time, the best of $ROUNDS rounds of nine."
    echo "Frames of 4096 bits. \"Wrong\": bits of the same frames. libfec is compiled for any x86-64."
    echo
    machine
    echo "Load of the machine after the run: $(cut -d ' ' -f 1 /proc/loadavg), $(nproc) processors."
    echo
    echo "| Mb/s | libfec | one frame at a time | many at once | wrong: libfec / fecrun |"
    echo "| --- | --- | --- | --- | --- |"
    awk '
        { key = $1 " " $2; n[$2] = $6; wrong[key] = $5
          if ($3 > one[key]) one[key] = $3
          if ($4 > many[key]) many[key] = $4 }
        END {
            split("viterbi27 viterbi29 viterbi39 viterbi615", names, " ")
            split("avx512 avx2", isas, " ")
            for (i = 1; i <= 4; i++)
                for (j = 1; j <= 2; j++) {
                    c = names[i]; t = one["libfec " c]; k = isas[j] " " c
                    printf "| %s, %s | %.3g | %.3g (x %.1f) | %.3g (x %.0f) | %d / %d of %d |\n", c, isas[j], t,
                        one[k], one[k] / t, many[k], many[k] / t, wrong["libfec " c], wrong[k], n[c]
                }
        }' "$work/all"
} >"$work/text"
put_section libfec <"$work/text"
