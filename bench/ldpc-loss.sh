#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a decoder with few bits costs: ldpc.decode of a backend with LLRs of llr.quantize at scales 1 to
# 16, against `ref` with the LLRs as they were, on the same frames and the same noise, over modulations,
# rates, redundancy versions and codes; a table into bench/REPORT.md. Variables: see lib.sh, and
#
#   BACKEND  of ldpc.decode (default here: simd); all else runs where the planner puts it
#   FRAMES   at each point (default: 500)
#   THREADS  (default: all CPUs)
#   CELLS    a pattern of the cells to do, as they stand below (default: all)
#   COUNTS   a file that keeps what `ref` counted, which is the same on every machine: read and added to, so
#            that another machine need not do it again (default: none)
#
# A gap in dB is lg(errors / errors of ref) over the slope that ref's errors have between this Es/N0 and
# 0.2 dB less (DVB-S2: 0.1 dB). With 80 errors of 500, two decoders that are as good differ by 0.02 dB
# now and then.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
BACKEND=${BACKEND:-simd}
. "$here/lib.sh"
. "$here/ldpc.sh"
FRAMES=${FRAMES:-${QUICK:+60}}
FRAMES=${FRAMES:-500}
THREADS=${THREADS:-$(getconf _NPROCESSORS_ONLN)}
CELLS=${CELLS:-.}
COUNTS=${COUNTS-}
SCALES="1 2 4 8 16"

# As `pipeline` has them, where ref has some 15 % of block errors.
cells() {
    while read -r n_qm n_1 n_2 n_3 n_4 n_5 n_6; do
        for n_cell in "2 3200 $n_1" "1 4224 $n_2" "1 2816 $n_3" "1 2112 $n_4" "1 1690 $n_5" "1 1512 $n_6"; do
            set -- $n_cell
            echo "nr,bg:$1,z:64 $((1408 - 768 * ($1 - 1))) $(($2 / n_qm * n_qm)) $n_qm 0 $3"
        done
    done <<END
1 -6.48 -3.94 -1.70 0.40 2.38 4.36
2 -3.50 -0.98 1.36 3.40 5.44 7.42
4 0.82 3.62 6.50 9.16 11.76 13.96
6 3.82 7.28 10.76 13.96 17.28 19.76
8 6.04 10.26 14.72 18.58 22.58 25.40
END
    cat <<END
nr,bg:1,z:64,rows:46 1408 2112 2 0 3.40
nr,bg:1,z:64 1408 2112 2 3 3.76
nr,bg:1,z:64 1408 2112 2 01 -0.28
nr,bg:1,z:64 1408 2112 2 02 -0.96
nr,bg:1,z:64 1408 2112 2 03 -0.12
nr,bg:1,z:64 1408 2816 2 12 -0.80
nr,bg:1,z:64 1408 2112 2 13 -0.90
nr,bg:1,z:64 1408 2112 2 23 -0.66
nr,bg:1,z:64 1408 1472 2 02 1.04
nr,bg:1,z:64 1408 1472 2 03 2.72
nr,bg:1,z:64 1408 2112 6 02 7.54
nr,bg:1,z:64 1408 2112 6 03 9.60
nr,bg:2,z:64 640 960 2 02 -0.82
nr,bg:2,z:64 640 960 2 03 -0.28
wifi,n:1944,rate:1/2 972 0 1 - -1.62
wifi,n:1944,rate:1/2 972 0 8 - 15.40
wifi,n:1944,rate:2/3 1296 0 8 - 19.00
wifi,n:1944,rate:3/4 1458 0 1 - 1.30
wifi,n:1944,rate:5/6 1620 0 8 - 22.65
wimax,n:1152,rate:1/2 576 0 2 - 1.54
wimax,n:1152,rate:1/2 576 0 6 - 11.55
wimax,n:1152,rate:2/3A 768 0 2 - 3.38
wimax,n:1152,rate:2/3B 768 0 6 - 14.45
wimax,n:1152,rate:3/4A 864 0 6 - 15.90
wimax,n:1152,rate:5/6 960 0 2 - 5.52
END
    dvbs2
}

