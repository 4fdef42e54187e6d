#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Error rates of turbo decoding lie where others than fecrun say they do (t/data/README.md says who),
# 6 iterations, white noise: both intervals of 95 % must overlap. Seeds are fixed, so a result stays as it
# is. AFF3CT's decoder scales its extrinsic LLRs by a factor that grows with the iterations, IT++'s as ours
# by 0.75 or, log-map, not at all: see doc/turbo.md. bench/turbo-curves.sh has the same with CUDA.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "statistics need speed"

# Blocks of 6144 bits of a point, and more of others; t/turbo/long_curves.t has more.
most=${most:-300}

# simulate BITS EBN0 FRAMES DECODER: "frames frame_errors"
simulate() {
    pipeline "source.random: {bits: $1}" 'turbo.encode: {}' 'modem.map: {scheme: bpsk}' \
        "channel.awgn: {ebn0_db: $2}" 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 8}' \
        "turbo.decode: {$4}" 'sink.errors: {}' | run_fields "frames frame_errors" - \
        --set stop.frames="$3"
}

# overlap WHAT FRAMES ERRORS FRAMES ERRORS: ours, and the published ones
overlap() {
    what=$1
    shift
    said=$(echo "$@" | awk -f "$top_srcdir/t/lib/overlap.awk")
    tap_check $? "$what: as published"
    echo "# $said"
}

# aff3ct NAME BITS DECODER EBN0...
aff3ct() {
    name=$1 bits=$2 decoder=$3
    shift 3
    for at in "$@"; do
        published=$(awk -F, -v name="$name" -v at="$at" \
            '$1 == name && $4 == at { print $5, $7 }' "$T_DATA/turbo_curves.csv")
        overlap "$name, $at dB, $decoder" $(simulate "$bits" "$at" "$most" "$decoder") $published
    done
}

# itpp BITS FRAMES DECODER ALGORITHM EBN0...
itpp() {
    bits=$1 n=$2 with="$3, algorithm: $4"
    metric=$(echo "$4" | sed 's/max-log/LOGMAX/; s/log-map/LOGMAP/')
    shift 4
    for at in "$@"; do
        published=$(awk -F, -v bits="$bits" -v metric="$metric" -v at="$at" \
            '$1 == bits && $2 == metric && $3 == at { print $4, $6 }' "$T_DATA/turbo_itpp.csv")
        overlap "IT++, K = $bits, $at dB, $with" $(simulate "$bits" "$at" "$n" "$with") $published
    done
}

# Arithmetic of 16 bits, which loses next to nothing.
words='backend: simd, tune: {arithmetic: i16}'

# paired EBN0 BITS FRAMES: simd is worse than ref by 0.1 dB at most, on the same frames.
paired() {
    ref=$(simulate "$2" "$1" "$3" 'backend: ref')
    simd=$(simulate "$2" "$1" "$3" 'backend: simd')
    less=$(simulate "$2" "$(echo "$1" | awk '{ print $1 - 0.1 }')" "$3" 'backend: ref')
    echo "# frames, wrong ones: ref $ref, simd $simd, ref with 0.1 dB less $less"
    [ "${simd#* }" -le "${less#* }" ]
    tap_check $? "K = $2, $1 dB: simd loses less than 0.1 dB"
}

# beside EBN0 BITS FRAMES: of 16 bits there are hardly more wrong than of ref, same frames.
beside() {
    ref=$(simulate "$2" "$1" "$3" 'backend: ref')
    simd=$(simulate "$2" "$1" "$3" "$words")
    echo "# frames, wrong ones: ref $ref, simd with 16 bits $simd"
    [ "${simd#* }" -le $((${ref#* } * 108 / 100 + 3)) ]
    tap_check $? "K = $2, $1 dB: simd with 16 bits finds what ref does"
}

# borders EBN0 BITS FRAMES: sub-blocks of simd cost nothing.
borders() {
    one=$(simulate "$2" "$1" "$3" 'backend: simd, sub_blocks: 1')
    many=$(simulate "$2" "$1" "$3" 'backend: simd, sub_blocks: 64')
    echo "# frames, wrong ones: whole blocks $one, 64 sub-blocks $many"
    [ "${many#* }" -le $((${one#* } * 108 / 100 + 3)) ]
    tap_check $? "K = $2, $1 dB: 64 sub-blocks of simd find what whole blocks do"
}

aff3ct Turbo_N18432_K6144_BCJR_i6_p32_LTE 6144 'backend: ref' 0.3 0.4 0.5 0.6
aff3ct Turbo_N18432_K6144_BCJR_i6_p32_LTE 6144 "$words" 0.4 0.5 0.6
[ "$most" -le 300 ] || itpp 6144 "$most" 'backend: ref' max-log 0.5
itpp 6144 $((most / 5)) 'backend: ref' log-map 0.3
itpp 1024 $((2 * most)) 'backend: ref' max-log 0.5 0.8
itpp 1024 $((2 * most)) "$words" max-log 0.5 0.8
itpp 1024 "$most" 'backend: ref' log-map 0.5
itpp 40 $((10 * most)) 'backend: ref' max-log 1 2
itpp 40 $((10 * most)) 'backend: simd' max-log 1 2
itpp 40 $((10 * most)) "$words" max-log 1 2
itpp 40 $((10 * most)) 'backend: ref' log-map 1 2
paired 0.6 6144 "$most"
paired 0.7 1024 $((4 * most))
paired 2 40 $((20 * most))
beside 0.5 6144 "$most"
beside 0.7 1024 $((4 * most))
beside 2 40 $((20 * most))
borders 0.5 6144 "$most"

# Half a block of fillers: few frames are wrong in whatever arithmetic.
fillers() {
    pipeline 'source.random: {bits: 65}' 'turbo.encode: {k: 128, fillers: 63}' 'modem.map: {scheme: bpsk}' \
        'channel.awgn: {esn0_db: -3.5}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 4}' \
        "turbo.decode: {$1}" 'sink.errors: {}' | run_fields frame_errors - --set stop.frames=10000
}
ref=$(fillers 'backend: ref')
for decoder in 'backend: simd' "$words"; do
    simd=$(fillers "$decoder")
    echo "# of 10000 blocks with 63 fillers of 128 bits: ref $ref wrong, $decoder $simd"
    [ "$simd" -le $((2 * ref + 3)) ]
    tap_check $? "fillers: $decoder"
done

# The exact sum of probabilities is not worse than its largest term, and the same blocks of 40 bits
# are decoded as well by log-map.
max_log=$(simulate 40 2 2000 'backend: ref')
log_map=$(simulate 40 2 2000 'backend: ref, algorithm: log-map')
echo "# frames, wrong ones: max-log $max_log, log-map $log_map"
[ "${log_map#* }" -le $((${max_log#* } * 11 / 10)) ]
tap_check $? "K = 40, 2 dB: log-map is not worse than max-log"
done_testing
