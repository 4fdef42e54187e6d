#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Error rates of polar decoding lie where others than fecrun say they do (t/data/README.md says who):
# both intervals of 95 % must overlap. Seeds are fixed, so a result stays as it is. AFF3CT's codes
# are systematic, which changes no frame's fate: N = 1024 is of the sequence of 38.212, the others are
# made with the Gaussian approximation at each point; the lists' CRC has 32 bits, ours 24 in a code of
# the same K. Of (1024, 512) no counts were found but those of sc: what stands for lists is NR's broadcast
# channel, for belief propagation (256, 128) and (512, 256).
. "$top_srcdir/t/lib/family.sh"
without_cuda

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "statistics need speed"

backends=${backends:-ref simd}
more=${more:-1} # times the frames; points below 3 % are left to t/polar/long_curves.t

# simulate N K CRC ESN0 FRAMES DECODER: "frames frame_errors"
simulate() {
    code="code: plain, n: $1, k: $2" attach='' check='' bits=$2
    [ "$1" = 1024 ] || code="$code, construction: ga, design_snr_db: $4"
    if [ "$3" != none ]; then
        attach="crc.attach: {crc: $3}" check="crc.check: {crc: $3}" bits=$(($2 - 24))
    fi
    pipeline "source.random: {bits: $bits}" ${attach:+"$attach"} "polar.encode: {$code}" \
        'modem.map: {scheme: bpsk}' "channel.awgn: {esn0_db: $4}" 'modem.demap: {}' \
        'llr.quantize: {type: i8, scale: 8}' "polar.decode: {$code, crc: $3, $6}" \
        ${check:+"$check"} 'sink.errors: {}' |
        run_fields "frames frame_errors" - --set stop.frames="$5"
}

# simulate_nr LIST ESN0 FRAMES BACKEND: of the broadcast channel
simulate_nr() {
    pipeline 'source.random: {bits: 32}' 'crc.attach: {crc: 24c}' \
        'polar.encode: {code: nr, k: 56, e: 864, n_max: 9, input_interleave: true}' \
        'polar.rate_match: {}' 'modem.map: {scheme: qpsk}' "channel.awgn: {esn0_db: $2}" \
        'modem.demap: {}' 'llr.quantize: {type: i8, scale: 8}' 'polar.rate_recover: {}' \
        "polar.decode: {crc: 24c, list: $1, backend: $4}" 'crc.check: {crc: 24c}' \
        'sink.errors: {}' | run_fields "frames frame_errors" - --set stop.frames="$3"
}

# simulate_bp N EBN0 FRAMES BACKEND
simulate_bp() {
    pipeline "source.random: {bits: $(($1 / 2))}" \
        "polar.encode: {code: plain, n: $1, k: $(($1 / 2)), construction: ga, design_snr_db: -0.51}" \
        'modem.map: {scheme: bpsk}' "channel.awgn: {ebn0_db: $2}" 'modem.demap: {}' \
        "polar.decode: {algorithm: bp, iterations: 50, early_stop: gmatrix, backend: $4}" \
        'sink.errors: {}' | run_fields "frames frame_errors" - --set stop.frames="$3"
}

# curve NAME N K CRC FRAMES DECODER EBN0...
curve() {
    name=$1 n=$2 k=$3 crc=$4 most=$5 decoder=$6
    shift 6
    for at in "$@"; do
        published=$(awk -F, -v name="$name" -v at="$at" \
            '$1 == name && $4 == at { print $5, $7, $3 }' "$T_DATA/polar_curves.csv" "$T_DATA/polar_curve_l2.csv")
        for backend in $backends; do
            overlap $(simulate "$n" "$k" "$crc" "${published##* }" $((most * more)) \
                "$decoder, backend: $backend") ${published% *}
            tap_check $? "$name, $at dB, $backend, $decoder: as published"
        done
    done
}

curve Polar_N1024_K512_SC_5G_intra_p32 1024 512 none 2000 'algorithm: sc' 1 1.5 2 2.5
curve Polar_N1024_K512_SC_5G_intra_p32 1024 512 none 2000 'list: 1' 1.5
curve Polar_N2048_K1723_SC_GA_intra_p32 2048 1723 none 1000 'algorithm: sc' 4 4.5
list=Polar_N2048_K1024_ASCL
curve ${list}_L001_CRC32_SPC4_p32 2048 1056 24a 600 'list: 1' 1.5 2
curve ${list}_L002_CRC32_SPC4_p32 2048 1056 24a 200 'list: 2, adaptive: true' 1.2 1.5
curve ${list}_L004_CRC32_SPC4_p32 2048 1056 24a 150 'list: 4' 1.2 1.5
curve ${list}_L008_CRC32_SPC4_p32 2048 1056 24a 100 'list: 8, adaptive: true' 1.2 1.5
curve ${list}_L032_CRC32_SPC4_p32 2048 1056 24a 40 'list: 32, adaptive: true' 1 1.2

# further NAME COLUMN FUNCTION PARAMETER FRAMES: all points of a curve, that column their SNR
further() {
    awk -F, -v name="$1" -v column="$2" -v more="$more" \
        '$1 == name && ($7 / $5 > 0.03 || more > 1) { print $column, $5, $7 }' \
        "$T_DATA/polar_more_curves.csv" >points
    while read -r at frames errors; do
        for backend in $backends; do
            overlap $("$3" "$4" "$at" $(($5 * more)) "$backend") "$frames" "$errors"
            tap_check $? "$1, $at dB, $backend: as published"
        done
    done <points
    test -s points
    tap_check $? "$1: has points"
}
for list in 1 2 4 8; do
    further NR_PBCH_A32_E864_L$list 3 simulate_nr $list 800
done
further BP_N256_K128_i50 4 simulate_bp 256 600
further BP_N512_K256_i50 4 simulate_bp 512 300
done_testing
