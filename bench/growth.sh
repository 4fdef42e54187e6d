#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# How the time of a call grows with its frames, from 1 to 256, on one core, into bench/results/latency.md: the largest
# step of the time of a frame from one number of frames to the next one. Ten minutes: bench/growth.sh [BUILD_DIR].
# Variables: see lib.sh, and MOST (256), ROUNDS (7), ROWS (a grep -E pattern), ISAS (avx512 avx2), CORE (the core's
# number), KEEP (a folder for all times).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../build}" && pwd)
FECRUN=$build/fecrun
. "$here/lib.sh"
MOST=${MOST:-256} ROUNDS=${ROUNDS:-7} ROWS=${ROWS:-.} CORE=${CORE:-0} ISAS=${ISAS:-avx512 avx2} KEEP=${KEEP:-}
[ -z "$QUICK" ] || MOST=9 ROUNDS=1
${CC:-cc} -O2 -std=gnu11 -I"$here/../core/include" -I"$build/include" -o "$work/growth" "$here/growth.c" \
    -L"$build/run/.libs" -lfecrun
LD_LIBRARY_PATH=$build/run/.libs
FECRUN_PLUGIN_PATH=$(echo "$build"/lib/fecrun/[0-9]*)
export LD_LIBRARY_PATH FECRUN_PLUGIN_PATH
: >"$work/table"

# The time of a frame in calls of 1, 8, 64 and 256 frames; the largest step of it from n frames to n + 1, and that n;
# how many steps are above 1.3.
steps() {
    awk '{ t[$1] = $2 / $1; n = $1 }
        END {
            for (i = 1; i < n; i++) {
                step = t[i + 1] / t[i]
                above += step > 1.3
                if (step > most) { most = step; at = i }
            }
            printf "%.3g | %.3g | %.3g | %.3g | **%.2f** | %d | %d\n", t[1], t[n < 8 ? n : 8], t[n < 64 ? n : 64], t[n], most, at, above
        }' "$1"
}

# row NAME BITS EBN0 MAX ENCODER DECODER: stages as "NAME: {...}"; "|" between several. MAX: the largest LLR.
row() {
    echo "$1" | grep -qE "$ROWS" || return 0
    note "$1"
    stages() { printf '%s\n' "$1" | tr '|' '\n' | sed 's/^ */  - /'; }
    {
        printf 'fecrun: 1\nseed: 5\npipeline:\n  - source.random: {bits: %s}\n' "$2"
        stages "$5"
        printf '  - modem.map: {scheme: bpsk}\n  - channel.awgn: {ebn0_db: %s}\n  - modem.demap: {}\n' "$3"
        printf '  - llr.quantize: {type: i8, max: %s, scale: auto}\n' "$4"
        printf '  - sink.file: {path: llrs.raw}\nstop: {frames: 64}\n'
    } >"$work/make.yaml"
    rm -f "$work/llrs.raw"
    "$FECRUN" run "$work/make.yaml" --quiet
    row_items=$(($(wc -c <"$work/llrs.raw") / 64))
    {
        printf 'fecrun: 1\npipeline:\n  - source.memory: {dtype: i8, frame: %s, llr_max: %s}\n' "$row_items" "$4"
        stages "$6"
        printf '  - sink.memory: {dtype: packed}\n'
    } >"$work/call.yaml"
    for row_isa in $ISAS; do
        FECRUN_ISA=$row_isa taskset -c "$CORE" "$work/growth" "$work/call.yaml" "$work/llrs.raw" "$MOST" "$ROUNDS" >"$work/times"
        [ -z "$KEEP" ] || cp "$work/times" "$KEEP/$row_isa $(echo "$1" | tr -d ,/)"
        echo "| $1 | $row_isa | $(steps "$work/times") |" >>"$work/table"
        tail -n 1 "$work/table" >&2
    done
}

for bits in 64 1000 4096; do
    row "Viterbi K = 7, $bits bits, LLRs to 10" $bits 3 10 'conv.encode: {code: ieee80211}' 'viterbi.decode: {code: ieee80211}'
    row "Viterbi K = 9, $bits bits, LLRs to 8" $bits 3 8 'conv.encode: {code: umts_r2}' 'viterbi.decode: {code: umts_r2}'
done
polar='code: plain, n: 1024, k: 512, construction: nr'
row 'polar (1024, 512), sc' 512 3 127 "polar.encode: {$polar}" "polar.decode: {$polar, algorithm: sc}"
row 'polar (1024, 512), list 8, CRC 24C' 488 2.5 127 "crc.attach: {crc: 24c} | polar.encode: {$polar}" \
    "polar.decode: {$polar, algorithm: scl, list: 8, crc: 24c} | crc.check: {crc: 24c}"
row 'polar (1024, 512), adaptive list 8, CRC 24C' 488 2.5 127 "crc.attach: {crc: 24c} | polar.encode: {$polar}" \
    "polar.decode: {$polar, algorithm: scl, list: 8, adaptive: true, crc: 24c} | crc.check: {crc: 24c}"
for k in 40 512 1024 6144; do
    row "turbo K = $k, 6 iterations" $k 1.5 127 "turbo.encode: {k: $k}" "turbo.decode: {k: $k, iterations: 6}"
done
nr() { # NAME Z ROWS EBN0
    row "$1" $((22 * $2)) "$4" 127 "ldpc.encode: {code: nr, bg: 1, z: $2} | ldpc.rate_match: {bg: 1, z: $2, e: $(((20 + $3) * $2))}" \
        "ldpc.rate_recover: {bg: 1, z: $2} | ldpc.decode: {code: nr, bg: 1, z: $2, iterations: 10}"
}
nr 'NR LDPC BG1 z = 384, 5 rows' 384 5 4.5
for z in 384 64 16; do
    nr "NR LDPC BG1 z = $z, 46 rows" $z 46 2
done
ldpc() { # NAME CODE BITS EBN0
    row "$1" "$3" "$4" 127 "ldpc.encode: {$2}" "ldpc.decode: {$2, iterations: 10}"
}
ldpc 'Wi-Fi 648, rate 1/2' 'code: wifi, n: 648, rate: 1/2' 324 2
ldpc 'Wi-Fi 1944, rate 5/6' 'code: wifi, n: 1944, rate: 5/6' 1620 3.8
ldpc 'DVB-S2 short, rate 4/5' 'code: dvbs2, frame: short, rate: 4/5' 12600 3
{
    echo "## Growth with the frames of a call"
    echo
    machine
    echo
    echo "Made by \`bench/growth.sh\`$([ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'): the least time of a frame of $((3 * ROUNDS)) calls of \`fecrun_execute\` with 1, 8, 64 and"
    echo "$MOST frames on one core, in us. Step: the largest growth of this time from n frames to n + 1, at which n, and how"
    echo "many of all are above 1.3."
    echo
    echo "| | | 1 | 8 | 64 | $MOST | step | at | above 1.3 |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    cat "$work/table"
} | put_section growth
