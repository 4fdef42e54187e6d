#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Error rates of LDPC codes with 8-bit LLRs, beside published ones where t/data has some, into
# bench/results/ldpc.md. A minute on a GPU, some on a CPU. Variables: see lib.sh, and
#
#   DECODER  backends of the decoder; of each code the first that can do it (default: cuda simd ref)
#   FRAMES   code blocks of 8448 bits at one point, at most; as many bits of others (default: 20000)
#
# Without a GPU: BACKEND= DECODER='simd ref' bench/ldpc-curves.sh; QUICK=1: to try the script.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
. "$here/ldpc.sh"
DECODER=${DECODER:-cuda simd ref}
FRAMES=${FRAMES:-20000}
ERRORS=200
[ -z "$QUICK" ] || FRAMES=10 ERRORS=5

# decoder FILE: the first backend that can do it
decoder() {
    for decoder in $DECODER; do
        if "$FECRUN" check "$1" --quiet ${BACKEND:+--backend "$BACKEND"} \
            --set ldpc.decode.backend="$decoder" 2>"$work/why"; then
            echo "$decoder"
            return
        fi
    done
    cat "$work/why" >&2
    exit 1
}

# simulate FILE PARAM POINTS BITS OPTION...: `point` lines in $work/json, the backend in $used
simulate() {
    file=$(sweep "$1" "channel.awgn.$2: [$3]")
    frames=$((FRAMES * 8448 / $4))
    shift 4
    used=$(decoder "$file")
    "$FECRUN" run "$file" --quiet --json "$work/json" ${BACKEND:+--backend "$BACKEND"} \
        --set ldpc.decode.backend="$used" --set stop.frames="$frames" \
        --set stop.frame_errors="$ERRORS" "$@"
}

# table [CURVE]: the points of $work/json, beside that curve of t/data/ldpc_curves.csv
table() {
    fields "$work/json" point ebn0_db esn0_db frames frame_errors fer fer_lo fer_hi iterations_mean |
        awk -v curve="${1-}" -v file="$here/../t/data/ldpc_curves.csv" '
        function bound(n, k, side,    z) { # Wilson, 95 %
            z = 1.96
            return (k + z * z / 2 + side * z * sqrt(k * (n - k) / n + z * z / 4)) / (n + z * z)
        }
        BEGIN {
            while (curve != "" && (getline line <file) > 0) {
                split(line, f, ",")
                if (f[1] == curve) {
                    n[sprintf("%.2f", f[4])] = f[5]
                    k[sprintf("%.2f", f[4])] = f[7]
                }
            }
            head = "| Eb/N0 dB | Es/N0 dB | frames | frame errors | FER | 95 % | iterations |"
            rule = "| --- | --- | --- | --- | --- | --- | --- |"
            print head (curve != "" ? " published FER | 95 % | overlap |" : "")
            print rule (curve != "" ? " --- | --- | --- |" : "")
        }
        {
            row = sprintf("| %.2f | %.2f | %d | %d | %.2e | %.2e .. %.2e | %.2f |", $1, $2, $3, $4,
                $5, $6, $7, $8)
            at = sprintf("%.2f", $1)
            if (curve != "" && at in n) {
                lo = bound(n[at], k[at], -1)
                hi = bound(n[at], k[at], 1)
                row = row sprintf(" %.2e | %.2e .. %.2e | %s |", k[at] / n[at], lo, hi,
                    $6 <= hi && lo <= $7 ? "yes" : $5 < lo ? "better" : "worse")
            } else if (curve != "") {
                row = row " | | |"
            }
            print row
        }'
    echo
}

# crossing_at FER: Es/N0 at which the points cross it, or -
crossing_at() {
    fields "$work/json" point esn0_db fer | sed 's/^/x /' | at_ber "$1" | cut -d ' ' -f 2
}

