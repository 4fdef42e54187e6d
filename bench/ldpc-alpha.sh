#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Which first factor each code with a name wants: block errors of `ref`, nms, over `alpha`, with `alpha_last` as
# `auto` has it, the same frames and noise in a line; a table into bench/results/ldpc.md. plugins/ldpc/code/alpha.c has the
# values that were chosen by it. Some minutes of a CPU. Variables: see lib.sh, and
#
#   FRAMES   of Wi-Fi and WiMAX (default: 300); DVB-S2 gets a fifth of them (16200 bits), or a fifteenth
#   CODES    a pattern of the codes to do (default: all)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
BACKEND=ref
. "$here/lib.sh"
FRAMES=${FRAMES:-${QUICK:+30}}
FRAMES=${FRAMES:-300}
CODES=${CODES:-.}
ALPHAS="0.45 0.55 0.65 0.7 0.75 0.8 0.85"

# CODE K ESN0 (BPSK) where the best factor has some 20 % of block errors
codes() {
    cat <<END
wifi,n:648,rate:1/2 324 -1.42
wifi,n:1944,rate:1/2 972 -1.58
wifi,n:648,rate:2/3 432 0.40
wifi,n:1944,rate:2/3 1296 0.30
wifi,n:648,rate:3/4 486 1.30
wifi,n:1944,rate:3/4 1458 1.30
wifi,n:648,rate:5/6 540 2.40
wifi,n:1944,rate:5/6 1620 2.36
wimax,n:1152,rate:1/2 576 -1.50
wimax,n:1152,rate:2/3A 768 0.36
wimax,n:1152,rate:2/3B 768 0.40
wimax,n:1152,rate:3/4A 864 1.40
wimax,n:1152,rate:3/4B 864 1.30
wimax,n:1152,rate:5/6 960 2.46
dvbs2,frame:short,rate:1/4 3240 -6.24
dvbs2,frame:short,rate:1/3 5400 -4.10
dvbs2,frame:short,rate:2/5 6480 -3.14
dvbs2,frame:short,rate:1/2 7200 -2.54
dvbs2,frame:short,rate:3/5 9720 -0.64
dvbs2,frame:short,rate:2/3 10800 0.04
dvbs2,frame:short,rate:3/4 11880 0.94
dvbs2,frame:short,rate:4/5 12600 1.54
dvbs2,frame:short,rate:5/6 13320 2.08
dvbs2,frame:short,rate:8/9 14400 3.10
dvbs2,frame:normal,rate:1/4 16200 -5.18
dvbs2,frame:normal,rate:1/3 21600 -4.00
dvbs2,frame:normal,rate:2/5 25920 -3.10
dvbs2,frame:normal,rate:1/2 32400 -1.92
dvbs2,frame:normal,rate:3/5 38880 -0.66
dvbs2,frame:normal,rate:2/3 43200 0.03
dvbs2,frame:normal,rate:3/4 48600 0.94
dvbs2,frame:normal,rate:4/5 51840 1.58
dvbs2,frame:normal,rate:5/6 54000 2.08
dvbs2,frame:normal,rate:8/9 57600 3.06
dvbs2,frame:normal,rate:9/10 58320 3.22
END
}

# frames CODE: of each line
frames() {
    case $1 in
        dvbs2*normal*) echo $((FRAMES / 15 + 1)) ;;
        dvbs2*) echo $((FRAMES / 5)) ;;
        *) echo "$FRAMES" ;;
    esac
}

# chosen FILE: alpha: auto
chosen() { "$FECRUN" explain "$1" | sed -n 's/.*alpha = \([0-9. to]*\).*/\1/p' | head -n 1; }

# row CODE K ESN0: of the table
row() {
    r_code=$(echo "$1" | sed 's/,/, /g; s/:/: /g') r_iterations=10
    case $1 in dvbs2*) r_iterations=20 ;; esac
    cat >"$work/alpha.yaml" <<END
fecrun: 1
seed: 5
pipeline:
- source.random: {bits: $2}
- ldpc.encode: {code: $r_code}
- modem.map: {scheme: bpsk}
- channel.awgn: {esn0_db: $3}
- modem.demap: {}
- ldpc.decode: {code: $r_code, iterations: $r_iterations, backend: ref}
- sink.errors: {}
stop: {frames: $(frames "$1")}
END
    r_chosen=$(chosen "$work/alpha.yaml")
    echo "sweep: {ldpc.decode.alpha: [$(echo $ALPHAS | sed 's/ /, /g')]}" >>"$work/alpha.yaml"
    "$FECRUN" run "$work/alpha.yaml" --quiet --set "ldpc.decode.alpha_last=${r_chosen##* }" --json "$work/alpha.json"
    echo "| $r_code | $3 | $r_chosen | $(frames "$1") | $(fields "$work/alpha.json" point frame_errors |
        paste -s -d '|' | sed 's/|/ | /g') |"
}

section() {
    echo "## Which \`alpha\` a code wants"
    echo
    machine
    echo
    echo "Block errors over \`alpha\`, the factor of the first iteration, by \`bench/ldpc-alpha.sh\`."
    echo "\`ref\`, \`nms\`, BPSK, 10 iterations (DVB-S2: 20). The same frames and noise in a line. \`auto\`: what \`alpha: auto\` takes."
    echo
    echo "| code | Es/N0, dB | auto | frames | $(echo "$ALPHAS" | sed 's/ / | /g') |"
    echo "| --- | --- | --- | --- |$(echo "$ALPHAS" | sed 's/[0-9.]*/ --- |/g; s/| *$/|/; s/ \+/ /g')"
    cat "$work/table"
}

codes | grep "$CODES" >"$work/codes"
[ -z "$QUICK" ] || sed -i -n '1~12p' "$work/codes"
while read -r code k esn0; do
    note "$code"
    row "$code" "$k" "$esn0"
done <"$work/codes" >"$work/table"
section | put_section ldpc-alpha
