#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ldpc.decode on one GPU, code by code and method by method: how fast, and what it costs against float
# decoding (`ref`, LLRs as they are) of the same frames with the same noise. One run, one table in
# bench/results/ldpc.md. About six minutes with 16 cores for `ref`. Variables: see lib.sh, and
#
#   DECODER  the decoder's backend (default: cuda)
#   FRAMES   hundredths of the blocks whose errors are counted (default: 100)
#   ONLY     a pattern (grep -E) of the names of the rows to do (default: all); then nothing goes into the
#            report: the rows are printed
#
# Without a GPU, to try the script:
#   QUICK=1 BACKEND= DECODER=simd REPORT=/tmp/r bench/ldpc-rows.sh
#
# The gap in dB is 0.05 lg(errors / errors of ref) over the slope that ref's errors have between this
# Es/N0 and 0.05 dB less.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
. "$here/ldpc.sh"
DECODER=${DECODER:-cuda}
FRAMES=${FRAMES:-${QUICK:+1}}
FRAMES=${FRAMES:-100}
: >"$work/rows"

wanted() { echo "$1" | grep -Eq -e "${ONLY:-.}"; }

# floats FILE: without a quantiser; prints its path.
floats() {
    sed '/llr.quantize/d' "$1" >"$work/float.yaml"
    echo "$work/float.yaml"
}

# gbps FILE BLOCKS OPTION...: of the decoder alone, without what it would absorb
gbps() {
    gbps_file=$1 gbps_blocks=$2
    shift 2
    if [ "$BACKEND" ] && grep -q ldpc.rate_recover "$gbps_file"; then
        set -- --set ldpc.rate_recover.backend="$BACKEND" "$@"
    fi
    "$FECRUN" bench "$gbps_file" --quiet --stage-only --json "$work/json" \
        ${BACKEND:+--backend "$BACKEND"} \
        --batches "${QUICK:-$gbps_blocks}" --set ldpc.decode.backend="$DECODER" "$@" 2>"$work/said" || {
        sed 1q "$work/said" >&2
        echo -
        return
    }
    line >"$work/line"
    fields "$work/line" bench device_gbps | awk '{ printf "%.2f\n", $1 }'
}

# errors FILE BLOCKS BACKEND LESS OPTION...: wrong blocks with so many dB less than the options say
errors() {
    errors_file=$1 errors_blocks=$2 errors_backend=$3 errors_at=$(echo "$snr $4" | awk '{ print $1 - $2 }')
    shift 4
    "$FECRUN" run "$errors_file" --quiet --json "$work/json" --set ldpc.decode.backend="$errors_backend" \
        --set stop.frames="$errors_blocks" "$@" --set "channel.awgn.$scale=$errors_at" \
        2>"$work/said" || {
        sed 1q "$work/said" >&2
        echo -
        return
    }
    fields "$work/json" point frame_errors
}

# measure NAME FILE FILE_OF_REF BLOCKS COUNTED OPTION...: a row. $snr: of the channel, $scale: which one
measure() {
    m_name=$1 m_file=$2 m_ref=$3 m_blocks=$4 m_counted=$(($5 * FRAMES / 100))
    shift 5
    m_gbps=$(gbps "$m_file" "$m_blocks" "$@" --set "channel.awgn.$scale=$snr")
    m_own=$(errors "$m_file" "$m_counted" "$DECODER" 0 "$@")
    m_theirs=$(errors "$m_ref" "$m_counted" ref 0 "$@")
    m_less=$(errors "$m_ref" "$m_counted" ref 0.05 "$@")
    m_gap=$(echo "$m_own $m_theirs $m_less" | awk '{
        there = $1 > 0 && $2 > 0 && $3 > $2
        print (there ? sprintf("%.3f", 0.05 * log($1 / $2) / log($3 / $2)) : "-") }')
    note "$m_name: $m_gbps Gb/s, $m_own and $m_theirs of $m_counted, $m_gap dB"
    echo "| $m_name | $m_blocks | $m_gbps | $snr | $m_counted | $m_own | $m_theirs | $m_less | $m_gap |" \
        >>"$work/rows"
}

# nr_row NAME BG ROWS ESN0 COUNTED OPTION...: z = 384, i8
nr_row() {
    wanted "$1" || return 0
    n_name=$1 n_bg=$2 n_rows=$3 snr=$4 n_counted=$5 scale=esn0_db
    shift 5
    measure "$n_name" "$here/ldpc-nr.yaml" "$(floats "$here/ldpc-nr.yaml")" 8448 "$n_counted" \
        $(nr "$n_bg" 384 "$n_rows" "$snr") "$@"
}

# code_row NAME CODE BITS EBN0 BLOCKS COUNTED OPTION...
code_row() {
    wanted "$1" || return 0
    c_name=$1 c_file=$(block "$2" "$3") snr=$4 c_blocks=$5 c_counted=$6 scale=ebn0_db
    shift 6
    measure "$c_name" "$c_file" "$(floats "$c_file")" "$c_blocks" "$c_counted" "$@"
}

# The same numbers everywhere, which awk's own rand() does not promise. state: 1 to 2^31 - 2
draw='function draw(n) { state = state * 48271 % 2147483647; return int(state / 2147483647 * n) }
'

