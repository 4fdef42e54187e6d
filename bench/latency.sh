#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# One frame at a time on one core, as a live receiver decodes: the time of calls of fecrun_execute, AVX-512 and AVX2,
# into bench/results/latency.md. Frames are noisy and differ; the frame error rate of a sample stands beside. A minute:
# bench/latency.sh [BUILD_DIR]. Variables: see lib.sh, and CALLS (2001), ROWS (a grep -E pattern), CORE (the core's
# number).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../build}" && pwd)
FECRUN=$build/fecrun
. "$here/lib.sh"
CALLS=${CALLS:-2001} ROWS=${ROWS:-.} CORE=${CORE:-0}
[ -z "$QUICK" ] || CALLS=11
${CC:-cc} -O2 -std=gnu11 -I"$here/../core/include" -I"$build/include" -o "$work/latency" "$here/latency.c" \
    -L"$build/run/.libs" -lfecrun
LD_LIBRARY_PATH=$build/run/.libs
FECRUN_PLUGIN_PATH=$(echo "$build"/lib/fecrun/[0-9]*)
export LD_LIBRARY_PATH FECRUN_PLUGIN_PATH
: >"$work/table"

# row NAME BITS EBN0 MAX ENCODER DECODER [STAGE BEFORE THE ENCODER]: stages as "NAME: {...}"; "|" between several. MAX:
# the largest LLR.
row() {
    echo "$1" | grep -qE "$ROWS" || return 0
    note "$1"
    stages() { printf '%s\n' "$1" | tr '|' '\n' | sed 's/^ */  - /'; }
    {
        printf 'fecrun: 1\nseed: 5\npipeline:\n  - source.random: {bits: %s}\n' "$2"
        stages "$5"
        printf '  - modem.map: {scheme: bpsk}\n  - channel.awgn: {ebn0_db: %s}\n  - modem.demap: {}\n' "$3"
        printf '  - llr.quantize: {type: i8, max: %s, scale: auto}\n' "$4"
    } >"$work/link"
    {
        cat "$work/link"
        printf '  - sink.file: {path: llrs.raw}\nstop: {frames: 64}\n'
    } >"$work/make.yaml"
    rm -f "$work/llrs.raw"
    "$FECRUN" run "$work/make.yaml" --quiet
    {
        cat "$work/link"
        stages "$6"
        printf '  - sink.errors: {}\nstop: {frames: %s}\n' "$([ "$QUICK" ] && echo 64 || echo 2000)"
    } >"$work/errors.yaml"
    "$FECRUN" run "$work/errors.yaml" --quiet --json "$work/json" --backend auto --set in_flight=1
    row_items=$(($(wc -c <"$work/llrs.raw") / 64))
    {
        printf 'fecrun: 1\n%s\npipeline:\n  - source.memory: {dtype: i8, frame: %s, llr_max: %s}\n' "${7:-}" "$row_items" "$4"
        stages "$6"
        printf '  - sink.memory: {dtype: packed}\n'
    } >"$work/call.yaml"
    row_cells=
    for row_isa in avx512 avx2; do
        row_cells="$row_cells | $(FECRUN_ISA=$row_isa taskset -c "$CORE" "$work/latency" "$work/call.yaml" "$work/llrs.raw" 1 "$CALLS" |
            awk '{ printf "%s | **%s** | %s", $1, $2, $3 }')"
    done
    echo "| $1 $row_cells | $(fields "$work/json" point fer) |" >>"$work/table"
    tail -n 1 "$work/table" >&2
}

