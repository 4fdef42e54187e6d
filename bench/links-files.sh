#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# i8 LLRs that lie in host memory, decoded on one GPU, into bench/results/chain.md: information bits per second of
# whole runs of files in the page cache, and of NR code blocks of which only the LLRs that were sent come
# from pinned memory (`fecrun bench`, end to end). Half a minute; /dev/shm is where the files are, if there
# is one. Variables: see lib.sh, and
#
#   RUNS     of each row, of which the fastest counts (default: 3)
#   BITS     of a timed run, 10^9 (default: 16): the file is read again and again
#   SAMPLE   frames of which the errors are counted (default: 256)
#   MIB      of a file (default: 1024)
#   BATCH    NR code blocks of a batch from pinned memory (default: 8448)
#   ROWS     a grep -E pattern of rows (default: all)
#
# Without a GPU, to try the script: QUICK=1 BACKEND= REPORT=/tmp/r bench/links-files.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
. "$here/ldpc.sh"
RUNS=${RUNS:-3} BITS=${BITS:-16} SAMPLE=${SAMPLE:-256} MIB=${MIB:-1024} ROWS=${ROWS:-.} BATCH=${BATCH:-8448}
if [ "$QUICK" ]; then
    RUNS=1 BITS=0.0001 SAMPLE=4 MIB=1 BATCH=4
fi
files=$(mktemp -d -p "$([ -d /dev/shm ] && echo /dev/shm || echo "$work")")
trap 'rm -rf "$work" "$files"' EXIT
: >"$work/speed"
: >"$work/shares"
: >"$work/pinned"

# ran FILE FRAMES OPTION...: a run of so many frames, its lines to $work/json
ran() {
    ran_file=$1 ran_frames=$2
    shift 2
    "$FECRUN" run "$ran_file" --quiet --json "$work/json" ${BACKEND:+--backend "$BACKEND"} \
        --set stop.frames="$ran_frames" --set stop.frame_errors=1000000000 --set stop.seconds=60 "$@"
}

# The stages of $work/link.yaml up to the quantiser, and what comes behind it.
front() { sed '/llr.quantize/q' "$work/link.yaml"; }
behind() { sed '1,/llr.quantize/d; /sink.errors/d' "$work/link.yaml"; }

# Of $work/link.yaml: its LLRs and bits to files, SAMPLE frames once and as many as MIB has.
make_files() {
    { front && echo "  - sink.file: {path: $files/once, format: raw}"; } >"$work/p.yaml"
    ran "$work/p.yaml" "$SAMPLE"
    { sed '/source.random/q' "$work/link.yaml" && echo "  - sink.file: {path: $files/bits.npy, dtype: u1}"; } >"$work/p.yaml"
    ran "$work/p.yaml" "$SAMPLE"
    cp "$files/once" "$files/llrs"
    while [ "$(wc -c <"$files/llrs")" -lt $((MIB << 20)) ]; do
        cat "$files/llrs" "$files/llrs" >"$files/twice"
        mv "$files/twice" "$files/llrs"
    done
}

# receiver FILE SINK MORE: a pipeline that decodes this file of $llrs LLRs a frame
receiver() {
    printf 'fecrun: 1\npipeline:\n  - source.file: {path: %s, kind: llr, dtype: i8, frame: %s, llr_scale: %s%s}\n' \
        "$files/$1" "$llrs" "$scale" "$3"
    behind
    echo "  - $2"
}