# qc_file Z: 12 x 24 random circulants; columns of three, one of eight, and a dual diagonal. Prints its path.
qc_file() {
    awk -v z="$1" "$draw"'BEGIN {
        state = 7
        print 24, 12, z
        for (c = 0; c < 12; c++)
            for (n = c == 0 ? 8 : 3; n; n--) {
                do
                    r = draw(12)
                while ((r, c) in shift)
                shift[r, c] = draw(z)
            }
        shift[0, 12] = shift[11, 12] = 1
        shift[6, 12] = 0
        for (r = 0; r < 11; r++)
            shift[r, 13 + r] = shift[r + 1, 13 + r] = 0
        for (r = 0; r < 12; r++) {
            text = ""
            for (c = 0; c < 24; c++)
                text = text (c ? " " : "") ((r, c) in shift ? shift[r, c] : -1)
            print text
        }
    }' >"$work/$1.qc"
    echo "$work/$1.qc"
}

# alist_file N: a random (3, 6) matrix; rows of six columns, out of three permutations. Prints its path.
alist_file() {
    awk -v n="$1" "$draw"'BEGIN {
        state = 1
        for (layer = 0; layer < 3; layer++) {
            for (c = 1; c <= n; c++)
                p[c] = c
            for (c = n; c > 1; c--) {
                d = 1 + draw(c)
                t = p[c]
                p[c] = p[d]
                p[d] = t
            }
            for (c = 1; c <= n; c++) {
                r = layer * n / 6 + int((c - 1) / 6) + 1
                column[p[c]] = column[p[c]] " " r
                row[r] = row[r] " " p[c]
            }
        }
        print n, n / 2
        print 3, 6
        for (c = 1; c <= n; c++)
            printf "3%s", c < n ? " " : "\n"
        for (r = 1; r <= n / 2; r++)
            printf "6%s", r < n / 2 ? " " : "\n"
        for (c = 1; c <= n; c++)
            print substr(column[c], 2)
        for (r = 1; r <= n / 2; r++)
            print substr(row[r], 2)
    }' >"$work/$1.alist"
    echo "$work/$1.alist"
}

nr_row 'NR, BG1, 46 rows' 1 46 -0.95 4000
nr_row 'NR, BG1, 24 rows' 1 24 1.36 4000
nr_row 'NR, BG1, 13 rows' 1 13 3.35 4000
nr_row 'NR, BG1, 5 rows' 1 5 6.1 4000
nr_row 'NR, BG2, 42 rows' 2 42 -3.4 4000
nr_row 'NR, BG1, 46 rows, oms' 1 46 -0.95 4000 --set ldpc.decode.check_rule=offset-min-sum
nr_row 'NR, BG1, 46 rows, flooding' 1 46 -0.1 4000 --set ldpc.decode.schedule=flooding
if wanted 'NR, BG1, 46 rows, f32'; then
    snr=-0.95 scale=esn0_db
    float=$(floats "$here/ldpc-nr.yaml")
    measure 'NR, BG1, 46 rows, f32' "$float" "$float" 8448 4000 $(nr 1 384 46 -0.95)
fi
code_row 'Wi-Fi 648, 1/2' 'code: wifi, n: 648, rate: 1/2' 324 1.6 67584 40000
code_row 'Wi-Fi 1944, 5/6' 'code: wifi, n: 1944, rate: 5/6' 1620 3.4 67584 20000
code_row 'WiMAX 2304, 1/2' 'code: wimax, n: 2304, rate: 1/2' 1152 1.4 67584 20000
code_row 'DVB-S2 normal, 1/2' 'code: dvbs2, frame: normal, rate: 1/2' 32400 1.4 2640 1000
code_row 'DVB-S2 short, 1/2' 'code: dvbs2, frame: short, rate: 1/2' 7200 1.6 10560 4000
for z in 127 256 512; do
    code_row "qc, z = $z" "code: qc, path: $(qc_file $z)" $((12 * z)) 1.7 33792 8000
done
for n in 1008 64800; do
    wanted "alist, n = $n" || continue
    blocks=67584 counted=40000 bits=$((n / 2 + 2)) at=2
    [ "$n" = 1008 ] || { blocks=528 counted=400 at=1.5; }
    code_row "alist, n = $n" "code: alist, path: $(alist_file $n)" "$bits" "$at" "$blocks" "$counted" \
        --set ldpc.encode.backend=ref
done

if [ "${ONLY-}" ]; then
    cat "$work/rows"
    exit
fi

{
    echo "## ldpc.decode, backend $DECODER, code by code"
    echo
    machine
    echo
    echo "Made by \`bench/ldpc-rows.sh\`$([ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'): 10^9 information bits a second, input and output on the device, medians of"
    echo "11 repeats, bits checked in the run. 10 iterations, no early stop, \`nms\`, layered, i8 LLRs of scale 8 unless the row"
    echo "says otherwise, NR with z = 384. dB: Es/N0 (NR) or Eb/N0. Wrong: blocks of those counted that this backend has wrong."
    echo "\`ref\`: the same with f32 LLRs on the same noise. The gap in dB comes from \`ref\` with 0.05 dB less."
    echo
    echo "| | blocks a batch | Gb/s | dB | counted | wrong | ref | ref, 0.05 dB less | gap, dB |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    cat "$work/rows"
} | put_section ldpc-rows