# own PASSES: the time of a call whose stages do nothing.
own() {
    own_name="fecrun_execute alone, $1 stage$([ "$1" = 1 ] || echo s)"
    echo "$own_name" | grep -qE "$ROWS" || return 0
    note "$own_name"
    [ -f "$build/t/doubles/fake/null.so" ] || make -s -C "$build" t/doubles/fake/null.so
    {
        printf 'fecrun: 1\npipeline:\n  - source.memory: {dtype: u1, frame: 8}\n'
        for own_i in $(seq "$1"); do printf '  - null.pass: {id: s%s}\n' "$own_i"; done
        printf '  - sink.memory: {}\n'
    } >"$work/call.yaml"
    head -c 512 /dev/zero >"$work/bits.raw"
    own_cells=
    for own_isa in avx512 avx2; do
        own_cells="$own_cells | $(FECRUN_PLUGIN_PATH=$FECRUN_PLUGIN_PATH:$build/t/doubles/fake FECRUN_ISA=$own_isa \
            taskset -c "$CORE" "$work/latency" "$work/call.yaml" "$work/bits.raw" 1 "$CALLS" 100 |
            awk '{ printf "%s | **%s** | %s", $1, $2, $3 }')"
    done
    echo "| $own_name $own_cells | - |" >>"$work/table"
    tail -n 1 "$work/table" >&2
}
own 1
own 3

k7='conv.encode: {code: ieee80211}'
for bits in 64 1000 4096; do
    row "Viterbi K = 7, rate 1/2, $bits bits, LLRs to 10" $bits 3 10 "$k7" 'viterbi.decode: {code: ieee80211}'
done
row 'the same, 4096 bits, LLRs to 127' 4096 3 127 "$k7" 'viterbi.decode: {code: ieee80211}'
row 'Viterbi K = 9, rate 1/2, 4096 bits' 4096 3 8 'conv.encode: {code: umts_r2}' 'viterbi.decode: {code: umts_r2}'
row 'Viterbi K = 7, rate 1/3, tail-biting, 43 bits' 43 3 10 'conv.encode: {code: lte_tbcc}' 'viterbi.decode: {code: lte_tbcc}'
polar='code: plain, n: 1024, k: 512, construction: nr'
row 'polar (1024, 512), sc' 512 3 127 "polar.encode: {$polar}" "polar.decode: {$polar, algorithm: sc}"
row 'polar (1024, 512), adaptive list 8, CRC 24C' 488 2.5 127 "crc.attach: {crc: 24c} | polar.encode: {$polar}" \
    "polar.decode: {$polar, algorithm: scl, list: 8, adaptive: true, crc: 24c} | crc.check: {crc: 24c}"
polar='code: plain, n: 128, k: 64, construction: nr'
row 'polar (128, 64), adaptive list 32, CRC 11' 53 2.5 127 "crc.attach: {crc: 11} | polar.encode: {$polar}" \
    "polar.decode: {$polar, algorithm: scl, list: 32, adaptive: true, crc: 11} | crc.check: {crc: 11}"
for k in 40 512 1024 6144; do
    row "turbo K = $k, 6 iterations, latency: low" $k 1.5 127 "turbo.encode: {k: $k}" \
        "turbo.decode: {k: $k, iterations: 6}" 'latency: low'
done
nr() { # NAME Z ROWS EBN0
    row "$1" $((22 * $2)) "$4" 127 "ldpc.encode: {code: nr, bg: 1, z: $2} | ldpc.rate_match: {bg: 1, z: $2, e: $(((20 + $3) * $2))}" \
        "ldpc.rate_recover: {bg: 1, z: $2} | ldpc.decode: {code: nr, bg: 1, z: $2, iterations: 10}"
}
nr 'NR LDPC BG1 z = 384, 46 rows, at most 10 iterations' 384 46 2
nr 'NR LDPC BG1 z = 384, 5 rows, at most 10 iterations' 384 5 4.5
nr 'NR LDPC BG1 z = 16, 46 rows, at most 10 iterations' 16 46 2
{
    echo "## One frame at a time"
    echo
    machine
    echo
    echo "Made by \`bench/latency.sh\`$([ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'): the time of a call of \`fecrun_execute\` with one frame on one core, in us: the"
    echo "least, the median and the 99th percentile of $CALLS calls. FER: of 2000 frames with the same noise."
    echo "\"fecrun_execute alone\": stages that do nothing, 100 calls timed as one."
    echo
    echo "| | AVX-512 | median | 99 % | AVX2 | median | 99 % | FER |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
    cat "$work/table"
} | put_section latency