# nr NAME E POINTS ROWS: one rate of BG1, z = 384
nr_curve() {
    note "NR $1"
    simulate "$here/ldpc-nr.yaml" esn0_db "$3" 8448 --set ldpc.rate_match.e="$2" \
        --set ldpc.decode.early_stop=syndrome
    published=$(awk -F , -v rows="$4" '$1 == 1 && $2 == 384 && $3 == rows { print $5 }' \
        "$here/../t/data/nr_ldpc_snr.csv")
    echo "NR, BG1, K = 8448, E = $2, R = $1, QPSK; backend $used, 10 iterations. FER 0.1 at Es/N0"
    echo "$(crossing_at 0.1) dB; Aerial's tables: $published dB for $4 rows (E = $((384 * ($4 + 20))); rows first to last)."
    echo
    table
}

# code NAME CODE BITS POINTS CURVE OPTION...: CURVE of t/data/ldpc_curves.csv, or empty
code() {
    name=$1 spec=$2 bits=$3 points=$4 published=$5
    shift 5
    note "$name"
    simulate "$(block "$spec" "$bits")" ebn0_db "$points" "$bits" "$@"
    echo "$name; backend $used."
    echo
    table "$published"
}

curves() {
    nr_curve 1/3 25344 '-1.2, -1.1, -1, -0.9, -0.8, -0.7' 46
    nr_curve 1/2 16896 '1.1, 1.2, 1.3, 1.4, 1.5, 1.6' 24
    nr_curve 2/3 12672 '3.1, 3.2, 3.3, 3.4, 3.5, 3.6' 13
    nr_curve 8/9 9504 '6, 6.1, 6.2, 6.3, 6.4, 6.6' 5
    code 'Wi-Fi (648, 540), 10 iterations, factor 1' 'code: wifi, n: 648, rate: 5/6' 540 \
        '2.5, 3, 3.5, 3.8, 4, 4.3, 4.5' LDPC_N648_K540_hlayered_NMS_i10_Wi-Fi \
        --set ldpc.decode.alpha=1 --set ldpc.decode.early_stop=syndrome
    code 'The same with the factor of `auto`' 'code: wifi, n: 648, rate: 5/6' 540 \
        '2.5, 3, 3.5, 4, 4.5' '' --set ldpc.decode.early_stop=syndrome
    code 'WiMAX (576, 288), 100 iterations, factor 0.825' 'code: wimax, n: 576, rate: 1/2' 288 \
        '0.5, 1, 1.5, 1.75, 2, 2.25, 2.5' LDPC_N576_K288_hlayered_NMS_i100_WiMAX \
        --set ldpc.decode.alpha=0.825 --set ldpc.decode.iterations=100
    code 'DVB-S2 normal 1/2, 50 iterations, LDPC alone (EN 302 307: QPSK 1/2 needs Es/N0 1.00 dB, which is
Eb/N0 1.00 dB, for one packet in 10^7 lost, BCH code included)' \
        'code: dvbs2, frame: normal, rate: 1/2' 32400 '0.7, 0.8, 0.9, 1, 1.1' '' \
        --set ldpc.decode.iterations=50 --set ldpc.decode.early_stop=syndrome
    code 'DVB-S2 short 4/5, 20 iterations, factor 0.75' 'code: dvbs2, frame: short, rate: 4/5' \
        12600 '2.6, 2.7, 2.8, 2.9' LDPC_N16200_K12600_hlayered_NMS_i20_DVB-S2 \
        --set ldpc.decode.alpha=0.75 --set ldpc.decode.iterations=20 \
        --set ldpc.decode.early_stop=syndrome
}

curves >"$work/curves"
{
    echo "## LDPC error rates"
    echo
    machine
    echo
    echo "Made by \`bench/ldpc-curves.sh\`$( [ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'), settings in \`bench/ldpc-nr.yaml\` and \`bench/ldpc-block.yaml\` (BPSK): layered"
    echo "\`nms\`, i8 LLRs in steps of 1/8, at most $ERRORS frame errors a point. Published: AFF3CT's simulations in"
    echo "floating point, the same schedule, iterations and factor (\`t/data/README.md\`)."
    echo
    cat "$work/curves"
} | put_section ldpc-curves