# row NAME BITS LLRS SCALE SOURCE: of $work/link.yaml; a frame's BITS and LLRs; SOURCE: more of source.file
row() {
    row_name=$1 bits=$2 llrs=$3 scale=$4 more=$5
    echo "$row_name" | grep -qE "$ROWS" || return 0
    note "$row_name"
    make_files
    ran "$work/link.yaml" "$SAMPLE"
    right=$(fields "$work/json" point frames bit_errors frame_errors)
    receiver once "sink.errors: {reference: $files/bits.npy}" "$more" >"$work/p.yaml"
    ran "$work/p.yaml" "$SAMPLE"
    got=$(fields "$work/json" point frames bit_errors frame_errors)
    frames=$(awk "BEGIN { printf \"%d\", $BITS * 1e9 / $bits + 1 }")
    receiver llrs 'sink.file: {path: /dev/null, dtype: packed}' "$more, loop: true" >"$work/p.yaml"
    best=$(for i in $(seq "$RUNS"); do
        ran "$work/p.yaml" "$frames"
        fields "$work/json" point info_mbps
    done | sort -n | tail -n 1)
    same=yes
    [ "$right" = "$got" ] || same="NO: $right, $got"
    awk -v name="$row_name" -v mbps="$best" -v ratio="$llrs $bits" -v same="$same" '
        BEGIN {
            split(ratio, of, " ")
            printf "| %s | **%.1f** | %.1f | %s |\n", name, mbps / 1000,
                mbps / 1000 * of[1] / of[2], same
        }' >>"$work/speed"
    tail -n 1 "$work/speed" >&2 # what there is, should it not come to the end
    "$FECRUN" run "$work/p.yaml" ${BACKEND:+--backend "$BACKEND"} --stats --set stop.frames="$frames" |
        awk -v name="$row_name" '
            $1 ~ /^[a-z]+\.[a-z_]+$/ && / %/ { share[++n] = $1 " " sprintf("%.0f", $(NF - 2)) }
            END {
                printf "| %s |", name
                for (i = 1; i <= n; i++)
                    printf "%s %s", (i > 1 ? "," : ""), share[i]
                print " |"
            }' >>"$work/shares"
}

# The receiver knows the code from no encoder.
k7() {
    sed 's/^batch:.*//; s/^stop:.*//; s/ebn0_db: 4.0/ebn0_db: 3.5/; s/scale: 1.25/scale: 1.4/' \
        "$here/viterbi-k7.yaml" >"$work/link.yaml"
    row "$1" 4096 8204 1.4 "$2"
}
k7 'K = 7, frames of 4096 bits, llr_max given' ', llr_max: 10'
k7 'the same, llr_max not given' ''
sed "s/ldpc.rate_match:.*/ldpc.rate_match: {bg: 1, z: 384, e: 9600}/
    s/esn0_db: [-0-9.]*/esn0_db: 6.1/" "$here/ldpc-nr.yaml" >"$work/link.yaml"
row "NR base graph 1, 5 rows, the sent LLRs" 8448 9600 8 ''

# pinned ROWS ESN0: batches of BATCH code blocks
pinned() {
    pinned_name="NR base graph 1, $1 rows"
    echo "$pinned_name, pinned" | grep -qE "$ROWS" || return 0
    note "$pinned_name, pinned"
    pinned_e=$((($1 + 20) * 384))
    "$FECRUN" bench "$here/ldpc-nr.yaml" --quiet --json "$work/json" ${BACKEND:+--backend "$BACKEND"} \
        $(nr 1 384 "$1" "$2") --batches "$BATCH"
    line >"$work/line"
    fields "$work/line" bench end_to_end_gbps device_gbps ber fer |
        awk -v name="$pinned_name" -v e=$pinned_e \
            '{ printf "| %s | **%.1f** | %.1f | %.1f | %.2e | %.3f |\n", name, $1,
                $1 * e / 8448, $2, $3, $4 }' >>"$work/pinned"
    tail -n 1 "$work/pinned" >&2
}
pinned 5 6.1
pinned 13 3.35
pinned 24 1.36
pinned 46 -0.95

{
    echo "## LLRs from host memory on one GPU"
    echo
    machine
    echo
    echo "Made by \`bench/links-files.sh\`$([ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'): files of $MIB MiB of i8 LLRs in the page cache, read again and again, decoded, and"
    echo "the bits written (packed, to /dev/null). 10^9 information bits a second of whole runs, the fastest of $RUNS of $BITS Gbit."
    echo "\"Same\": $SAMPLE frames of the file have as many errors as in the simulation that made it."
    echo
    echo "| | Gb/s | GB/s of the file | same |"
    echo "| --- | --- | --- | --- |"
    cat "$work/speed"
    echo
    echo "NR code blocks: the LLRs that were sent come from pinned memory, and the bits go back there. 10^9 information bits a"
    echo "second end to end, batches of $BATCH:"
    echo
    echo "| | Gb/s | GB/s of LLRs | on the device alone | BER | BLER |"
    echo "| --- | --- | --- | --- | --- | --- |"
    cat "$work/pinned"
    echo
    echo "Shares of the time (\`--stats\`), percent:"
    echo
    echo "| | |"
    echo "| --- | --- |"
    cat "$work/shares"
} | put_section links-files
