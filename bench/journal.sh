#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What a journal costs, in CPU time (user + sys): runs without and with one in turn, so that what else the
# machine does meets both.
#
#     bench/journal.sh [BUILD-DIR [PAIRS [FRAMES]]]     (default: build, 60, 200000: about 3 s a run)
#
# First a line: of runs that write 2000 of them, one a point. A long run writes about one a second. Then long runs
# as a whole: the median of the pairs' ratios with its 95 % interval, which on a busy machine is wide.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../build}" && pwd)
pairs=${2:-60} frames=${3:-200000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%U %S'

cat >"$work/p.yaml" <<END
fecrun: 1
pipeline:
  - source.random: {bits: 1024}
  - conv.encode: {code: ieee80211}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 3}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 4}
  - viterbi.decode: {}
  - sink.errors
stop: {frames: $frames}
END

# ARGUMENT...: seconds of the processor
cpu() {
    { time "$build/fecrun" run "$work/p.yaml" --threads 1 --quiet "$@"; } 2>&1 |
        awk '{ print $1 + $2 }'
}

# What 2000 lines take, one a point: the median of 9 differences.
cp "$work/p.yaml" "$work/long.yaml"
{
    sed 's/bits: 1024/bits: 64/; /^stop/d' "$work/long.yaml"
    awk 'BEGIN { for (i = 0; i < 2000; i++) printf "%s%.9f", i ? ", " : "sweep: {channel.awgn.ebn0_db: [", 3 + i / 1e6
                 print "]}" }'
    echo 'stop: {frames: 10}'
} >"$work/p.yaml"
for ((i = 0; i < 9; i++)); do
    without=$(cpu)
    with=$(cpu --journal "$work/lines.$i")
    echo "$with $without"
done | awk '{ printf "%.1f\n", 1e6 * ($1 - $2) / 2000 }' | sort -g | sed -n '5s/.*/a line: & us (median of 9 times 2000)/p'
mv "$work/long.yaml" "$work/p.yaml"

for ((i = 0; i < pairs; i++)); do
    rm -rf "$work/j"
    if ((i % 2)); then
        with=$(cpu --journal "$work/j")
        without=$(cpu)
    else
        without=$(cpu)
        with=$(cpu --journal "$work/j")
    fi
    echo "$with $without $(cat "$work"/j/*.jsonl | wc -l)"
done >"$work/times"
sort -g <(awk '{ print $1 / $2 }' "$work/times") | awk -v n="$pairs" '
    { ratio[NR] = $1 }
    END {
        half = 0.98 * sqrt(n) # places of the median: binomial of n and 1/2
        low = int(n / 2 - half); high = int(n / 2 + half) + 1
        printf "journal: CPU time x %.4f, 95 %%: %.4f .. %.4f, of %d pairs\n",
            (ratio[int((n + 1) / 2)] + ratio[int(n / 2) + 1]) / 2,
            ratio[(low < 1) ? 1 : low], ratio[(high > n) ? n : high], n
    }'
awk '{ with += $1; without += $2; lines += $3 }
     END { printf "in all: %.1f s with, %.1f s without, %.1f lines a run\n", with, without, lines / NR }' "$work/times"
