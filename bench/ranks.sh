#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# One simulation over 1 to 4 MPI ranks of this host, a thread each, and over two threads of one process: CPU
# seconds a million frames, which says what sharing costs on a machine where others are at work, too, and the
# time of a run beside that of one rank. All in turn; medians of REPEATS, of ratios within one turn, because
# what else a machine does changes from minute to minute: two threads show what its cores had to give.
#
#     bench/ranks.sh [FECRUN [FRAMES [REPEATS]]]        environment: RANKS="1 2 3 4", which begins with 1
set -eu
fecrun=${1:-build/fecrun} frames=${2:-2000000} repeats=${3:-5}
RANKS=${RANKS:-1 2 3 4}
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
printf '#!/bin/sh\nexec "%s" "$@" --threads 1\n' "$fecrun" >one_thread
printf '#!/bin/sh\nexec "%s" "$@" --threads 2\n' "$fecrun" >two_threads
chmod +x one_thread two_threads
root=
[ "$(id -u)" != 0 ] || root=--allow-run-as-root
export OMPI_MCA_rmaps_base_oversubscribe=1

# once NAME COMMAND...: adds to NAME the CPU seconds of all, with MPI's start, and the seconds of the run
once() {
    name=$1
    shift
    (
        "$@" run ranks.yaml --quiet --set stop.frames="$frames" --json out
        times
    ) | tail -n 1 | sed 's/[ms]/ /g' >cpu
    awk 'FNR == 1 && NR == FNR { cpu = 60 * $1 + $2 + 60 * $3 + $4 }
        match($0, /"seconds":[0-9.e-]*/) { time = substr($0, RSTART + 10, RLENGTH - 10) }
        END { print cpu, time }' cpu out >>"$name"
}

for repeat in $(seq "$repeats"); do
    for ranks in $RANKS; do
        once "$ranks ranks" mpirun $root --oversubscribe --bind-to none --mca btl self,vader -n "$ranks" \
            "$work/one_thread"
    done
    once '2 threads' "$work/two_threads"
done

# median: of the numbers on standard input
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
# ratios NAME COLUMN SIGN: of NAME to one rank, turn by turn
ratios() { paste -d ' ' '1 ranks' "$1" | awk -v c="$2" -v up="$3" '{ print up ? $c / $(c + 2) : $(c + 2) / $c }'; }

echo "| of $frames frames | CPU s a million | of one rank | s | faster than one rank |"
echo "| --- | --- | --- | --- | --- |"
for ranks in $RANKS threads; do
    name="$ranks ranks"
    [ "$ranks" != threads ] || name='2 threads'
    cpu=$(cut -d ' ' -f 1 "$name" | median) time=$(cut -d ' ' -f 2 "$name" | median)
    echo "$name:$cpu:$(ratios "$name" 1 '' | median):$time:$(ratios "$name" 2 1 | median):$frames" | awk -F : '
        { printf "| %s | %.3f | %.3f | %.2f | %.2f |\n", $1, 1e6 * $2 / $6, $3, $4, $5 }'
done
