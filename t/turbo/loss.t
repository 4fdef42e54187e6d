#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Bytes of `simd` lose little over constellations whose bits differ, above rate 1/2 and on the scale of LLRs
# that comes in: no more frames are wrong than `ref` has with 0.06 dB less, on the same noise. With a gain
# that follows the mean |LLR| the same decoder loses 0.1 to 0.4 dB here.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "statistics need speed"

# wrong K E SCHEME ESN0 FRAMES SCALE BACKEND: wrong frames.
wrong() {
    pipeline "source.random: {bits: $1}" 'turbo.encode: {id: word}' "turbo.rate_match: {e: $2, from: word}" \
        "modem.map: {scheme: $3}" "channel.awgn: {esn0_db: $4}" 'modem.demap: {}' \
        "llr.quantize: {type: i8, scale: $6}" 'turbo.rate_recover: {}' \
        "turbo.decode: {iterations: 8, backend: $7}" 'sink.errors: {}' |
        run_fields frame_errors - --set stop.frames="$5" --set seed=1
}

# near K E SCHEME ESN0 FRAMES SCALE...
near() {
    k=$1 e=$2 scheme=$3 at=$4 frames=$5
    shift 5
    less=$(wrong "$k" "$e" "$scheme" "$(echo "$at" | awk '{ print $1 - 0.06 }')" "$frames" 8 ref)
    for scale in "$@"; do
        simd=$(wrong "$k" "$e" "$scheme" "$at" "$frames" "$scale" simd)
        echo "# wrong of $frames: simd $simd, ref with 0.06 dB less $less"
        [ "$simd" -le "$less" ]
        tap_check $? "K = $k, rate $(echo "$k $e" | awk '{ printf "%.2f", $1 / $2 }'), $scheme, scale $scale"
    done
}

near 504 672 64qam 16 1200 4 8
near 504 560 16qam 13.5 1200 4 8
near 104 312 64qam 8.2 1500 4 8
near 2048 2730 64qam 15.55 400 4 8
near 4032 4482 64qam 18.75 250 4 8
near 6144 8192 16qam 10.2 200 4 8
near 504 560 bpsk 4 1200 2 16
done_testing
