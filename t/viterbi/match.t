#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The outputs `metric` and `reencoded` of viterbi.decode: where a decoder corrects all wrong symbols, they are what a
# comparison with the sent symbols counts. Recursive codes on frames of any length.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# values FILE: f32 numbers, one a line
values() { od -An -v -tf4 -w4 "$1"; }

# match NAME STREAM CODE FIRST: 40 frames of 200 bits, or pieces of a stream, in which 1 of 60 symbols is wrong. FIRST symbols
# of a piece do not count. The channel's LLRs are 4.09375, ln(1/p - 1) in steps of 1/32.
match() {
    source="source.random: {bits: 200, stream: $2}" bsc='channel.bsc: {p: 0.0166}'
    printf 'stop: {frames: 40}\nseed: 5\n' >stop
    { pipeline "$source" "conv.encode: {$3}" "$bsc" 'bits.hard: {}' "sink.file: {path: sent.$1, format: raw, dtype: u1}" \
        "sink.file: {id: right, from: conv.encode, path: right.$1, format: raw, dtype: u1}"; cat stop; } >hard.yaml
    run "$FECRUN" run --quiet hard.yaml
    n=$(($(wc -c <"sent.$1") / 40))
    cmp -l "sent.$1" "right.$1" | awk -v n="$n" -v first="$4" '
        { at = $1 - 1; if (at % n >= first) wrong[int(at / n)]++ }
        END { for (f = 0; f < 40; f++) printf "%d %d\n", n - first - 2 * wrong[f], wrong[f] }' >want
    for backend in ref simd; do
        { pipeline "$source" "conv.encode: {$3}" "$bsc" "viterbi.decode: {backend: $backend}" \
            'sink.file: {id: m, from: viterbi.decode.metric, path: metric, format: raw}' \
            'sink.file: {id: s, from: viterbi.decode.reencoded, path: share, format: raw}' \
            'sink.errors: {from: viterbi.decode}'; cat stop; } >match.yaml
        same "$1, $backend: all bits are right" "$(run_fields "frames bit_errors" match.yaml)" "40 0"
        values metric >m
        values share >s
        paste m s | awk -v n="$((n - $4))" '{ printf "%.0f %.0f\n", $1 / 4.09375, n * $2 }' >got
        ok "$1, $backend: metric and wrong symbols of each frame" cmp got want
    done
    ok "$1: some were wrong" sh -c 'test "$(awk "{ n += \$2 } END { print (n > 100) }" want)" = 1'
}
match zero false 'code: ieee80211' 0
match tail-biting false 'code: lte_tbcc' 0
match truncated false 'code: dab, termination: truncated' 0
match inverted true 'code: ccsds' 12
match recursive false 'constraint_length: 5, generators: [0o23, 0o33], feedback: 0o23' 0

# ---- Floats and zeros: LLRs of 0 are no symbols ----
printf '\000\000\200\077\000\000\000\300\000\000\000\000\000\000\200\177' >llrs # 1, -2, 0, infinity
pipeline 'source.file: {path: llrs, kind: llr, dtype: float32, frame: 4}' \
    'viterbi.decode: {constraint_length: 3, generators: [7, 5], termination: truncated}' 'sink.null: {}' \
    'sink.file: {id: m, from: viterbi.decode.metric, path: metric, format: raw}' \
    'sink.file: {id: s, from: viterbi.decode.reencoded, path: share, format: raw}' >float.yaml
for backend in ref simd; do
    run "$FECRUN" run --quiet float.yaml --set viterbi.decode.backend=$backend
    # Two steps from state 0: of 0000, 0011, 1110, 1101 the third fits best: -1 + 2 + 0 + 2^20.
    same "$backend: metric and share" "$(values metric | tr -d ' ') $(values share | awk '{ printf "%.4f", $1 }')" "1048577 0.3333"
done

# ---- Lengths around words of 64 steps ----
for bits in 1 2 59 60 61 63 64 65 128 129 1000; do
    for code in 'constraint_length: 7, generators: [0o133, 0o145, 0o175], feedback: 0o175' \
        'constraint_length: 15, generators: [0o51445, 0o77625], feedback: 0o77625' \
        'constraint_length: 3, generators: [7, 5], feedback: 7, termination: truncated'; do
        { pipeline "source.random: {bits: $bits}" "conv.encode: {$code}" 'channel.bsc: {p: 0}' 'viterbi.decode: {}' \
            'sink.errors: {}'; echo 'stop: {frames: 30}'; } >long.yaml
        same "$bits bits, $code" "$(run_fields "frames bit_errors" long.yaml) \
$(run_fields "frames bit_errors" long.yaml --set viterbi.decode.backend=ref)" "30 0 30 0"
    done
done

done_testing
