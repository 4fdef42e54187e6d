#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A pipe whose reader does not read: a signal and stop.seconds end a run in time, and one that reads
# slowly still gets all that is counted.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

cat >samples.yaml <<'END'
fecrun: 1
batch: 64
pipeline:
  - source.random: {bits: 8192}
  - sink.file: {path: "-", format: raw, dtype: packed}
stop: {frames: 100000000}
END
cat >points.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 8}
  - channel.bsc: {p: 0.1}
  - sink.null: {}
sweep: {channel.bsc.p: "0.0001:0.0001:0.5"}
stop: {frames: 1}
END
mkfifo pipe named alone
heard='env --default-signal=INT,HUP' pause=0.5
[ "${FECRUN_SANITIZER:-no}" = no ] || pause=2 # until it writes

# ends COMMAND...: into a pipe that nobody reads; after $pause seconds a signal if there is $signal.
# A run that is not over after 10 s is killed.
ends() {
    sleep 60 <pipe &
    reader=$!
    "$@" >pipe 2>err &
    pid=$! status=0 tap_last="$*"
    : >out
    (sleep 10 && kill -KILL $pid) 2>/dev/null &
    killer=$!
    if [ "$signal" ]; then
        sleep $pause
        kill -$signal $pid
    fi
    wait $pid || status=$?
    kill $killer $reader 2>/dev/null
    wait $killer $reader 2>/dev/null
}

# ---- Samples ----
signal=
ends "$FECRUN" run samples.yaml --quiet --set stop.seconds=0.3
is 1 "stop.seconds and a reader that does not read: status 1"
says '^fecrun: .*sink.file.path: standard output: the run is to end, and nobody reads what is left$' "says why"
signal=INT
ends $heard "$FECRUN" run samples.yaml --quiet
is 1 "a signal: status 1"
says '^fecrun: .*: standard output: the run is to end, and nobody reads' "says why"
sleep 60 <>named &
holder=$!
ends $heard "$FECRUN" run samples.yaml --quiet --set sink.file.path=named
is 1 "a named pipe: status 1"
says 'named: the run is to end, and nobody reads' "has its name"
kill $holder
wait $holder 2>/dev/null

# Both ends of a pipe wait for each other.
ends $heard "$FECRUN" run samples.yaml --quiet --set sink.file.path=alone
is 1 "nobody opens the pipe to read, and a signal"
says 'alone: stopped by a signal before anybody read it$' "is no error of the system"
sed 's/source.random: .*/source.file: {path: alone, kind: bits, dtype: u1, frame: 8}/; s/sink.file: .*/sink.null: {}/' \
    samples.yaml >from.yaml
ends $heard "$FECRUN" run from.yaml --quiet
is 1 "nobody opens it to write, and a signal"
says 'alone: stopped by a signal before anybody wrote to it$' "... neither"

# A slow one is waited for: 32 KiB every 0.2 s.
"$FECRUN" run samples.yaml --quiet --threads 1 --set stop.seconds=0.5 --csv result.csv >pipe 2>err &
pid=$! status=0 tap_last="fecrun run samples.yaml, read slowly"
(
    exec <pipe
    while [ "$(dd bs=32768 count=1 2>/dev/null | tee -a got | wc -c)" -gt 0 ]; do sleep 0.2; done
)
wait $pid || status=$?
is 0 "a slow reader, and stop.seconds: status 0"
frames=$(awk -F, '/^#/ { next } !head++ { for (i = 1; i <= NF; i++) if ($i == "frames") at = i; next } { print $at }' result.csv)
ok "gets all $frames frames that are counted" [ "$(wc -c <got)" = $((1024 * frames)) ]

# ---- Results: more than a pipe holds ----
pause=1.5
for output in '--quiet --json -' '--quiet --csv -' ''; do
    ends $heard "$FECRUN" run points.yaml $output
    is 1 "${output:-the table}, and a signal: status 1"
    says '^fecrun: stopped by a signal' "${output:-the table}: says so"
done

done_testing
