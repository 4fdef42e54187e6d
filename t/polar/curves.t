#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Error rates of polar decoding lie where others than fecrun say they do (t/data/README.md says who):
# both intervals of 95 % must overlap. Seeds are fixed, so a result stays as it is. The published codes
# are systematic, which changes no frame's fate: N = 1024 is of the sequence of 38.212, the others are
# made with the Gaussian approximation at each point; the lists' CRC has 32 bits, ours 24 in a code of
# the same K.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "statistics need speed"

backends=${backends:-ref simd}

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

# overlap FRAMES ERRORS FRAMES ERRORS: do the two intervals (Wilson's) overlap?
overlap() {
    echo "$@" | awk '
        function bound(n, k, sign,    z, p) {
            z = 1.96
            p = k / n
            return (p + z * z / (2 * n) + sign * z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))) \
                / (1 + z * z / n)
        }
        NF != 4 { exit 1 }
        {
            printf "# %d of %d: %.4g to %.4g; published %.4g to %.4g\n", $2, $1, bound($1, $2, -1),
                bound($1, $2, 1), bound($3, $4, -1), bound($3, $4, 1)
            exit !(bound($1, $2, -1) <= bound($3, $4, 1) && bound($3, $4, -1) <= bound($1, $2, 1))
        }'
}

# curve NAME N K CRC FRAMES DECODER EBN0...
curve() {
    name=$1 n=$2 k=$3 crc=$4 most=$5 decoder=$6
    shift 6
    for at in "$@"; do
        published=$(awk -F, -v name="$name" -v at="$at" \
            '$1 == name && $4 == at { print $5, $7, $3 }' "$T_DATA/polar_curves.csv" "$T_DATA/polar_curve_l2.csv")
        for backend in $backends; do
            overlap $(simulate "$n" "$k" "$crc" "${published##* }" "$most" \
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
done_testing
