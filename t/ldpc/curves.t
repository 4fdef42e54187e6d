#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Error rates of LDPC decoding lie where others than fecrun say they do (t/data/README.md says who).
# Seeds are fixed, so a result stays as it is.
#
# - t/data/ldpc_curves.csv: frame errors counted with AFF3CT. Both intervals of 95 % must overlap.
#   The factors of min-sum, a choice of the decoder, are those of its runs.
# - t/data/nr_ldpc_snr.csv: Es/N0 of QPSK at which a decoder in half precision has a block error
#   rate of 0.1. Rows in its order, with one factor for all iterations, must be within 0.1 dB of it, and
#   `order: auto` with `alpha: auto` must not be worse.
. "$top_srcdir/t/lib/family.sh"
without_cuda

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "statistics need speed"

# Work of a curve: points that need more frames are left to t/ldpc/long_curves.t.
part=${part:-20}

backend=ref
quantize=

# simulate CODE BITS CHANNEL SCHEME DECODER FRAMES: "frames frame_errors".
simulate() {
    pipeline "source.random: {bits: $2}" "ldpc.encode: {$1}" "modem.map: {scheme: $4}" \
        "channel.awgn: {$3}" "modem.demap: {}" ${quantize:+"$quantize"} \
        "ldpc.decode: {$1, backend: $backend, $5}" \
        "sink.errors: {}" | run_fields "frames frame_errors" - --set stop.frames="$6"
}

# curve NAME BITS MOST CODE DECODER: all points that need at most MOST frames for 100 errors.
curve() {
    most=$(($3 / part))
    while IFS=, read -r name _ _ ebn0 frames _ errors; do
        [ "$name" = "$1" ] || continue
        wanted=$(awk -v n="$frames" -v k="$errors" 'BEGIN { print int(99.999 * n / k) + 1 }')
        [ "$wanted" -le "$most" ] || continue
        overlap $(simulate "$4" "$2" "ebn0_db: $ebn0" bpsk "$5" "$wanted") "$frames" "$errors"
        tap_check $? "$1, $ebn0 dB, $backend: as published"
    done <"$T_DATA/ldpc_curves.csv"
}

# The telecommand code of CCSDS 231.0-B, (128, 64): circulants of 16 bits, given by the powers of
# the right shift that they are the sums of; as alist.
ccsds() {
    awk 'BEGIN {
        split("0,7 2 14 6 - 0 13 0;6 0,15 0 1 0 - 0 7;4 1 0,15 14 11 0 - 3;0 1 9 0,13 14 1 0 -",
            rows, ";")
        for (r = 0; r < 4; r++) {
            split(rows[r + 1], block, " ")
            for (c = 0; c < 8; c++)
                for (k = block[c + 1] == "-" ? 0 : split(block[c + 1], power, ","); k > 0; k--)
                    for (i = 0; i < 16; i++) {
                        m = 16 * r + i + 1
                        n = 16 * c + (i + power[k]) % 16 + 1
                        of_row[m] = of_row[m] n " "
                        of_column[n] = of_column[n] m " "
                    }
        }
        print "128 64\n5 8"
        for (n = 1; n <= 128; n++) printf "%d ", split(of_column[n], list, " ")
        print ""
        for (m = 1; m <= 64; m++) printf "8 "
        print ""
        for (n = 1; n <= 128; n++)
            print of_column[n] (split(of_column[n], list, " ") < 5 ? "0 0" : "")
        for (m = 1; m <= 64; m++) print of_row[m]
    }'
}

curves() {
    ccsds >ccsds.alist
    curve LDPC_N128_K64_hlayered_SPA_i50_CCSDS 64 100000 "code: alist, path: ccsds.alist" \
        "check_rule: sum-product, iterations: 50"
    curve LDPC_N648_K540_hlayered_NMS_i10_Wi-Fi 540 200000 "code: wifi, n: 648, rate: 5/6" \
        "alpha: 1"
    curve LDPC_N648_K540_hlayered_SPA_i10_Wi-Fi 540 50000 "code: wifi, n: 648, rate: 5/6" \
        "check_rule: sum-product"
    curve LDPC_N576_K288_flooding_SPA_i100_WiMAX 288 20000 "code: wimax, n: 576, rate: 1/2" \
        "check_rule: sum-product, schedule: flooding, iterations: 100"
    curve LDPC_N576_K288_hlayered_NMS_i100_WiMAX 288 60000 "code: wimax, n: 576, rate: 1/2" \
        "alpha: 0.825, iterations: 100, early_stop: none"
    curve LDPC_N16200_K12600_hlayered_NMS_i20_DVB-S2 12600 5000 \
        "code: dvbs2, frame: short, rate: 4/5" "alpha: 0.75, iterations: 20"
    curve LDPC_N16200_K14400_hlayered_NMS_i10_DVB-S2 14400 15000 \
        "code: dvbs2, frame: short, rate: 8/9" "alpha: 0.75"
}

# Some of them in 8 bits.
curves_simd() {
    backend=simd
    quantize="llr.quantize: {type: i8, scale: 6}"
    curve LDPC_N648_K540_hlayered_NMS_i10_Wi-Fi 540 200000 "code: wifi, n: 648, rate: 5/6" \
        "alpha: 1"
    curve LDPC_N16200_K14400_hlayered_NMS_i10_DVB-S2 14400 15000 \
        "code: dvbs2, frame: short, rate: 8/9" "alpha: 0.75"
    backend=ref
    quantize=
}

# rate_of FRAMES ERRORS: the block error rate, and from where to where it is certain.
rate_of() {
    echo "$@" | awk '{ p = $2 / $1; d = 1.96 * sqrt(p * (1 - p) / $1); print p, p - d, p + d }'
}

# nr BG Z ROWS FRAMES ALPHA
nr() {
    published=$(awk -F, -v bg="$1" -v z="$2" -v rows="$3" \
        '$1 == bg && $2 == z && $3 == rows { print $5 }' "$T_DATA/nr_ldpc_snr.csv")
    code="code: nr, bg: $1, z: $2"
    bits=$(($2 * (34 - 12 * $1)))
    for side in -0.1 0 0.1; do
        at=$(echo "$published $side" | awk '{ print $1 + $2 }')
        order=forward alpha=$5
        [ $side != 0 ] || order=reverse alpha=auto
        set -- "$1" "$2" "$3" "$4" "$5" $(rate_of $(simulate "$code" "$bits" "esn0_db: $at" qpsk \
            "rows: $3, order: $order, alpha: $alpha" "$4"))
        echo "# $order at $at dB: $6, $7 to $8"
        case $side in
        -0.1) test="$8 >= 0.1" what="not below 0.1 with 0.1 dB less than published" ;;
        0) test="$7 <= 0.1" what="last row first, 0.1 is reached" ;;
        0.1) test="$7 <= 0.1" what="0.1 is reached with 0.1 dB more than published" ;;
        esac
        awk "BEGIN { exit !($test) }"
        tap_check $? "BG$1, Z = $2, $3 rows: $what"
    done
}

curves
curves_simd
nr 1 60 13 400 0.71
nr 2 128 22 300 0.71
[ "$part" != 1 ] || {
    nr 1 60 46 1000 0.64
    nr 1 112 24 1000 0.69
    nr 1 384 5 1000 0.79
    nr 1 384 13 600 0.71
    nr 1 384 24 600 0.69
    nr 1 384 46 600 0.64
    nr 2 128 5 1000 0.84
    nr 2 384 13 600 0.75
    nr 2 384 42 600 0.67
}
done_testing
