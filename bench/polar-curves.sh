#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Error rates of polar decoding beside those that others have published (t/data/README.md says who and of
# what), and those of (1024, 512) with all algorithms over the same noise. Replaces its section of results/polar.md.
#
#     BACKEND=simd bench/polar-curves.sh     environment: bench/lib.sh; FRAMES=N: most of a point;
#                                            PARTS="published lists others compared": what is made
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
data=$here/../t/data
FRAMES=${FRAMES:-${QUICK:+500}}
FRAMES=${FRAMES:-200000}
PARTS=${PARTS:-published lists others compared}

# point FRAMES <pipeline: "frames frame_errors", or "- -" where the backend does not take it.
point() {
    {
        printf 'fecrun: 1\nseed: 14\npipeline:\n'
        sed 's/^/  - /'
        printf 'stop: {frames: %s, frame_errors: 1000}\n' "$1"
    } >"$work/p.yaml"
    if "$FECRUN" run "$work/p.yaml" --quiet --json "$work/json" \
        ${BACKEND:+--set "polar.decode.backend=$BACKEND"} 2>"$work/err"; then
        fields "$work/json" point frames frame_errors
    else
        note "$(cat "$work/err")"
        echo "- -"
    fi
}

# link CODE BITS CRC SNR LLRS DECODER: the stages, BPSK; LLRS: i8 or f32
link() {
    echo "source.random: {bits: $2}"
    [ "$3" = none ] || echo "crc.attach: {crc: $3}"
    printf '%s\n' "polar.encode: {$1}" 'modem.map: {scheme: bpsk}' "channel.awgn: {$4}" 'modem.demap: {}'
    [ "$5" = f32 ] || echo 'llr.quantize: {type: i8, scale: 8}'
    echo "polar.decode: {crc: $3, $6}"
    [ "$3" = none ] || echo "crc.check: {crc: $3}"
    echo 'sink.errors: {}'
}

broadcast() { # LIST ESN0
    printf '%s\n' 'source.random: {bits: 32}' 'crc.attach: {crc: 24c}' \
        'polar.encode: {code: nr, k: 56, e: 864, n_max: 9, input_interleave: true}' \
        'polar.rate_match: {}' 'modem.map: {scheme: qpsk}' "channel.awgn: {esn0_db: $2}" \
        'modem.demap: {}' 'llr.quantize: {type: i8, scale: 8}' 'polar.rate_recover: {}' \
        "polar.decode: {crc: 24c, list: $1}" 'crc.check: {crc: 24c}' 'sink.errors: {}'
}

# row CURVE DECODER SNR FRAMES ERRORS HERE_FRAMES HERE_ERRORS: a line of the table; intervals are Wilson's
row() {
    echo "$@" | awk '
        function bound(n, k, sign,    z, p) {
            z = 1.96
            p = k / n
            return (p + z * z / (2 * n) + sign * z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))) \
                / (1 + z * z / n)
        }
        $6 == "-" { printf "| %s | %s | %s | %.4g | | |\n", $1, $2, $3, $5 / $4; next }
        {
            overlap = bound($4, $5, -1) <= bound($6, $7, 1) && bound($6, $7, -1) <= bound($4, $5, 1)
            printf "| %s | %s | %s | %.4g | %.4g (%d of %d) | %s |\n", $1, $2, $3, $5 / $4,
                $7 / $6, $7, $6, overlap ? "yes" : "**no**"
        }' | tr '_' ' '
}

# curve NAME FILE: "esn0 ebn0 frames errors" of its points at which 1 % and more are lost
curve() {
    awk -F, -v name="$1" '$1 == name && $7 / $5 > 0.0095 && $7 / $5 < 0.6 { print $3, $4, $5, $7 }' \
        "$data/$2"
}

