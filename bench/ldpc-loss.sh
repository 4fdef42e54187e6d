#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a decoder with few bits costs: ldpc.decode of a backend with LLRs of llr.quantize at scales 1 to
# 16, against `ref` with the LLRs as they were, on the same frames and the same noise, over modulations,
# rates, redundancy versions and codes; a table into bench/REPORT.md. Variables: see lib.sh, and
#
#   BACKEND  of ldpc.decode (default here: simd); all else runs where the planner puts it
#   FRAMES   at each point (default: 500)
#   THREADS  (default: all CPUs)
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
FRAMES=${FRAMES:-${QUICK:+60}}
FRAMES=${FRAMES:-500}
THREADS=${THREADS:-$(getconf _NPROCESSORS_ONLN)}
COUNTS=${COUNTS-}
SCALES="1 2 4 8 16"

# CODE K E QM RV ESN0, where ref has some 15 % of block errors. CODE: the parameters of ldpc.encode; RV:
# one digit a transmission; E of each. `all`: rows not given, what was not sent is 0.
cells() {
    while read -r n_qm n_1 n_2 n_3 n_4 n_5 n_6; do
        for n_cell in "2 3200 $n_1" "1 4224 $n_2" "1 2816 $n_3" "1 2112 $n_4" "1 1690 $n_5" "1 1512 $n_6"; do
            set -- $n_cell
            echo "nr,bg:$1,z:64 $((1408 - 768 * ($1 - 1))) $(($2 / n_qm * n_qm)) $n_qm 0 $3"
        done
    done <<END
1 -6.30 -3.94 -1.58 0.40 2.38 4.36
2 -3.32 -0.88 1.40 3.46 5.44 7.42
4 1.10 3.76 6.58 9.16 11.76 13.96
6 4.06 7.42 10.76 13.96 17.40 19.76
8 6.20 10.38 14.72 18.68 22.58 25.40
END
    cat <<END
nr,bg:1,z:64,rows:46 1408 2112 2 0 3.46
nr,bg:1,z:64 1408 2112 2 3 3.76
nr,bg:1,z:64 1408 2112 2 01 -0.28
nr,bg:1,z:64 1408 2112 2 02 -0.88
nr,bg:1,z:64 1408 2112 2 03 0.02
nr,bg:1,z:64 1408 2816 2 12 -0.50
nr,bg:1,z:64 1408 2112 2 13 -0.74
nr,bg:1,z:64 1408 2112 2 23 -0.58
nr,bg:1,z:64 1408 1472 2 02 1.16
nr,bg:1,z:64 1408 1472 2 03 2.72
nr,bg:1,z:64 1408 2112 6 02 7.42
nr,bg:1,z:64 1408 2112 6 03 9.60
nr,bg:2,z:64 640 960 2 02 -0.82
nr,bg:2,z:64 640 960 2 03 -0.20
wifi,n:1944,rate:1/2 972 0 1 - -1.58
wifi,n:1944,rate:1/2 972 0 8 - 15.50
wifi,n:1944,rate:2/3 1296 0 8 - 19.00
wifi,n:1944,rate:3/4 1458 0 1 - 1.32
wifi,n:1944,rate:5/6 1620 0 8 - 22.65
wimax,n:1152,rate:1/2 576 0 2 - 1.54
wimax,n:1152,rate:1/2 576 0 6 - 11.55
wimax,n:1152,rate:2/3A 768 0 2 - 3.38
wimax,n:1152,rate:2/3B 768 0 6 - 14.45
wimax,n:1152,rate:3/4A 864 0 6 - 15.85
wimax,n:1152,rate:5/6 960 0 2 - 5.52
END
    dvbs2
}

# Short frames, 20 iterations: K is not the nominal rate's.
dvbs2() {
    while read -r d_rate d_k d_esn0; do
        echo "dvbs2,frame:short,rate:$d_rate,iterations:20 $d_k 0 1 - $d_esn0"
    done <<END
1/4 3240 -6.20
2/5 6480 -3.12
3/5 9720 -0.62
3/4 11880 0.98
8/9 14400 3.14
END
}

