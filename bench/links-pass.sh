#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# One pass over a file of i8 LLRs (K = 7, rate 1/2), the program's start and end included, into bench/results/chain.md:
# from a file to packed bits in another one, both in /dev/shm, on the CPU and on a device. Half a minute.
# Variables: see lib.sh, and
#
#   OTHER    another build's fecrun, run in turn with this one; FECRUN_PLUGIN_PATH of it: OTHER_PLUGINS
#   RUNS     of each row, of which the fastest counts (default: 5)
#   MIB      of the file (default: 2048)
#   DISK     a folder on a disk: two more rows, of a quarter of the file, which is dropped from the page cache before
#            each run
#
# Without a GPU, to try the script: QUICK=1 BACKEND= REPORT=/tmp/r bench/links-pass.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
OTHER=${OTHER-} OTHER_PLUGINS=${OTHER_PLUGINS-} RUNS=${RUNS:-5} MIB=${MIB:-2048} DISK=${DISK-}
[ -z "$QUICK" ] || RUNS=1 MIB=1
files=$(mktemp -d -p "$([ -d /dev/shm ] && echo /dev/shm || echo "$work")")
trap 'rm -rf "$work" "$files"' EXIT
frames=$((MIB * 1048576 / 8204))
: >"$work/table"

# pass FILE FRAME MORE: the pipeline; frames of so many LLRs, 0: a stream
pass() {
    printf 'fecrun: 1\npipeline:\n  - source.file: {path: %s, kind: llr, dtype: i8, frame: %s, llr_scale: 1.25, llr_max: 10%s}\n' "$1" "$2" "$3"
    printf '  - viterbi.decode: {code: ieee80211%s}\n' "$([ "$2" != 0 ] || echo ', termination: continuous')"
    printf '  - sink.file: {path: %s, dtype: packed}\n' "$files/bits"
}

# once PLUGINS PROGRAM OPTION...: milliseconds of a run of $work/pass.yaml
once() {
    once_plugins=$1 once_program=$2
    shift 2
    [ -z "$cold" ] || dd if="$cold" iflag=nocache count=0 status=none
    once_begin=$(date +%s%N)
    env ${once_plugins:+FECRUN_PLUGIN_PATH="$once_plugins"} "$once_program" run "$work/pass.yaml" --quiet "$@"
    echo $((($(date +%s%N) - once_begin) / 1000000))
}

# row NAME FRAMES OPTION...: of $work/pass.yaml
row() {
    row_name=$1 row_frames=$2
    shift 2
    note "$row_name"
    rm -f "$work/ours" "$work/theirs"
    for _ in $(seq "$RUNS"); do
        once "${FECRUN_PLUGIN_PATH-}" "$FECRUN" "$@" >>"$work/ours"
        [ -z "$OTHER" ] || once "$OTHER_PLUGINS" "$OTHER" "$@" >>"$work/theirs"
    done
    row_sum=$(cksum <"$files/bits")
    once "${FECRUN_PLUGIN_PATH-}" "$FECRUN" "$@" >"$work/last"
    [ "$row_sum" = "$(cksum <"$files/bits")" ] || echo "$row_name: the other program's bits differ" >&2
    row_best=$(sort -n "$work/ours" | head -n 1)
    awk -v name="$row_name" -v frames="$row_frames" -v best="$row_best" -v all="$(sort -n "$work/ours" | tr '\n' ' ')" \
        -v other="$([ -z "$OTHER" ] || sort -n "$work/theirs" | tr '\n' ' ')" 'BEGIN {
            printf "| %s | %s| %s| **%.2f** |\n", name, other == "" ? "- " : other, all, frames * 4096 / (best + 1e-3) / 1e6 }' >>"$work/table"
    tail -n 1 "$work/table" >&2
}

sed "s/^batch:.*//; s/^stop:.*/stop: {frames: $frames}/; /viterbi.decode/d
    s#sink.errors:.*#sink.file: {path: $files/llrs, format: raw}#" "$here/viterbi-k7.yaml" >"$work/make.yaml"
"$FECRUN" run "$work/make.yaml" --quiet ${BACKEND:+--backend "$BACKEND"}
cold=
for backend in simd ${BACKEND:+$BACKEND}; do
    pass "$files/llrs" 8204 '' >"$work/pass.yaml"
    row "frames of 4096 bits, \`$backend\`" "$frames" --backend "$backend"
    row "64 of them, \`$backend\`" 64 --backend "$backend" --set stop.frames=64
    pass "$files/llrs" 0 '' >"$work/pass.yaml"
    row "one stream, \`$backend\`" "$frames" --backend "$backend"
done
if [ "$DISK" ]; then
    cold=$(mktemp -p "$DISK")
    trap 'rm -rf "$work" "$files" "$cold"' EXIT
    head -c $((frames / 4 * 8204)) "$files/llrs" >"$cold"
    sync -f "$cold"
    pass "$cold" 8204 '' >"$work/pass.yaml"
    for backend in simd ${BACKEND:+$BACKEND}; do
        row "a quarter of the frames, from a disk, \`$backend\`" $((frames / 4)) --backend "$backend"
    done
fi
{
    echo "## One pass over a file"
    echo
    machine
    echo
    echo "Made by \`bench/links-pass.sh\`$([ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'): K = 7, $frames frames of 4096 bits from $MIB MiB of i8 LLRs in /dev/shm, or one stream; packed bits to a"
    echo "file there. Milliseconds of the whole process, all runs in order of size, and Gb/s of information bits of the"
    echo "fastest. The other program is run in turn, and its bits are compared."
    echo
    echo "| | other, ms | ms | Gb/s |"
    echo "| --- | --- | --- | --- |"
    cat "$work/table"
} | put_section links-pass
