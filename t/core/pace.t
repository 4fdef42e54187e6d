#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Batches begin small and are no larger than what the stop rule may still want, so that a slow code is no reason
# to wait: for the end of a run, for what was counted, for a signal.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

# code ENCODER DECODER: of decoders whose frames take long
code() {
    cat <<END
fecrun: 1
seed: 2
pipeline:
  - source.random: {bits: $1}
  - ldpc.encode: {$2}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 0}
  - modem.demap: {}
  - ldpc.decode: {$2, check_rule: sum-product, early_stop: none, backend: ref, iterations: $3}
  - sink.errors: {}
END
}
code 324 'code: wifi, n: 648, rate: 1/2' 20 >wifi.yaml
iterations=1000
[ "${FECRUN_SANITIZER:-no}" = no ] || iterations=50 # as slow there
code 324 'code: wifi, n: 648, rate: 1/2' $iterations >slow.yaml
code 32400 'code: dvbs2, frame: normal, rate: 1/2' 1000 >long.yaml

for file in slow long; do echo 'stop: {frame_errors: 1000000}' >>$file.yaml; done # not by itself

# ---- The same counts, whatever the batch ----
counts() { run "$FECRUN" run wifi.yaml --set stop.frame_errors=60 --json - --quiet "$@" && grep '"type":"point"' out |
    sed 's/,"seconds".*//; s/"info_mbps":[^,]*,//'; }
counts --set batch=1 --threads 1 >one
for options in '--threads 1' '--threads 4' '--set batch=7' '--set batch=4096 --set in_flight=8'; do
    counts $options >other
    ok "a stop rule with ${options:-defaults}: the same counts" cmp one other
done
ok "nearly all frames are wrong there" grep -q '"frames":6[0-9],' one

# ---- No more frames than the rule may want ----
# Of such short frames, all wrong, a batch would have thousands.
cat >fast.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 40}
  - conv.encode: {code: ieee80211}
  - channel.bsc: {p: 0.4}
  - llr.quantize: {type: i8, scale: 4}
  - viterbi.decode: {}
  - sink.errors: {}
stop: {frame_errors: 300}
END
run "$FECRUN" run fast.yaml --threads 2 --stats --json stats.json --quiet
done=$(tr '{' '\n' <stats.json | sed -n 's/.*viterbi.decode.*"frames":\([0-9]*\).*/\1/p' | head -n 1)
tap_last="decoded: $done"
ok "300 wrong frames are had from at most 600" [ "${done:-9999}" -le 600 ]

# ---- Signals: the run has to end before timeout(1) kills it, with what was counted ----
# ended FILE SIGNAL SECONDS: status 1 in time
ended() {
    run timeout --preserve-status -k 60 -s "$2" "$3" "$FECRUN" run "$1" --json result.json --threads 2
    [ "$status" = 1 ] && grep -q '"stop":"signal"' result.json
}
for signal in INT TERM HUP; do
    ok "SIG$signal ends a slow code" ended slow.yaml $signal 2
    ok "... and what was counted is there" grep -q '"frames":[1-9]' result.json
done
ok "SIGTERM ends a decoder in the middle of a long frame" ended long.yaml TERM 1
ok "... of which nothing counts" grep -q '"frames":0,' result.json
run "$FECRUN" run slow.yaml --set stop.seconds=1 --json result.json --quiet
is 0 "stop.seconds ends it, too"
ok "with some frames" grep -q '"frames":[1-9].*"stop":"seconds"' result.json

# A time that is shorter than a frame: an empty row is of no use to anybody.
run "$FECRUN" run long.yaml --set ldpc.decode.iterations=20 --set stop.seconds=0.0001 --json result.json --quiet
is 0 "stop.seconds shorter than a frame"
ok "counts a frame" grep -q '"frames":[1-9].*"stop":"seconds"' result.json
cat >pipe.yaml <<'END'
fecrun: 1
pipeline:
  - source.file: {path: "-", kind: llr, dtype: i1, frame: 40}
  - sink.null: {}
stop: {seconds: 0.1}
END
mkfifo never
sleep 60 >never &
sleeper=$!
run sh -c 'timeout 30 "$FECRUN" run pipe.yaml --json result.json --quiet <never'
kill $sleeper
is 0 "but does not wait for input that does not come"
ok "of which nothing counts" grep -q '"frames":0,.*"stop":"seconds"' result.json

# Rows of which no frame was counted say nothing. Of a million they took seconds, behind a signal and before.
{ cat long.yaml && echo 'blocks: [{count: 1, bits: 32400}, {count: 2, bits: 32400}]'; } >rows.yaml
run timeout --preserve-status -k 30 -s TERM 1 "$FECRUN" run rows.yaml --json result.json
is 1 "a signal before the first row"
ok "has no rows in the table" [ "$(grep -c user out)" = 0 ]
ok "nor in JSON" grep -q '"frames":0,.*"stop":"signal"}' result.json

done_testing
