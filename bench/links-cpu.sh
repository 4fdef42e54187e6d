#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Whole simulations on one core, noise included: information bits per second of CPU time (user), and
# the multiple of another build's, run in turn with this one, which a busy machine changes less. Every
# row says whether both count the same errors.
#
#     bench/links-cpu.sh [OTHER/build]
#
#   RUNS      of each build and row, of which the fastest counts (default: 5)
#   CPU       to run on (default: 0)
#   ROWS      a grep -E pattern of rows (default: all)
# and FECRUN, QUICK as in lib.sh.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
base=${1:+$1/fecrun}
RUNS=${RUNS:-5} CPU=${CPU:-0} ROWS=${ROWS:-.}

# noise SCHEME EBN0 SCALE
noise() {
    printf '  - modem.map: {scheme: %s}\n  - channel.awgn: {ebn0_db: %s}\n  - modem.demap: {}\n' "$1" "$2"
    printf '  - llr.quantize: {type: i8, scale: %s%s}\n' "$3" "${4-}"
}
# N frames, or few
some() { if [ -n "$QUICK" ]; then echo 64; else echo "$1"; fi; }
begin() { printf 'fecrun: 1\nseed: 1\npipeline:\n  - source.random: {bits: %s}\n' "$1"; }
end() {
    printf '  - sink.errors: {}\nstop: {frames: %s, frame_errors: 1000000000}\n' \
        "$(some "$1")"
}

k7() {
    begin 4096
    echo '  - conv.encode: {code: ieee80211}'
    noise bpsk 4 1.2 ', max: 10'
    echo '  - viterbi.decode: {code: ieee80211}'
    end 80000
}

# What a decoder shares with its encoder is written out, for older builds.
# ldpc BITS CODE EBN0 OPTIONS FRAMES
ldpc() {
    begin "$1"
    echo "  - ldpc.encode: {$2}"
    noise bpsk "$3" 8
    echo "  - ldpc.decode: {$2, $4}"
    end "$5"
}

# nr E EBN0
nr() {
    begin 8448
    echo '  - ldpc.encode: {code: nr, bg: 1, z: 384}'
    echo "  - ldpc.rate_match: {bg: 1, z: 384, e: $1, qm: 2}"
    noise qpsk "$2" 8
    echo '  - ldpc.rate_recover: {bg: 1, z: 384, qm: 2}'
    echo '  - ldpc.decode: {code: nr, bg: 1, z: 384, iterations: 10, early_stop: none}'
    end 6000
}

# A frame of BITS through SCHEME; what comes out is not counted.
bare() {
    begin "$2"
    noise "$1" 4 1.2
    printf '  - sink.null: {}\nstop: {frames: %s}\n' "$(some "$3")"
}

# Name, bits a frame, what makes the file.
rows() {
    cat <<END
K=7, 4096 bits, 4 dB:4096:k7
bare chain, BPSK:4096:bare bpsk 4096 60000
bare chain, 64QAM:4080:bare 64qam 4080 60000
Wi-Fi 540/648, 10 iterations:540:ldpc 540 'code: wifi, n: 648, rate: 5/6' 4 'iterations: 10, early_stop: none' 100000
WiMAX 288/576, 10 iterations:288:ldpc 288 'code: wimax, n: 576, rate: 1/2' 2 'iterations: 10, early_stop: none' 100000
NR BG1, 46 rows:8448:nr 25344 1
NR BG1, 13 rows:8448:nr 12672 2
NR BG1, 5 rows:8448:nr 9600 4
Wi-Fi 324/648, up to 50, 2 dB:324:ldpc 324 'code: wifi, n: 648, rate: 1/2' 2 'iterations: 50' 100000
END
}

# User seconds of one run of that program; its result goes to $work/FILE.
seconds() {
    (
        taskset -c "$CPU" "$1" run "$work/row.yaml" --threads 1 --quiet --json "$work/$2" >/dev/null
        times
    ) | sed -n '2s/^\([0-9]*\)m\([0-9.]*\)s.*/\1 \2/p' | awk '{ print 60 * $1 + $2 }'
}

least() { awk -v a="$1" -v b="$2" 'BEGIN { print a == "" || b < a ? b : a }'; }

# NAME BITS: of $work/row.yaml
measure() {
    ours= theirs= same=-
    for i in $(seq "$RUNS"); do
        ours=$(least "$ours" "$(seconds "$FECRUN" ours)")
        [ -z "$base" ] || theirs=$(least "$theirs" "$(seconds "$base" theirs)")
    done
    count=$(fields "$work/ours" point frames bit_errors frame_errors)
    if [ -n "$base" ]; then
        same=no
        [ "$count" != "$(fields "$work/theirs" point frames bit_errors frame_errors)" ] || same=yes
    fi
    echo "$count" | awk -v name="$1" -v bits="$2" -v ours="$ours" -v theirs="$theirs" -v same=$same '{
        mb = bits * $1 / 1e6
        ours = ours > 0 ? ours : 1e-3 # QUICK: less than the clock can tell
        theirs = theirs == "" || theirs > 0 ? theirs : 1e-3
        printf "| %s | %.0f | %s | %s | %s |\n", name, mb / ours,
            theirs == "" ? "-" : sprintf("%.0f", mb / theirs),
            theirs == "" ? "-" : sprintf("%.2f", theirs / ours), same }'
}

echo "| | Mb/s | the other's | multiple | the same counts |"
echo "| --- | --- | --- | --- | --- |"
rows | grep -E "$ROWS" | while IFS=: read -r name bits make; do
    eval "$make" >"$work/row.yaml"
    measure "$name" "$bits"
done
