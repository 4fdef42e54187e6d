#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A soak: 10^10 short frames through a whole simulation, twice, in batches of two sizes, whose counts
# have to be the same; memory of host and device while it runs; and whether frames from 2^32 on are
# others than those from 0 on. Ends with status 1 if something is wrong. Variables:
#
#   FECRUN    the program (default: build/fecrun beside this directory)
#   BACKEND   of all stages (default: cuda; empty: the planner's choice)
#   FRAMES    of a long run (default: 10000000000)
#   SECONDS_OF_ALL  what all runs may take together (default: 600): fewer frames, if they do not fit
#   TRIES     "BITS:BATCH ..." of which the one with most frames a second is taken
#   RATE      frames a second, where they are known: no trial of them, the first of TRIES is taken
#   OTHER     the other batch (default: 100003)
#   PROCESSES that share the frames of a long run, as shards of a journal (default: 1); frames are
#             counted by a thread a process, which takes 10 ns a frame
#   OPTIONS   more of `fecrun run`
set -eu
here=$(cd "$(dirname "$0")" && pwd)
FECRUN=${FECRUN:-$here/../build/fecrun}
BACKEND=${BACKEND-cuda} FRAMES=${FRAMES:-10000000000} OTHER=${OTHER:-100003} PROCESSES=${PROCESSES:-1} OPTIONS=${OPTIONS-}
SECONDS_OF_ALL=${SECONDS_OF_ALL:-600}
TRIES=${TRIES:-8:262144 8:1048576 16:262144 16:1048576 32:262144}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
begun=$(date +%s)
failed=0

cat >"$work/soak.yaml" <<'END'
fecrun: 1
seed: 15
pipeline:
  - source.random:  {bits: 16}
  - conv.encode:    {code: ieee80211}
  - modem.map:      {scheme: bpsk}
  - channel.awgn:   {ebn0_db: 3}
  - modem.demap:    {}
  - llr.quantize:   {type: i8, scale: 1.4, max: 10}
  - viterbi.decode: {code: ieee80211}
  - sink.errors:    {}
END

# field NAME: of the point in $work/json
field() { sed -n "s/^{\"type\":\"point\".*\"$1\":\([0-9.e+-]*\).*/\1/p" "$work/json"; }

# memory PID: MiB that the process has, and that the device has given out
memory() {
    host=$(sed -n 's/^VmRSS:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$1/status" 2>/dev/null) || :
    device=$(nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits 2>/dev/null | head -n 1) || :
    [ -z "$host" ] || echo "$((host / 1024)) ${device:-0}"
}

# one BITS BATCH OPTION...: becomes a process of it
one() {
    one_bits=$1 one_batch=$2
    shift 2
    exec "$FECRUN" run "$work/soak.yaml" ${BACKEND:+--backend "$BACKEND"} $OPTIONS --quiet \
        --set source.random.bits="$one_bits" --set batch="$one_batch" "$@"
}

# ran PROCESSES BITS BATCH LIMIT...: a run; memory of a process is looked at twice a second
ran() {
    ran_n=$1
    shift
    start=$(date +%s.%N)
    : >"$work/memory"
    rm -rf "$work/journal"
    pids=
    if [ "$ran_n" = 1 ]; then
        one "$@" --json "$work/json" &
        pids=$!
    else
        for ran_i in $(seq 0 $((ran_n - 1))); do
            one "$@" --journal "$work/journal" --shard "$ran_i/$ran_n" &
            pids="$pids $!"
        done
    fi
    while kill -0 ${pids##* } 2>/dev/null; do
        sleep 0.5
        memory ${pids##* } >>"$work/memory"
    done
    for pid in $pids; do
        wait "$pid" || { failed=1; echo "FAILED: $*"; }
    done
    seconds=$(awk "BEGIN { print $(date +%s.%N) - $start }")
    [ "$ran_n" = 1 ] || "$FECRUN" merge "$work/journal" --quiet --json "$work/json"
}

# told NAME: what the last run was
told() {
    awk -v name="$1" -v frames="$(field frames)" -v bits="$(field bit_errors)" -v wrong="$(field frame_errors)" \
        -v seconds="$seconds" '
        { host[NR] = $1; device[NR] = $2 }
        END {
            early = int(NR / 10) + 2
            if (early > NR) early = NR
            printf "%s: %.0f frames, %.0f wrong bits, %.0f wrong frames, %.1f s, %.4g million frames a second; ",
                name, frames, bits, wrong, seconds, frames / seconds / 1e6
            printf "host %d MiB soon, %d at the end, device %d and %d\n", host[early], host[NR], device[early],
                device[NR]
        }' "$work/memory"
}

best=${RATE:-0} fastest=${TRIES%% *}
[ -z "${RATE-}" ] || TRIES=
for try in $TRIES; do
    ran 1 "${try%:*}" "${try#*:}" --set stop.seconds=1.5
    told "${try%:*} bits, batch ${try#*:}"
    rate=$(awk "BEGIN { printf \"%.0f\", $(field frames) / $(field seconds) }")
    [ "$rate" -le "$best" ] || best=$rate fastest=$try
done
bits=${fastest%:*} batch=${fastest#*:}
if [ "$PROCESSES" -gt 1 ] && [ -z "${RATE-}" ]; then
    ran "$PROCESSES" "$bits" "$batch" --set stop.frames=$((best * 4))
    told "$PROCESSES processes, $bits bits, batch $batch"
    best=$(awk "BEGIN { printf \"%.0f\", $(field frames) / $seconds }")
fi

left=$((SECONDS_OF_ALL - $(date +%s) + begun))
fits=$(awk "BEGIN { printf \"%.0f\", $best * $left * 0.3 }") # two of them, and two to and from 2^32
if [ "$fits" -lt "$FRAMES" ]; then
    echo "$FRAMES frames twice do not fit into $SECONDS_OF_ALL s: $fits"
    FRAMES=$fits
fi

ran "$PROCESSES" "$bits" "$batch" --set stop.frames="$FRAMES"
told "$bits bits, batch $batch"
one="$(field frames) $(field bit_errors) $(field frame_errors)"
ran "$PROCESSES" "$bits" "$OTHER" --set stop.frames="$FRAMES"
told "$bits bits, batch $OTHER"
two="$(field frames) $(field bit_errors) $(field frame_errors)"
if [ "$one" = "$two" ]; then echo "same counts"; else failed=1; echo "FAILED: other counts"; fi

if [ "$FRAMES" -ge 8589934592 ]; then
    ran "$PROCESSES" "$bits" "$batch" --set stop.frames=4294967296
    told "2^32"
    low=$(field bit_errors)
    ran "$PROCESSES" "$bits" "$batch" --set stop.frames=8589934592
    told "2^33"
    if [ "$(field bit_errors)" = $((2 * low)) ]; then
        failed=1
        echo "FAILED: frames from 2^32 on are those from 0 on"
    else
        echo "frames from 2^32 on are others"
    fi
fi
exit $failed
