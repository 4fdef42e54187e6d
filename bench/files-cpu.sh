#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Files in the page cache (TMPDIR=/dev/shm: no disk behind it): bytes of the file per second of CPU
# time (user and system), and the multiple of another build's, run in turn with this one, which a busy
# machine changes less.
#
#     bench/files-cpu.sh [OTHER/build]
#
#   RUNS      of each build and row, of which the fastest counts (default: 5)
#   CPU       to run on (default: 0)
#   ROWS      a grep -E pattern of rows (default: all)
#   MIB       size of each file (default: 256)
# and FECRUN, QUICK as in lib.sh.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
base=${1:+$1/fecrun}
RUNS=${RUNS:-5} CPU=${CPU:-0} ROWS=${ROWS:-.} MIB=${MIB:-256}
[ -z "$QUICK" ] || MIB=2

# Small magnitudes of both signs in all types, and no NaN.
pattern() { printf '\001\000\000\077\001\000\000\277'; }
# As many bytes as the file is to have, by doubling.
make_data() {
    pattern >"$work/data"
    n=8
    while [ "$n" -lt $((MIB << 20)) ]; do
        cat "$work/data" "$work/data" >"$work/twice"
        mv "$work/twice" "$work/data"
        n=$((2 * n))
    done
}

# read KIND DTYPE ITEMS OPTIONS
reads() {
    printf 'fecrun: 1\npipeline:\n  - source.file: {path: data, kind: %s, dtype: %s, frame: %s%s}\n' \
        "$1" "$2" "$3" "${4-}"
    echo '  - sink.null: {}'
}
# writes DTYPE: bits that were read; where they go to costs nothing
writes() {
    printf 'fecrun: 1\npipeline:\n  - source.file: {path: data, kind: bits, dtype: packed, frame: 8192}\n'
    printf '  - sink.file: {path: /dev/null, dtype: %s}\n' "$1"
}

# Name, times the file's bytes, what makes the pipeline.
rows() {
    cat <<END
read i8:1:reads llr i8 8192
read i8, llr_max 100:1:reads llr i8 8192 ', llr_max: 100'
read i16, llr_max 30000:1:reads llr i16 8192 ', llr_max: 30000'
read f32:1:reads llr f32 8192
read f32, llr_max 100:1:reads llr f32 8192 ', llr_max: 100'
read packed bits:1:reads bits packed 8192
write packed bits (/dev/null):1:writes packed
write bits as bytes (/dev/null):8:writes u1
END
}

# CPU seconds of one run of that program; - if it fails.
seconds() {
    (
        taskset -c "$CPU" "$1" run "$work/row.yaml" --threads 1 --quiet >/dev/null 2>&1 || echo failed
        times
    ) | sed 's/[ms]/ /g' | awk '/failed/ { bad = 1 } { s = 60 * $1 + $2 + 60 * $3 + $4 } END { print bad ? "-" : s }'
}

least() { awk -v a="$1" -v b="$2" 'BEGIN { print a == "" || b < a ? b : a }'; }

# NAME TIMES: of $work/row.yaml
measure() {
    ours= theirs=
    for i in $(seq "$RUNS"); do
        ours=$(least "$ours" "$(seconds "$FECRUN")")
        [ -z "$base" ] || theirs=$(least "$theirs" "$(seconds "$base")")
    done
    awk -v name="$1" -v gb="$(($2 * (MIB << 20)))" -v ours="$ours" -v theirs="$theirs" 'BEGIN {
        gb /= 1e9
        ours = ours > 0 ? ours : 1e-3 # QUICK: less than the clock can tell
        theirs = theirs == "" || theirs > 0 ? theirs : 1e-3
        printf "| %s | %.2f | %s | %s |\n", name, gb / ours,
            theirs == "" ? "-" : sprintf("%.2f", gb / theirs),
            theirs == "" ? "-" : sprintf("%.1f", theirs / ours) }'
}

make_data
echo "| | GB/s | the other's | multiple |"
echo "| --- | --- | --- | --- |"
rows | grep -E "$ROWS" | while IFS=: read -r name times make; do
    eval "$make" >"$work/row.yaml"
    measure "$name" "$times"
done
