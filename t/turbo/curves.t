#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Error rates of turbo decoding lie where others than fecrun say they do (t/data/README.md says who):
# K = 6144, 6 iterations, white noise. Both intervals of 95 % must overlap. Seeds are fixed, so a
# result stays as it is. The published decoder scales its extrinsic LLRs by a factor that grows with the
# iterations, ours by 0.75 or, log-map, not at all: see doc/turbo.md.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "statistics need speed"

# Frames of a point; t/turbo/long_curves.t has more, and more points.
most=${most:-300}

# simulate BITS EBN0 FRAMES DECODER: "frames frame_errors"
simulate() {
    pipeline "source.random: {bits: $1}" 'turbo.encode: {}' 'modem.map: {scheme: bpsk}' \
        "channel.awgn: {ebn0_db: $2}" 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 8}' \
        "turbo.decode: {$4}" 'sink.errors: {}' | run_fields "frames frame_errors" - \
        --set stop.frames="$3"
}

# Clopper and Pearson's interval, by bisection of the binomial tails.
interval='
function tail(n, k, p,    i, s, t) { # P(X <= k)
    t = n * log(1 - p); s = exp(t)
    for (i = 1; i <= k; i++) { t += log((n - i + 1) / i * p / (1 - p)); s += exp(t) }
    return s
}
function bound(n, k, upper,    lo, hi, mid, i) {
    if (!upper && k == 0) return 0
    if (upper && k == n) return 1
    lo = 1e-12; hi = 1 - 1e-12
    for (i = 0; i < 60; i++) {
        mid = (lo + hi) / 2
        if (upper ? tail(n, k, mid) > 0.025 : 1 - tail(n, k - 1, mid) < 0.025) lo = mid
        else hi = mid
    }
    return (lo + hi) / 2
}'

# overlap FRAMES ERRORS FRAMES ERRORS
overlap() {
    echo "$@" | awk "$interval"'
        NF != 4 { exit 1 }
        {
            printf "# %d of %d: %.4g to %.4g; published %.4g to %.4g\n", $2, $1, \
                bound($1, $2, 0), bound($1, $2, 1), bound($3, $4, 0), bound($3, $4, 1)
            exit !(bound($1, $2, 0) <= bound($3, $4, 1) && bound($3, $4, 0) <= bound($1, $2, 1))
        }'
}

# curve NAME BITS DECODER EBN0...
curve() {
    name=$1 bits=$2 decoder=$3
    shift 3
    for at in "$@"; do
        published=$(awk -F, -v name="$name" -v at="$at" \
            '$1 == name && $4 == at { print $5, $7 }' "$T_DATA/turbo_curves.csv")
        overlap $(simulate "$bits" "$at" "$most" "$decoder") $published
        tap_check $? "$name, $at dB, $decoder: as published"
    done
}

# paired EBN0 BITS FRAMES: simd is worse than ref by 0.1 dB at most, on the same frames.
paired() {
    ref=$(simulate "$2" "$1" "$3" 'backend: ref')
    simd=$(simulate "$2" "$1" "$3" 'backend: simd')
    less=$(simulate "$2" "$(echo "$1" | awk '{ print $1 - 0.1 }')" "$3" 'backend: ref')
    echo "# frames, wrong ones: ref $ref, simd $simd, ref with 0.1 dB less $less"
    [ "${simd#* }" -le "${less#* }" ]
    tap_check $? "K = $2, $1 dB: simd loses less than 0.1 dB"
}

curve Turbo_N18432_K6144_BCJR_i6_p32_LTE 6144 'backend: ref' 0.3 0.4 0.5 0.6
paired 0.6 6144 "$most"
paired 0.7 1024 $((4 * most))
paired 2 40 $((20 * most))

# The exact sum of probabilities is not worse than its largest term, and the same blocks of 40 bits
# are decoded as well by log-map.
max_log=$(simulate 40 2 2000 'backend: ref')
log_map=$(simulate 40 2 2000 'backend: ref, algorithm: log-map')
echo "# frames, wrong ones: max-log $max_log, log-map $log_map"
[ "${log_map#* }" -le $((${max_log#* } * 11 / 10)) ]
tap_check $? "K = 40, 2 dB: log-map is not worse than max-log"
done_testing
