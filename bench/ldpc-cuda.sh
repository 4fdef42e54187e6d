#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The speeds of ldpc.decode's CUDA backends on one GPU, with the error rates of the very same
# settings, into bench/results/ldpc.md. About two minutes. Variables: see lib.sh, and
#
#   DECODER   the decoder's backend (default: cuda)
#   DOCUMENT  the one that the multi-user batch is compared with (default: cuda-general)
#   BATCH     code blocks of z = 384 (default: 8448)
#   FRAMES    code blocks for an error rate (default: 4000)
#
# Without a GPU, to try the script:
#   QUICK=1 BACKEND= DECODER=simd DOCUMENT=ref REPORT=/tmp/r bench/ldpc-cuda.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
. "$here/ldpc.sh"
DECODER=${DECODER:-cuda}
DOCUMENT=${DOCUMENT:-cuda-general}
BATCH=${BATCH:-8448}
FRAMES=${FRAMES:-4000}
if [ "$QUICK" ]; then
    BATCH=4 FRAMES=20
fi
nr=$here/ldpc-nr.yaml

# try COMMAND...: what fails leaves a hole in the section, and the script ends with 1.
try() {
    "$@" && return
    note "FAILED: $*"
    : >"$work/json"
    touch "$work/failed"
}

# The decoder alone: it would absorb what has no backend of its own.
by_itself=${BACKEND:+--set ldpc.rate_recover.backend=$BACKEND}

# bench FILE DECODER BATCHES OPTION...: the lines to $work/json
bench() {
    bench_file=$1 bench_decoder=$2 bench_batches=$3
    shift 3
    try "$FECRUN" bench "$bench_file" --quiet --json "$work/json" ${BACKEND:+--backend "$BACKEND"} \
        --set ldpc.decode.backend="$bench_decoder" $by_itself \
        ${bench_batches:+--batches "$bench_batches"} "$@"
}

# batches of smaller z: as many bits
batch_of() { echo $((BATCH * 384 / $1)); }

# at BG ROWS: Es/N0 of QPSK with a block error rate of about 0.1
at() {
    case $1-$2 in
    1-5) echo 6.1 ;;
    1-13) echo 3.35 ;;
    1-24) echo 1.36 ;;
    1-46) echo -0.95 ;;
    2-42) echo -3.4 ;;
    esac
}
plus() { awk "BEGIN { print $1 + $2 }"; }

# speed BG ROWS OTHERS ALONE: a row of the first table
speed() {
    note "BG$1, $2 rows"
    bench "$nr" "$DECODER" "1,$BATCH" $(nr "$1" 384 "$2" "$(at "$1" "$2")")
    sed 's/"latency_us":{"p50":/"p50":/' "$work/json" >"$work/lines"
    fields "$work/lines" bench batch info_bits device_gbps spread end_to_end_gbps bound_gbps \
        bound_share p50 p99 fer pcie_h2d_gbs pcie_d2h_gbs pcie_both_gbs |
        awk -v name="BG$1, $2 rows" -v others="$3" -v alone="$4" \
            -v pcie="$work/pcie" '
        function number(x, format) { return x == "null" ? "-" : sprintf(format, x) }
        NR == 1 { kernel = $2 / $3 / 1000; one = $8; one99 = $9 }
        NR == 2 {
            printf "| %s | **%.2f** | %s | %.0f %% | %.2f | %s of %s | %.0f | %.1f (%s) | %.1f, %.1f | %.3f |\n",
                name, $3, others, 100 * $4, $5,
                $7 == "null" ? "-" : sprintf("%.0f %%", 100 * $7), number($6, "%.1f"),
                $8, kernel, alone, one, one99, $10
            if ($11 != "null")
                printf "%.1f GB/s in, %.1f GB/s out, %.1f GB/s both at once\n", $11, $12, $13 >pcie
        }' >>"$work/speed"
}

