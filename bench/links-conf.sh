#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every simulation in conf/ as it is, on one GPU (BACKEND=simd: on one core) into bench/results/chain.md:
# information bits a second of the whole run and of its decoder alone, the stages that take most of the time,
# and whether a sample has the same counts where the host decodes it. The last point of a sweep. Two minutes.
# Variables: see lib.sh, and
#
#   SECONDS_EACH   of a timed run (default: 2)
#   SAMPLE         frames that are compared (default: 1000)
#   ROWS           a grep -E pattern of files (default: all)
#
# Without a GPU, to try the script: QUICK=1 BACKEND=simd REPORT=/tmp/r bench/links-conf.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
SECONDS_EACH=${SECONDS_EACH:-2} SAMPLE=${SAMPLE:-1000} ROWS=${ROWS:-.}
[ -z "$QUICK" ] || SECONDS_EACH=0.1 SAMPLE=20
on=${BACKEND:+--backend "$BACKEND"}
[ "$BACKEND" != simd ] || on="--threads 1"
: >"$work/table"

# last_point FILE OPTION...: its last point alone, to $work/json
last_point() {
    point_file=$1
    shift
    "$FECRUN" run "$point_file" --quiet --json "$work/all" --set stop.frame_errors=1000000000000 "$@" 2>"$work/words" || {
        cat "$work/words" >&2
        return 1
    }
    grep '"type":"point"' "$work/all" | tail -n 1 >"$work/json"
}

counts() { fields "$work/json" point frames bit_errors frame_errors; }

row() {
    row_file=$1 row_name=$(basename "$1" .yaml)
    grep -q 'source.random' "$row_file" && grep -q '\.decode' "$row_file" || return 0
    ! grep -q 'sink.file\|source.file\|stream: true' "$row_file" || return 0
    echo "$row_name" | grep -qE "$ROWS" || return 0
    note "$row_name"
    last_point "$row_file" $on --set stop.frames=1000000000000 --set stop.seconds="$SECONDS_EACH" || return 0
    row_whole=$(fields "$work/json" point info_mbps)
    row_alone=null row_batch=
    grep -q '^blocks:' "$row_file" || # as large as in the run
        row_batch="--batches $(grep -o '"batch":[0-9]*' "$work/all" | head -n 1 | cut -d : -f 2)"
    if "$FECRUN" bench "$row_file" $on --stage-only --quiet --json "$work/bench" $row_batch >/dev/null 2>&1; then
        row_alone=$({ grep -o '"device_gbps":[0-9.]*' "$work/bench" || grep -o '"gbps":[0-9.]*' "$work/bench"; } |
            cut -d : -f 2 | sort -g | tail -n 1)
    fi
    row_same=yes
    last_point "$row_file" $on --set stop.frames="$SAMPLE"
    row_got=$(counts)
    last_point "$row_file" --backend auto --set stop.frames="$SAMPLE" || row_same=-
    [ "$row_got" = "$(counts)" ] || row_same="no: $row_got, $(counts)"
    row_most=$("$FECRUN" run "$row_file" $on --stats --set in_flight=1 --set stop.frames=1000000000000 \
        --set stop.frame_errors=1000000000000 --set stop.seconds="$SECONDS_EACH" 2>/dev/null |
        awk '$1 ~ /^[a-z]+\.[a-z_]+$/ && / %/ { printf "%d %s\n", $(NF - 2), $1 }' | sort -rn |
        awk 'NR < 4 { printf "%s%s %d", (NR > 1 ? ", " : ""), $2, $1 }')
    awk -v name="$row_name" -v whole="$row_whole" -v alone="${row_alone:-null}" -v same="$row_same" \
        -v most="$row_most" 'BEGIN {
            known = alone + 0 > 0
            printf "| %s | %s | **%.3g** | %s | %s | %s |\n", name, known ? sprintf("%.3g", alone) : "-",
                whole / 1000, known ? sprintf("%.0f %%", whole / 10 / alone) : "-", most, same }' >>"$work/table"
    tail -n 1 "$work/table" >&2
}

for file in "$here"/../conf/*.yaml; do row "$file"; done
{
    echo "## The files of conf/ as they are"
    echo
    machine
    echo
    echo "Made by \`bench/links-conf.sh\`$([ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'): 10^9 information bits a second, runs of $SECONDS_EACH s, the last point of a sweep."
    echo "\"Most\": the three slowest stages and their share of the time in percent, one batch at a time (\`--stats\`)."
    echo "\"As on the host\": $SAMPLE frames have the same counts there."
    echo
    echo "| file | decoder alone | whole run | share | most | as on the host |"
    echo "| --- | --- | --- | --- | --- | --- |"
    cat "$work/table"
} | put_section links-conf