published() {
    curve Polar_N1024_K512_SC_5G_intra_p32 polar_curves.csv | awk 'NR % 3 == 1' |
        while read -r esn0 ebn0 frames errors; do
            row 'AFF3CT,_(1024,_512)' sc "$ebn0" "$frames" "$errors" $(link 'code: plain, n: 1024, k: 512' 512 none \
                "esn0_db: $esn0" i8 'algorithm: sc' | point "$FRAMES")
        done
    for list in 1 2 4 8; do
        curve NR_PBCH_A32_E864_L$list polar_more_curves.csv |
            while read -r esn0 ebn0 frames errors; do
                row 'polar-3gpp-matlab,_NR_broadcast' "scl,_L_=_$list" "$ebn0" "$frames" "$errors" \
                    $(broadcast $list "$esn0" | point "$FRAMES")
            done
    done
    for n in 256 512; do
        curve BP_N${n}_K$((n / 2))_i50 polar_more_curves.csv |
            while read -r esn0 ebn0 frames errors; do
                row "IT_Exp260529,_($n,_$((n / 2)))" 'bp,_50_iterations' "$ebn0" "$frames" "$errors" \
                    $(link "code: plain, n: $n, k: $((n / 2)), construction: ga, design_snr_db: -0.51" \
                        $((n / 2)) none "ebn0_db: $ebn0" f32 \
                        'algorithm: bp, iterations: 50, early_stop: gmatrix' | point "$FRAMES")
            done
    done
}

# Lists of AFF3CT, whose CRC has 32 bits; ours has 24 in a code of the same K.
lists() {
    for list in 1 2 4 8 32; do
        name=$(printf 'Polar_N2048_K1024_ASCL_L%03d_CRC32_SPC4_p32' $list) file=polar_curves.csv
        [ $list != 2 ] || file=polar_curve_l2.csv
        curve "$name" $file | awk 'NR % 3 == 1' | while read -r esn0 ebn0 frames errors; do
            row 'AFF3CT,_(2048,_1056)' "scl,_L_=_$list" "$ebn0" "$frames" "$errors" \
                $(link "code: plain, n: 2048, k: 1056, construction: ga, design_snr_db: $esn0" 1032 24a \
                    "esn0_db: $esn0" i8 "list: $list" | point "$FRAMES")
        done
    done
}

# (1024, 512), of which no lists' or belief propagation's counts were found published: what Sionna's
# decoders make of it (t/data/polar_sionna.py).
others() {
    sed 1d "$data/polar_sionna.csv" | tr ',' ' ' | while read -r name ebn0 frames errors; do
        llrs=i8
        case $name in
        sc) how='algorithm: sc' ;;
        bp) how='algorithm: bp, iterations: 35, check_rule: sum-product' llrs=f32 ;;
        *) how="list: $name" ;;
        esac
        row 'Sionna_2.2,_(1024,_512)' "$(echo "$how" | sed 's/algorithm: //; s/list:/scl, L =/' | tr ' ' '_')" "$ebn0" "$frames" "$errors" \
            $(link 'code: plain, n: 1024, k: 512' 512 none "ebn0_db: $ebn0" $llrs "$how" | point "$FRAMES")
    done
}

# One line an SNR: all algorithms on the same words and noise.
compared() {
    for ebn0 in 1 1.5 2 2.5; do
        printf '| %s |' "$ebn0"
        for how in 'algorithm: bp, iterations: 35' 'algorithm: sc' 'list: 1' 'list: 2' 'list: 4' 'list: 8' \
            'list: 32'; do
            printf ' %s |' "$(link 'code: plain, n: 1024, k: 512' 512 none "ebn0_db: $ebn0" i8 "$how" |
                point $((FRAMES / 10)) | awk '$1 == "-" { print "-"; exit } { printf "%.4g", $2 / $1 }')"
        done
        echo
    done
}

{
    echo "## Error rates of polar codes beside published ones, backend ${BACKEND:-auto}"
    echo
    machine
    echo "Made by \`FRAMES=$FRAMES BACKEND=${BACKEND} bench/polar-curves.sh\`: until 1000 frames are lost or $FRAMES are decoded."
    echo "\"Overlap\": do the intervals of 95 % overlap?"
    echo
    echo "| curve | decoder | Eb/N0, dB | published | here | overlap |"
    echo "| --- | --- | --- | --- | --- | --- |"
    case $PARTS in *published*) published ;; esac
    case $PARTS in *lists*) lists ;; esac
    case $PARTS in *others*) others ;; esac
    echo
    echo "Frame error rates of (1024, 512) in 38.212's order, no CRC, i8 LLRs of scale 8. The words and the noise of a line are the"
    echo "same. Until 1000 frames are lost or $((FRAMES / 10)) are decoded."
    echo
    echo "| Eb/N0, dB | bp, 35 iterations | sc | scl, L = 1 | 2 | 4 | 8 | 32 |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
    case $PARTS in *compared*) compared ;; esac
} >"$work/text"
put_section "polar-curves-${BACKEND:-auto}" <"$work/text"
