#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# One simulation over 1 to 4 MPI ranks of this host, a thread each: CPU seconds of all ranks for a million
# frames, which says what sharing costs on a machine where others are at work, too; and frames a second of
# time, which says what is won where there are idle cores for all of them. Both from the difference of a
# longer and a shorter run, so that starting MPI is not in it. The least of REPEATS.
#
#     bench/ranks.sh [FECRUN [FRAMES [REPEATS]]]
set -eu
fecrun=${1:-build/fecrun} frames=${2:-2000000} repeats=${3:-5}
fecrun=$(cd "$(dirname "$fecrun")" && pwd)/$(basename "$fecrun")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >ranks.yaml <<'YAML'
fecrun: 1
pipeline:
  - source.random: {bits: 1000}
  - conv.encode: {code: ieee80211}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 4}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 4, max: 10}
  - viterbi.decode: {code: ieee80211}
  - sink.errors: {}
YAML
root=
[ "$(id -u)" != 0 ] || root=--allow-run-as-root
export OMPI_MCA_rmaps_base_oversubscribe=1

# once RANKS FRAMES: CPU seconds of all, seconds of the run
once() {
    (
        mpirun $root --oversubscribe --bind-to none --mca btl self,vader -n "$1" "$fecrun" run ranks.yaml \
            --threads 1 --quiet --set stop.frames="$2" --json out
        times
    ) | tail -n 1 | sed 's/[ms]/ /g' >cpu
    awk 'FNR == 1 && NR == FNR { cpu = 60 * $1 + $2 + 60 * $3 + $4 }
        match($0, /"seconds":[0-9.e-]*/) { time = substr($0, RSTART + 10, RLENGTH - 10) }
        END { print cpu, time }' cpu out
}

echo 'ranks  CPU s a million frames  of one rank  thousand frames a second  of one rank'
for ranks in 1 2 3 4; do
    for repeat in $(seq "$repeats"); do
        echo "$(once $ranks "$frames") $(once $ranks $((2 * frames)))"
    done | awk -v ranks=$ranks -v frames="$frames" -v one="$(cat one 2>/dev/null)" '
        { cpu = $3 - $1; time = $4 - $2 }
        NR == 1 || cpu < least_cpu { least_cpu = cpu }
        NR == 1 || time < least_time { least_time = time }
        END {
            split(ranks == 1 ? least_cpu " " least_time : one, first, " ")
            printf "%5d  %22.3f  %11.3f  %24.0f  %11.2f\n", ranks, 1e6 * least_cpu / frames,
                least_cpu / first[1], frames / least_time / 1000, first[2] / least_time
            if (ranks == 1)
                print least_cpu, least_time >"one"
        }'
done
