#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Whole simulations on one core beside those of AFF3CT, in turn: Mb/s of CPU time, frame error rates beside.
#
#     AFF3CT=DIR AFF3CT_BUILD=DIR bench/links-aff3ct.sh [BUILD_DIR]
#
#   AFF3CT        its checkout, with the submodules in lib/
#   AFF3CT_BUILD  its build, with -DAFF3CT_COMPILE_STATIC_LIB=ON -DAFF3CT_PREC=8 -DCMAKE_BUILD_TYPE=Release
#                 -DCMAKE_CXX_FLAGS="-funroll-loops -march=native -faligned-new"
#   ROUNDS        in turn, of which the fastest counts (default: 5)
#   CORE          the core's number (default: 0)
# and FECRUN, REPORT, COMMIT, QUICK as in lib.sh.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../build}" && pwd)
FECRUN=$build/fecrun
. "$here/lib.sh"
ROUNDS=${ROUNDS:-5} CORE=${CORE:-0}
: "${AFF3CT:?the checkout of AFF3CT}" "${AFF3CT_BUILD:?the build of AFF3CT}"
LD_LIBRARY_PATH=$build/run/.libs
FECRUN_PLUGIN_PATH=$(echo "$build"/lib/fecrun/[0-9]*)
export LD_LIBRARY_PATH FECRUN_PLUGIN_PATH
[ -z "$QUICK" ] || ROUNDS=1

${CC:-cc} -O2 -std=gnu11 -c -o "$work/row.o" "$here/latency/row.c"
# Without its packing of bits, which it does not have for AVX-512.
${CXX:-c++} -std=c++14 -O3 -funroll-loops -march=native -faligned-new -DNDEBUG -DAFF3CT_8BIT_PREC -w -I"$AFF3CT/include" \
    -I"$AFF3CT/src" -I"$AFF3CT/lib/MIPP/src" -I"$AFF3CT/lib/cli/src" -I"$AFF3CT/lib/rang/include" \
    -I"$AFF3CT/lib/date/include" -o "$work/theirs" "$here/links/aff3ct.cc" "$work/row.o" "$AFF3CT_BUILD"/lib/libaff3ct*.a -lpthread

# pipeline BITS ENCODER EBN0 DECODER FRAMES
pipeline() {
    printf 'fecrun: 1\nseed: 60\npipeline:\n  - source.random: {bits: %s}\n  - %s\n' "$1" "$2"
    printf '  - modem.map: {scheme: bpsk}\n  - channel.awgn: {ebn0_db: %s}\n  - modem.demap: {}\n' "$3"
    printf '  - llr.quantize: {type: i8, scale: 8}\n  - %s\n  - sink.errors: {}\n' "$4"
    printf 'stop: {frames: %s, frame_errors: 1000000000}\n' "$5"
}

# ours ISA BITS FRAMES: Mb/s and frame error rate of $work/link.yaml.
ours() {
    (
        FECRUN_ISA=$1 taskset -c "$CORE" "$FECRUN" run "$work/link.yaml" --threads 1 --quiet --json "$work/json"
        times
    ) >"$work/times"
    sed -n '2s/^\([0-9]*\)m\([0-9.]*\)s.*/\1 \2/p' "$work/times" |
        awk -v bits="$2" -v frames="$3" -v fer="$(fields "$work/json" point fer)" '{
            took = 60 * $1 + $2
            printf "%.1f %s\n", bits * frames / (took > 0 ? took : 1e-3) / 1e6, fer # QUICK: less than the clock can tell
        }'
}

# most <lines "MB/S FER": the fastest.
most() { sort -k1,1nr | head -n 1; }

# row NAME BITS LLRS EBN0 FRAMES ENCODER DECODER WORDS
row() {
    note "$1"
    pipeline "$2" "$6" "$4" "$7" "$([ "$QUICK" ] && echo 2000 || echo "$5")" >"$work/link.yaml"
    pipeline "$2" "$6" "$4" "$7" 200 | sed '/modem\|channel\|quantize\|decode/d; s/- sink.errors: {}/- sink.file: {path: words.raw}/' \
        >"$work/words.yaml"
    rm -f "$work/words.raw"
    "$FECRUN" run "$work/words.yaml" --quiet
    row_frames=$(sed -n 's/.*frames: \([0-9]*\),.*/\1/p' "$work/link.yaml")
    row_words="$8 block=$2 frame=$3 ebn0=$4 quantizer=6,2 words=$work/words.raw seconds=$([ "$QUICK" ] && echo 1 || echo 3)"
    for _ in $(seq "$ROUNDS"); do
        for row_isa in avx512 avx2; do ours $row_isa "$2" "$row_frames" >>"$work/$row_isa"; done
        for row_zero in 0 1; do
            # shellcheck disable=SC2086
            taskset -c "$CORE" "$work/theirs" $row_words zero=$row_zero | awk '{ print $3, $2 / $1 }' >>"$work/zero$row_zero"
        done
    done
    for row_of in avx512 avx2 zero0 zero1; do
        most <"$work/$row_of"
        rm "$work/$row_of"
    done | awk -v name="$1" '
        { mb[NR] = $1; their[NR] = $2 }
        END {
            printf "| %s | **%.0f** | **%.0f** | %.0f | %.0f | %.2f | %.2f | %.3g | %.3g |\n", name, mb[1], mb[2], mb[3], mb[4],
                mb[1] / mb[3], mb[1] / mb[4], their[1], their[4]
        }' >>"$work/table"
    tail -n 1 "$work/table" >&2
}

polar='code: plain, n: 1024, k: 512'
row 'polar (1024, 512), sc, 3 dB' 512 1024 3 400000 "polar.encode: {$polar}" "polar.decode: {$polar, algorithm: sc}" family=polar
row 'turbo K = 6144, 6 iterations, 0.7 dB' 6144 18444 0.7 8000 'turbo.encode: {k: 6144}' 'turbo.decode: {k: 6144, iterations: 6}' \
    'family=turbo iterations=6'
{
    echo "## Whole simulations beside AFF3CT"
    echo
    machine
    echo "Load of the machine after the run: $(cut -d ' ' -f 1 /proc/loadavg), $(nproc) processors."
    echo "AFF3CT: $(git -C "$AFF3CT" describe --tags --always 2>/dev/null || basename "$AFF3CT")."
    echo
    echo "Made by \`bench/links-aff3ct.sh\`$([ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'): Mb/s of CPU time of one core, noise included, the fastest of $ROUNDS in turn."
    echo "AFF3CT has 8 bits, 64 frames side by side, its fast modules, and the LTE scaling of extrinsic LLRs. \"Zero word\":"
    echo "the word of zeros is sent, without source and encoder. We send random bits in both comparisons."
    echo
    echo "| | AVX-512 | AVX2 | AFF3CT | its zero word | multiple | of the zero word | FER | AFF3CT's |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    cat "$work/table"
} | put_section links-aff3ct