# early BG ROWS: a row of the table of early stop
early() {
    note "BG$1, $2 rows, early stop"
    row="| BG$1, $2 rows |"
    for more in 0 0.5; do
        esn0=$(plus "$(at "$1" "$2")" $more)
        bench "$nr" "$DECODER" "$BATCH" --stage-only $(nr "$1" 384 "$2" "$esn0") \
            --set ldpc.decode.early_stop=syndrome
        row="$row $(fields "$work/json" bench esn0_db device_gbps iterations_mean fer |
            awk '{ printf "%s dB | %.2f | %.2f | %.4f |", $1, $2, $3, $4 }')"
    done
    echo "$row" >>"$work/early"
}

# sizes ROWS Z...: rows of the table of lifting sizes, BG1
sizes() {
    rows=$1
    shift
    : >"$work/sizes-$rows"
    for z in 384 "$@"; do
        note "z = $z, $rows rows"
        bench "$nr" "$DECODER" "$(batch_of "$z")" --stage-only $(nr 1 "$z" "$rows" "$(at 1 "$rows")")
        { fields "$work/json" bench batch device_gbps fer; echo '- - -'; } | head -n 1 |
            sed "s/^/$z /" >>"$work/sizes-$rows"
    done
}

# sweep_batch BG ROWS: lines "BATCH GBPS P50"
sweep_batch() {
    note "batches of BG$1, $2 rows"
    list=1,2,8,32,132,264,1056,4224,8448,16896
    [ -z "$QUICK" ] || list=1,2,4
    bench "$nr" "$DECODER" "$list" $(nr "$1" 384 "$2" "$(at "$1" "$2")")
    sed 's/"latency_us":{"p50":/"p50":/' "$work/json" >"$work/lines"
    fields "$work/lines" bench batch device_gbps end_to_end_gbps p50 >"$work/batch-$2"
}

# errors BG ROWS: the same frames in DECODER and in ref
errors() {
    note "BG$1, $2 rows: error rates of $DECODER and ref"
    row="| BG$1, $2 rows | $(at "$1" "$2") dB |"
    for decoder in "$DECODER" ref; do
        try "$FECRUN" run "$nr" --quiet --json "$work/json" ${BACKEND:+--backend "$BACKEND"} \
            --set ldpc.decode.backend="$decoder" $(nr "$1" 384 "$2" "$(at "$1" "$2")") \
            --set stop.frames="$FRAMES" --set stop.frame_errors=1000000
        row="$row $(fields "$work/json" point frame_errors fer_lo fer_hi ber frames |
            awk '{ printf "%d of %d | %.3f .. %.3f | %.2e |", $1, $5, $2, $3, $4 }')"
    done
    echo "$row" >>"$work/errors"
}

# ---- Many users ----

# classes: lines "COUNT BG Z BITS E EDGES" of ldpc-multiuser.yaml
classes() {
    sed -n 's/.*count: \([0-9]*\), bg: \([0-9]*\), z: \([0-9]*\), *bits: \([0-9]*\), *e: \([0-9]*\)}/\1 \2 \3 \4 \5/p' \
        "$here/ldpc-multiuser.yaml" | while read -r count bg z bits e; do
        echo "$count $bg $z $bits $e $(($(edges "$bg" $((e / z - 32 + 12 * bg))) * z))"
    done
}

# many COUNT: the pipeline with so many blocks of each class; prints its path
many() {
    { echo count,bg,z,bits,e; awk -v count="$1" '{ print count "," $2 "," $3 "," $4 "," $5 }' \
        "$work/classes"; } >"$work/users.csv"
    { sed '/^blocks:/,/^pipeline:/{/^pipeline:/!d}' "$here/ldpc-multiuser.yaml"
        echo 'blocks: users.csv'; } >"$work/many.yaml"
    echo "$work/many.yaml"
}