# Short frames, 20 iterations: K is not the nominal rate's.
dvbs2() {
    while read -r d_rate d_k d_esn0; do
        echo "dvbs2,frame:short,rate:$d_rate,iterations:20 $d_k 0 1 - $d_esn0"
    done <<END
1/4 3240 -6.26
2/5 6480 -3.28
3/5 9720 -0.78
3/4 11880 0.98
8/9 14400 3.14
END
}

# errors BACKEND SCALES: of FRAMES frames, one number a scale.
errors() {
    pipeline "$1" "$2" "" >"$work/cell.yaml"
    if [ "$1" != ref ] || [ -z "$COUNTS" ]; then
        run_cell
        return
    fi
    e_key=$(cksum <"$work/cell.yaml" | tr ' ' -)
    e_count=$(sed -n "s/^$e_key //p" "$COUNTS" 2>/dev/null || :)
    if [ -z "$e_count" ]; then
        e_count=$(run_cell)
        echo "$e_key $e_count" >>"$COUNTS"
    fi
    echo "$e_count"
}

run_cell() {
    "$FECRUN" run "$work/cell.yaml" --quiet --threads "$THREADS" --json "$work/cell.json" || return 1
    fields "$work/cell.json" point frame_errors | paste -s -d ' '
}

# row: of the table
row() {
    step=0.2
    case $code in dvbs2*) step=0.1 ;; esac
    at=$esn0
    esn0=$(echo "$at $step" | awk '{ print $1 - $2 }')
    worse=$(errors ref f32)
    esn0=$at
    same=$(errors ref f32)
    all=$(errors "$BACKEND" "$SCALES")
    echo "| $(name) | $(scheme) | $(rate) | $rv | $at | $same |$(cells_of_row "$(more "$all")")"
}

# more ERRORS: the scales of those that are more than 0.05 dB from ref's
more() {
    echo "$same $worse $step $SCALES $1" | awk "$GAP"'
        { for (i = 0; i < n; i++) if (gap($(4 + n + i)) >= 0.055) printf "%s%s", sep++ ? " " : "", $(4 + i) }'
}

# cells_of_row SCALES: those are looked at again with ref and the same LLRs
cells_of_row() {
    again=
    for c_scale in $1; do
        again="$again $(errors ref "$c_scale")"
    done
    echo "$same $worse $step $SCALES $all $1 $again" | awk "$GAP"'
        function text(errors) { g = gap(errors); return g == none ? "-" : sprintf("%.2f", g) }
        {
            k = (NF - 3 - 2 * n) / 2
            for (i = 0; i < k; i++)
                ref[$(4 + 2 * n + i)] = $(4 + 2 * n + k + i)
            for (i = 0; i < n; i++) {
                scale = $(4 + i)
                cell = $(4 + n + i) " (" text($(4 + n + i)) (scale in ref ? "; ref " text(ref[scale]) : "") ")"
                printf " %s |", scale in ref ? "**" cell "**" : cell
            }
        }'
}

# awk: the gap of these errors to ref's in dB, `none` where it is not known; $1 to $3 are same, worse and step.
GAP='
    function gap(errors) {
        slope = $2 > $1 && $1 > 0 ? log($2 / $1) / $3 : 0
        return errors > 0 && slope > 0 ? log(errors / $1) / slope : none
    }
    BEGIN { none = -99; n = '"$(echo "$SCALES" | wc -w)"' }'

table() {
    echo "| code | modulation | rate | rv | Es/N0, dB | ref, f32 | scale 1 | 2 | 4 | 8 | 16 |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    each_cell
}

section() {
    echo "## What few bits cost: \`ldpc.decode\`, backend \`$BACKEND\`"
    echo
    machine
    echo
    echo "Block errors of $FRAMES (\`bench/ldpc-loss.sh\`; \`nms\`, \`alpha: auto\`, 10 iterations, DVB-S2 20; NR:"
    echo "Z = 64), the same frames and noise in a line, and in brackets the gap to \`ref\` with float LLRs in dB. Bold:"
    echo "more than 0.05; behind it the gap of \`ref\` with the same i8 LLRs, which is what \`llr.quantize\` takes away."
    echo
    cat "$work/table"
}

table >"$work/table"
section | put_section "ldpc-loss-$BACKEND"
