#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What ldpc.decode's nms with `alpha: auto`, which need not know the scale of its input, costs or gives beside oms,
# which must: block errors of `ref` with float LLRs, on the same frames and noise, over rates, redundancy versions,
# modulations and codes; a table into bench/REPORT.md. Some minutes of a CPU. Variables: see lib.sh, and
#
#   FRAMES   at each point (default: 1000)
#   THREADS  (default: all CPUs)
#   CELLS    a pattern of the cells to do, as they stand below (default: all)
#
# A gap in dB is lg(errors of nms / errors of oms) over the slope that the errors of oms have between this Es/N0
# and 0.2 dB less (DVB-S2: 0.1 dB).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
BACKEND=ref
. "$here/lib.sh"
. "$here/ldpc.sh"
FRAMES=${FRAMES:-${QUICK:+60}}
FRAMES=${FRAMES:-1000}
THREADS=${THREADS:-$(getconf _NPROCESSORS_ONLN)}
CELLS=${CELLS:-.}

# As `pipeline` has them, where oms has some 15 % of block errors.
cells() {
    cat <<END
nr,bg:2,z:64 640 3200 2 0 -3.50
nr,bg:1,z:64 1408 4224 2 0 -0.98
nr,bg:1,z:64 1408 2816 2 0 1.36
nr,bg:1,z:64 1408 2112 2 0 3.40
nr,bg:1,z:64 1408 1690 2 0 5.44
nr,bg:1,z:64 1408 1512 2 0 7.42
nr,bg:1,z:64 1408 4224 8 0 10.60
nr,bg:1,z:64 1408 2112 8 0 18.58
nr,bg:1,z:64 1408 1512 8 0 25.40
nr,bg:1,z:64 1408 3712 2 1 0.40
nr,bg:1,z:64 1408 4032 2 1 -0.64
nr,bg:1,z:64 1408 2816 2 2 2.30
nr,bg:1,z:64 1408 3264 2 2 0.52
nr,bg:1,z:64 1408 4224 2 2 -0.90
nr,bg:1,z:64 1408 1690 2 3 6.40
nr,bg:1,z:64 1408 2112 2 3 3.76
nr,bg:1,z:64 1408 2816 2 3 1.40
nr,bg:1,z:64 1408 4224 2 3 -0.90
nr,bg:1,z:64 1408 2112 2 01 -0.28
nr,bg:1,z:64 1408 2112 2 02 -0.96
nr,bg:1,z:64 1408 2112 2 03 -0.12
nr,bg:1,z:64 1408 2432 2 12 1.80
nr,bg:1,z:64 1408 2816 2 12 -0.80
nr,bg:1,z:64 1408 1408 2 13 1.60
nr,bg:1,z:64 1408 2112 2 13 -0.90
nr,bg:1,z:64 1408 1408 2 23 2.05
nr,bg:1,z:64 1408 2112 2 23 -0.66
nr,bg:1,z:64 1408 1472 2 02 1.04
nr,bg:1,z:64 1408 1472 2 03 2.72
nr,bg:2,z:64 640 960 2 02 -0.82
nr,bg:2,z:64 640 960 2 03 -0.28
nr,bg:2,z:64 640 2560 2 1 -0.20
nr,bg:2,z:64 640 2240 2 2 -1.70
nr,bg:2,z:64 640 1280 2 3 1.76
wifi,n:1944,rate:1/2 972 0 1 - -1.62
wifi,n:1944,rate:3/4 1458 0 1 - 1.30
wifi,n:1944,rate:5/6 1620 0 8 - 22.65
wimax,n:1152,rate:1/2 576 0 2 - 1.54
wimax,n:1152,rate:2/3B 768 0 6 - 14.45
wimax,n:1152,rate:5/6 960 0 2 - 5.52
dvbs2,frame:short,rate:1/4,iterations:20 3240 0 1 - -5.40
dvbs2,frame:short,rate:2/5,iterations:20 6480 0 1 - -3.14
dvbs2,frame:short,rate:3/5,iterations:20 9720 0 1 - -0.78
dvbs2,frame:short,rate:8/9,iterations:20 14400 0 1 - 3.14
END
}

# counts SWEEP: block errors of FRAMES, one number a value
counts() {
    pipeline ref f32 "$1" >"$work/cell.yaml"
    "$FECRUN" run "$work/cell.yaml" --quiet --threads "$THREADS" --json "$work/cell.json"
    fields "$work/cell.json" point frame_errors | paste -s -d ' '
}

# row: of the table
row() {
    step=0.2
    case $code in dvbs2*) step=0.1 ;; esac
    at=$esn0
    esn0=$(echo "$at $step" | awk '{ print $1 - $2 }')
    worse=$(counts 'ldpc.decode.algorithm: [oms]')
    esn0=$at
    echo "$(counts 'ldpc.decode.algorithm: [nms, oms]') $worse $step" |
        awk -v first="| $(name) | $(scheme) | $(rate) | $rv | $at |" '{
            slope = $3 > $2 && $2 > 0 ? log($3 / $2) / $4 : 0
            gap = slope > 0 && $1 > 0 ? log($1 / $2) / slope : 0
            text = slope > 0 && $1 > 0 ? sprintf("%.2f", gap) : "-"
            print first, $1 " | " $2 " | " (gap >= 0.055 ? "**" text "**" : text) " |"
        }'
}

table() {
    echo "| code | modulation | rate | rv | Es/N0, dB | nms | oms | nms behind oms, dB |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
    each_cell
}

section() {
    echo "## Normalised beside offset min-sum"
    echo
    machine
    echo
    echo "Block errors of $FRAMES (\`bench/ldpc-nms-oms.sh\`; \`ref\`, float LLRs, \`alpha: auto\` and \`beta\` 0.5, 10"
    echo "iterations, DVB-S2 20; NR: Z = 64), the same frames and noise in a line."
    echo
    cat "$work/table"
}

table >"$work/table"
section | put_section ldpc-nms-oms