# users NAME FILE DECODER EDGES BITS UNIFORM OPTION...: a row; EDGES and BITS of the batch, UNIFORM:
# edges a second of uniform batches; edges times 10 iterations a second to $work/rate
users() {
    name=$1 file=$2 decoder=$3 work_edges=$4 work_bits=$5 uniform=$6
    shift 6
    note "$name"
    bench "$file" "$decoder" "" "$@"
    line | sed 's/"end_to_end_gbps":null/"end_to_end_gbps":0/' >"$work/lines"
    fields "$work/lines" bench device_gbps end_to_end_gbps p50 fer batch | awk -v name="$name" \
        -v edges="$work_edges" -v bits="$work_bits" -v uniform="$uniform" -v rate="$work/rate" '
        {
            r = $1 / bits * edges * 10
            print r >rate
            printf "| %s | %s | %.2f | %.1f | %s | %s | %s | %.4f |\n", name, $5, $1, r,
                uniform ? sprintf("%.0f %%", 100 * r / uniform) : "", $2 ? sprintf("%.2f", $2) : "-",
                $3 == "null" ? "-" : sprintf("%.0f", $3), $4
        }' >>"$work/users"
}

# sum COLUMN COUNT: of the classes' column, that many blocks each
sum() { awk -v c="$1" -v count="$2" '{ n += $c } END { printf "%.0f", n * count }' "$work/classes"; }

# alone COUNT: edges a second if each class had the GPU for itself, from uniform batches as large
alone() {
    blocks=$(($1 * $(wc -l <"$work/classes")))
    while read -r _ bg z bits e edges; do
        bench "$nr" "$DECODER" "$blocks" --stage-only \
            $(nr "$bg" "$z" $((e / z - 32 + 12 * bg)) 6.5) </dev/null
        [ ! -s "$work/json" ] || echo "$bits $edges $(fields "$work/json" bench device_gbps)"
    done <"$work/classes" | awk '{ edges += $2; time += $1 / $3 } END { print time ? 10 * edges / time : 0 }'
}

many_users() {
    classes >"$work/classes"
    one= each=
    if [ "$DOCUMENT" = cuda-general ]; then
        one='--set ldpc.decode.tune.launch=one' each='--set ldpc.decode.tune.launch=per-class'
    fi
    note "the classes of the multi-user batch alone"
    uniform=$(alone "${USERS%% *}")
    for count in $USERS; do
        file=$(many "$count") e=$(sum 6 "$count") b=$(sum 4 "$count")
        users "$DECODER" "$file" "$DECODER" "$e" "$b" "$uniform"
        [ "$DECODER" != cuda ] || users "cuda, compiled for each class" "$file" cuda "$e" "$b" \
            "$uniform" --set ldpc.decode.tune.kernel=compiled
        users "$DOCUMENT, one launch" "$file" "$DOCUMENT" "$e" "$b" "$uniform" $one
        users "$DOCUMENT, a launch a class" "$file" "$DOCUMENT" "$e" "$b" "$uniform" $each
        same=$(awk -v e="$e" -v block="$(($(edges 1 24) * 384))" 'BEGIN { printf "%.0f", e / block }')
        note "uniform batch of the same work: $same blocks"
        bench "$nr" "$DECODER" "$same" $(nr 1 384 24 6.5)
        line >"$work/lines"
        fields "$work/lines" bench device_gbps end_to_end_gbps p50 fer batch | awk \
            -v edges="$(($(edges 1 24) * 384))" -v uniform="${uniform:-0}" '{
                r = $1 / 8448 * edges * 10
                printf "| %s, BG1, z = 384, 24 rows, the same work | %s | %.2f | %.1f | %.0f %% | %.2f | %.0f | %.4f |\n",
                    "'"$DECODER"'", $5, $1, r, uniform ? 100 * r / uniform : 0, $2, $3, $4 }' >>"$work/users"
    done
}

# ---- All of it ----

: >"$work/speed"; : >"$work/early"; : >"$work/errors"; : >"$work/users"; : >"$work/pcie"
speed 1 46 '12.5, 35.5' '109, 68'
speed 1 24 '19.4, 55.6' '-'
speed 1 13 '28.2, 85' '-'
speed 1 5 '51.7, 152' '37, 20'
speed 2 42 '9.1, 35' '-'
early 1 46; early 1 24; early 1 13; early 1 5; early 2 42
SIZES='256 16 24 320 20 224 14 288 18 352 22 208 13 240 15' USERS='704 64'
[ -z "$QUICK" ] || SIZES='256 16' USERS='2 1'
sizes 46 $SIZES
sizes 5 $SIZES
sweep_batch 1 46
sweep_batch 1 5
many_users
errors 1 46; errors 1 24; errors 1 13; errors 1 5; errors 2 42