# transmission N RV SCALE: one of a cell, up to its ldpc.rate_recover.
transmission() {
    if [ "$rv" != - ]; then
        echo "- ldpc.rate_match: {id: match$1, from: enc, $sizes, e: $e, qm: $qm, rv: $2}"
        t_from=
    else
        t_from=", from: enc"
    fi
    echo "- modem.map: {id: map$1, scheme: $scheme$t_from}"
    echo "- channel.awgn: {id: noise$1, esn0_db: $esn0}"
    echo "- modem.demap: {id: llrs$1}"
    [ "$3" = f32 ] || echo "- llr.quantize: {id: q$1, type: i8, scale: $3}"
    [ "$rv" = - ] || echo "- ldpc.rate_recover: {id: soft$1, $sizes, qm: $qm, rv: $2$t_harq}"
}

# pipeline SCALE BACKEND: of the cell, with LLRs at that scale, or as they are (f32).
pipeline() {
    encode=$(echo "$code" | sed 's/,rows:[0-9]*//; s/,iterations:[0-9]*//; s/,/, /g; s/:/: /g')
    decode=$(echo "$code" | sed 's/,/, /g; s/:/: /g')
    sizes=$(echo "$encode" | sed 's/^nr, //')
    t_harq=
    echo "fecrun: 1"
    echo "seed: 11"
    echo "pipeline:"
    echo "- source.random: {bits: $k}"
    echo "- ldpc.encode: {id: enc, code: $encode}"
    p_n=0
    for p_rv in $(echo "$rv" | sed 's/./& /g'); do
        transmission "$p_n" "$p_rv" "$1"
        t_harq=", harq_in: soft$p_n"
        p_n=$((p_n + 1))
    done
    echo "- ldpc.decode: {code: $decode, backend: $2}"
    echo "- sink.errors: {}"
    echo "stop: {frames: $FRAMES}"
}

# errors SCALE BACKEND: of FRAMES frames.
errors() {
    pipeline "$1" "$2" >"$work/cell.yaml"
    if [ "$2" != ref ] || [ -z "$COUNTS" ]; then
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
    fields "$work/cell.json" point frame_errors
}

# name: of the cell's code.
name() {
    case $code in
        nr*) echo "$code" | sed 's/nr,bg:/BG/; s/,z:64//; s/,rows:46/, zeros, 46 rows/' ;;
        *) echo "$code" | sed 's/,iterations:20//; s/,frame:short//; s/,n:/ /; s/,rate:/ /; s/wifi/Wi-Fi/
            s/wimax/WiMAX/; s/dvbs2/DVB-S2 short/' ;;
    esac
}

# row: of the table
row() {
    scheme=$(echo "bpsk qpsk - 16qam - 64qam - 256qam" | cut -d ' ' -f "$qm")
    step=0.2
    case $code in dvbs2*) step=0.1 ;; esac
    at=$esn0
    esn0=$(echo "$at $step" | awk '{ print $1 - $2 }')
    worse=$(errors f32 ref)
    esn0=$at
    same=$(errors f32 ref)
    slope=$(echo "$worse $same $step" | awk '{ print ($1 > $2 && $2 > 0 ? log($1 / $2) / $3 : 0) }')
    line="| $(name) | $scheme | $(rate) | $rv | $at | $same |"
    for scale in $SCALES; do
        line="$line $(cell "$(errors "$scale" "$BACKEND")") |"
    done
    echo "$line"
}

# gap ERRORS: of these to ref's, in dB; `-` where it is not known
gap() {
    echo "$1 $same $slope" | awk '{ if ($1 > 0 && $3 > 0) printf "%.2f\n", log($1 / $2) / $3; else print "-" }'
}

# cell ERRORS: more than 0.05 dB are looked at again with ref and the same LLRs
cell() {
    c_gap=$(gap "$1")
    case $c_gap in
        - | -* | 0.0[0-5]) echo "$1 ($c_gap)" ;;
        *) echo "**$1 ($c_gap; ref $(gap "$(errors "$scale" ref)"))**" ;;
    esac
}

# rate: of all that was sent, HARQ's sum.
rate() {
    if [ "$rv" = - ]; then
        echo "$code" | sed 's/.*rate:\([0-9]*\/[0-9]*\).*/\1/'
    else
        echo "$k $e $rv" | awk '{ printf "%.2f\n", $1 / ($2 * length($3)) }'
    fi
}

table() {
    echo "| code | modulation | rate | rv | Es/N0, dB | ref, f32 | scale 1 | 2 | 4 | 8 | 16 |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    cells >"$work/cells"
    [ -z "$QUICK" ] || sed -i -n "1~9p" "$work/cells"
    while read -r code k e qm rv esn0; do
        note "$(name) $qm $rv"
        row
    done <"$work/cells"
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
