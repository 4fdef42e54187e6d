#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Is a receiver in step with its recording? `fecrun sync` finds how a recording was turned, and runs and the doctor say if
# nothing fits.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# record CODE SCHEME RATE BITS: QPSK symbols of a stream to `sent`, as LLRs of one byte.
record() {
    { pipeline "source.random: {bits: $4, stream: true}" "conv.encode: {code: $1}" "conv.puncture: {scheme: $2, rate: $3}" \
        'modem.map: {scheme: qpsk}' 'channel.awgn: {ebn0_db: 5}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 8}' \
        'sink.file: {path: sent, format: raw, dtype: int8}'; echo 'stop: {frames: 10}'; } >record.yaml
    run "$FECRUN" run --quiet record.yaml
    is 0 "a recording of $1 $3"
}
# receiver CODE SCHEME RATE
receiver() {
    pipeline 'source.file: {path: recording, kind: llr, dtype: int8, frame: 0}' "conv.depuncture: {scheme: $2, rate: $3}" \
        "viterbi.decode: {code: $1}" 'sink.file: {path: bits, dtype: packed}' >rx.yaml
}
best() { sed -n '2p' out | sed 's/.*%  *//'; }

record dvb dvb 3/4 3000
receiver dvb dvb 3/4
cp sent recording
run "$FECRUN" sync rx.yaml
is 0 "as it was sent"
same "first: as in the file" "$(best)" "as in the file"
prints 'several ways fit: the code has inverted words' "which fits inverted, too"
tail -c +3 sent >recording
run "$FECRUN" sync rx.yaml
same "a symbol is missing: half a period of the pattern" "$(best)" "skip: 2"
for case in 'b, a=swap: true' '-b, a=rotate: 90' 'b, -a=rotate: 90' 'a, -b=swap: true, rotate: 90'; do
    head -c 24000 sent >short
    od -An -v -td1 -w2 short | awk -v how="${case%%=*}" '
        function put(x) { printf "%03o\n", (x + 256) % 256 }
        { a = $1; b = $2
          if (how == "b, a") { put(b); put(a) }
          else if (how == "-b, a") { put(-b); put(a) }
          else if (how == "b, -a") { put(b); put(-a) }
          else { put(a); put(-b) } }' | sed 's/^/\\/' | tr -d '\n' >octal
    printf "$(cat octal)" >recording # shellcheck disable=SC2059 # octal numbers alone
    run "$FECRUN" sync rx.yaml --json sync.json
    same "(a, b) became (${case%%=*})" "$(best)" "${case#*=}"
    tap_last="json"
    ok "JSON says it" grep -q '"fits":true' sync.json
    run "$FECRUN" run rx.yaml --quiet
    is 0 "a run of it"
    says 'warning: source.file: not in step: .* of the first symbols are not those of the decoder.s word, and .* in noise; .fecrun sync' \
        "says that it is not in step"
done
run "$FECRUN" run --doctor rx.yaml --set source.file.piece=8000
prints '! source.file: not in step' "and so does the doctor"
prints '^2 complaints' "as a complaint, beside one of saturation"
run "$FECRUN" run rx.yaml --quiet --set source.file.swap=true --set source.file.rotate=90
same "with what sync found nothing is said" "$(cat err)" ""

head -c 24000 sent >recording
run "$FECRUN" sync rx.yaml --set source.file.swap=true --set source.file.rotate=270
same "settings of the file are taken back" "$(best)" "swap: false, rotate: 0"

# An inverted output makes a code that is not the same upside down in its steps.
{ pipeline 'source.random: {bits: 3000, stream: true}' 'conv.encode: {code: ccsds}' 'channel.bsc: {p: 0.02}' 'bits.hard: {}' \
    'sink.file: {path: recording, format: raw, dtype: u1}'; echo 'stop: {frames: 10}'; } >record.yaml
run "$FECRUN" run --quiet record.yaml
pipeline 'source.file: {path: recording, dtype: u1, frame: 0, skip: 1}' 'channel.bsc: {p: 0}' 'viterbi.decode: {code: ccsds}' \
    'sink.null: {}' >bits.yaml
run "$FECRUN" sync bits.yaml
same "bits: the skip of the file is included" "$(best)" "skip: 2"

# ---- Verdicts of checks ----
pipeline 'source.file: {path: recording, dtype: u1, frame: 0, piece: 2320}' 'frame.sync: {scheme: ccsds, frame: 200}' \
    'sink.null: {}' >frames.yaml
head -c 23200 /dev/zero >recording
run "$FECRUN" run frames.yaml --quiet
is 0 "a sync word that never comes"
says 'warning: source.file: all frames failed, 10 of them: is it read as it was recorded' "all frames failed"
run "$FECRUN" sync frames.yaml
is 1 "sync"
says 'frames.yaml: no settings fit' "nothing fits"
# While it runs: a pipe that stays open.
(head -c 2000000 /dev/zero; sleep 4) | "$FECRUN" run frames.yaml --quiet --set source.file.path=- --set latency=low 2>err &
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    grep -q 'so far' err && break
    sleep 0.1
done
says 'warning: source.file: all frames so far failed' "within two seconds of data, while the pipe is open"
wait
printf '\000\001\001' >recording
run "$FECRUN" run frames.yaml --quiet
is 0 "half a frame"
says 'all frames failed, 1 of them' "is one that failed"

# ---- What is refused ----
refuses 2 'record.yaml:3:.*source.random: sync is for recordings' sync record.yaml
pipeline 'source.file: {path: recording, dtype: u1, frame: 0}' 'sink.null: {}' >none.yaml
refuses 2 'none.yaml: no stage can tell whether it is in step' sync none.yaml
refuses 2 'missing.yaml' sync missing.yaml
refuses 2 'unknown option|not for|--stats' sync rx.yaml --stats
done_testing