{
    echo "## ldpc.decode, backend $DECODER"
    echo
    machine
    echo
    echo "Made by \`bench/ldpc-cuda.sh\`$( [ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'), settings in \`bench/ldpc-nr.yaml\`. 10^9 information bits a second"
    echo "(22 z or 10 z a block), medians of 11 repeats, bits checked in the same run; i8 LLRs, 10 iterations,"
    echo "\`nms\`, layered, last row first. Only the bits that the rows reach are sent."
    echo
    echo "No early stop, z = 384, $BATCH blocks, Es/N0 of QPSK with a block error rate of about 0.1. \"Device\": input"
    echo "and output on the device; \"whole\": from pinned to pinned memory, copies overlapped. Copies alone:"
    echo "$( [ -s "$work/pcie" ] && cat "$work/pcie" || echo 'not measured'). In \"others\": Aerial cuPHY's kernels (fp16) and a throw-away"
    echo "prototype of ours on an H200. One block alone: microseconds a call when calls are queued back to back,"
    echo "in brackets the others; and from host to host."
    echo
    echo "| | device | others | spread | whole | of the copies' bound | p50 us a batch | one block, us (others) | host to host p50, p99 us | BLER |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    cat "$work/speed"
    echo
    echo "Early stop on the syndrome, device, at about BLER 0.1 and 0.5 dB more:"
    echo
    echo "| | Es/N0 | Gb/s | iterations | BLER | Es/N0 | Gb/s | iterations | BLER |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    cat "$work/early"
    echo
    echo "Lifting sizes, BG1, the same Es/N0 and as many bits in a batch. \"Share\": of the rate of z = 384. For the same rows"
    echo "that is the rate per edge."
    echo
    echo "| z | blocks | 46 rows, Gb/s | share | BLER | 5 rows, Gb/s | share | BLER |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
    paste -d ' ' "$work/sizes-46" "$work/sizes-5" | awk '
        NR == 1 { a = $3; b = $7 }
        { printf "| %s | %s | %.2f | %.0f %% | %.3f | %.2f | %.0f %% | %.3f |\n", $1, $2, $3,
            100 * $3 / a, $4, $7, 100 * $7 / b, $8 }'
    echo
    echo "Batches, BG1, z = 384:"
    echo
    echo "| blocks | 46 rows: device Gb/s | whole Gb/s | p50 us | 5 rows: device Gb/s | whole Gb/s | p50 us |"
    echo "| --- | --- | --- | --- | --- | --- | --- |"
    paste -d ' ' "$work/batch-46" "$work/batch-5" | awk \
        '{ printf "| %s | %.2f | %.2f | %.1f | %.2f | %.2f | %.1f |\n", $1, $2, $3, $4, $6, $7, $8 }'
    echo
    echo "Many users: 12 cells of 12 classes (\`bench/ldpc-multiuser.yaml\`; $USERS blocks of each) in one batch."
    echo "\"Edges\": 10^9 edges of the graphs a second, times 10 iterations. \"Share\": of what the 12 classes reach together in"
    echo "$DECODER, each alone in a uniform batch of as many blocks as the largest of these batches, with the times added up."
    echo
    echo "| | blocks | Gb/s | edges | share | whole Gb/s | p50 us | BLER |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
    cat "$work/users"
    echo
    echo "The same frames decoded by $DECODER and by ref (floats), no early stop:"
    echo
    echo "| | Es/N0 | $DECODER: block errors | BLER 95 % | BER | ref: block errors | BLER 95 % | BER |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
    cat "$work/errors"
} | put_section ldpc-cuda
[ ! -f "$work/failed" ] || { echo "some of it failed: see above" >&2; exit 1; }
