#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# One file decoded by several devices, made of host memory: the output is one device's, byte by byte, and
# that without any device; whichever fails, and however it ends.
. "$top_srcdir/t/lib/counts.sh"
without_cuda
fake="--plugin-dir $FAKEDIR"
export FAKE_DEVICES=3

# A stream that ends inside a piece.
pipeline 'source.random: {bits: 3000, stream: true}' \
    'conv.encode: {code: ieee80211, termination: continuous}' 'modem.map: {scheme: bpsk}' \
    'channel.awgn: {ebn0_db: 3}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 2, max: 10}' \
    'sink.file: {path: long.raw}' >make.yaml
run "$FECRUN" run make.yaml --set stop.frames=401 --quiet
is 0 "a capture"
head -c 2400500 long.raw >llr.raw
head -c 2400000 long.raw >frames.raw
# Bits, a byte each, and eight a byte.
LC_ALL=C tr '\001-\177\200-\377' '[\000*127][\001*]' <frames.raw >bits.u1
head -c 2399760 bits.u1 >transport.u1
head -c 300004 frames.raw >bits.packed

llr='kind: llr, dtype: i8, llr_scale: 2'
# The decoder reads over the ends of pieces on the host, behind a device.
pipeline "source.file: {path: llr.raw, $llr, frame: 0, piece: 840}" 'fake.scale: {factor: 1}' \
    'viterbi.decode: {code: ieee80211, termination: continuous}' 'sink.file: {path: o.npy}' >stream.yaml
# A device does, and so does the host behind it, over pieces that are shorter than what they read.
pipeline "source.file: {path: llr.raw, $llr, frame: 0, piece: 24}" \
    'fake.windowllr: {before: 70, after: 31}' \
    'viterbi.decode: {code: ieee80211, termination: continuous}' 'sink.file: {path: o.npy}' >short.yaml
head -c 120010 llr.raw >few.raw
sed -i 's/llr.raw/few.raw/' short.yaml
pipeline "source.file: {path: frames.raw, $llr, frame: 500}" 'fake.scale: {factor: 1}' \
    'viterbi.decode: {code: ieee80211, termination: truncated}' 'sink.file: {path: o.npy}' >frames.yaml
# Each frame is several at the sink.
pipeline 'source.file: {path: transport.u1, kind: bits, dtype: u1, frame: 19998}' \
    'seg.split: {code: nr, a: 19998, rate: 0.5}' 'fake.flip: {}' 'sink.file: {path: o}' >blocks.yaml
pipeline 'source.file: {path: bits.packed, kind: bits, dtype: packed, frame: 0, piece: 1024}' \
    'fake.window: {before: 19, after: 4}' 'sink.file: {path: o}' >bits.yaml
pipeline 'source.file: {path: bits.u1, kind: bits, dtype: u1, frame: 750}' 'fake.flip: {}' \
    'modem.map: {scheme: 64qam}' 'sink.file: {path: o}' >symbols.yaml
pipeline 'source.file: {path: llr.raw, kind: llr, dtype: i4, frame: 0, piece: 1000}' \
    'fake.windowllr: {before: 3, after: 8}' 'sink.file: {path: o}' >halves.yaml
# A batch has many rounds of the one row.
{
    cat symbols.yaml
    echo 'blocks: [{count: 7, user: one}]'
} >row.yaml

# same_bytes FILE OPTION...: three devices, of them two, and one write what the host writes. A path of the output
# comes last.
same_bytes() {
    file=$1 output=o
    shift
    which="$file $*"
    [ "$file" != stream.yaml ] && [ "$file" != short.yaml ] && [ "$file" != frames.yaml ] || output=o.npy
    case "$*" in *path=*) output=${*##*path=} ;; esac
    rm -f o o.npy
    want=$(run_fields 'frames bits stop' $file $fake "$@" --backend ref)
    mv $output want
    for backend in fake:all fake:2,0 fake:1; do
        got=$(run_fields 'frames bits stop' $file $fake "$@" --backend $backend)
        ok "$which: $backend: the bytes of the host" cmp $output want
        same "and its counts" "$got" "$want"
        rm -f $output
    done
}

same_bytes stream.yaml
same_bytes stream.yaml --set batch=7 --set in_flight=1
same_bytes stream.yaml --set sink.file.dtype=u1 --set sink.file.path=o
same_bytes stream.yaml --set source.file.piece=1600 --set sink.file.dtype=packed --set sink.file.path=o
same_bytes short.yaml
same_bytes frames.yaml
same_bytes frames.yaml --set sink.file.dtype=packed --set sink.file.path=o
same_bytes blocks.yaml
same_bytes row.yaml
same_bytes blocks.yaml --set sink.file.path=o.npy
same_bytes bits.yaml
same_bytes bits.yaml --set sink.file.dtype=packed
same_bytes symbols.yaml --set sink.file.path=o.npy
same_bytes symbols.yaml
for dtype in i4 i8 i16 f16 f32; do
    same_bytes halves.yaml --set sink.file.dtype=$dtype
done
same_bytes halves.yaml --set sink.file.path=o.npy
# The rule is the end: what is behind it has no part in the last frames.
for frames in 1 7 200; do
    same_bytes short.yaml --set stop.frames=$frames
done

# A file without a frame has nothing to share: one device reads it, and nothing is wrong.
: >empty.raw
same_bytes frames.yaml --set source.file.path=empty.raw --set sink.file.path=o.npy
same_bytes bits.yaml --set source.file.path=empty.raw --set sink.file.path=o
run "$FECRUN" explain frames.yaml $fake --backend fake:2,0 --set source.file.path=empty.raw
prints '^runs on fake:2: one of 2 devices, for its input is empty$' "explain says so"

# ---- Who did what ----

# A slow host may be through before the others have begun.
shared() {
    run "$FECRUN" run stream.yaml $fake --backend fake:all --quiet --json -
    [ "$(grep -o '"who":"fake:[012]","frames":[1-9]' out | wc -l)" = 3 ]
}
tries=0
until shared || [ $tries = 10 ]; do
    tries=$((tries + 1))
done
prints '"runs_on":\["fake:0","fake:1","fake:2"\]' "the result file says which have a part"
prints '"shares":\[\{"who":"fake:0","frames":[1-9].*"who":"fake:1","frames":[1-9].*"who":"fake:2","frames":[1-9]' \
    "and who did what"
run "$FECRUN" explain stream.yaml $fake --backend fake:all
prints '^runs on fake:0, fake:1, fake:2$' "explain does"
run "$FECRUN" explain stream.yaml $fake
prints '^runs on fake:0: one of 3 devices, for its output is one; all share it with --backend fake:all$' \
    "auto: one, and how to have all"
run "$FECRUN" run stream.yaml $fake --quiet --json -
prints '"runs_on":\["fake:0"\],"runs_on_note":"one of 3 devices' "the result file says so"
refuses 2 'stream.yaml:.*source.file: reads a file from its beginning, so --journal cannot' \
    run stream.yaml $fake --backend fake:all --journal J

# ---- Pipes ----

cp o.npy want.npy
run "$FECRUN" run stream.yaml $fake --quiet --backend ref --set sink.file.path=want.raw
pipeline "source.file: {path: '-', $llr, frame: 0, piece: 840}" 'fake.scale: {factor: 1}' \
    'viterbi.decode: {code: ieee80211, termination: continuous}' 'sink.file: {path: o}' >pipe.yaml
rm -f o
for backend in fake:all fake:0,2; do
    refuses 2 "pipe.yaml:3:5: source.file: reads a pipe, or a file in a loop, so the part of another device cannot begin in its middle; one device alone can: fake:0$" \
        run pipe.yaml $fake --backend $backend
done
ok "there is no output of it" [ ! -e o ]
for backend in fake:1 fake auto; do
    cat llr.raw | "$FECRUN" run pipe.yaml $fake --quiet --backend $backend 2>err
    ok "one device reads a pipe: $backend" cmp o want.raw
    rm -f o
done
refuses 2 'reads a pipe, or a file in a loop' run stream.yaml $fake --backend fake:all \
    --set source.file.loop=true --set stop.frames=10
cat llr.raw | FAKE_DEVICES=1 "$FECRUN" run pipe.yaml $fake --backend fake:all --quiet 2>err
ok "all of one device is one device" cmp o want.raw
rm -f o
"$FECRUN" run stream.yaml $fake --quiet --backend fake:all --set sink.file.path=- 2>err | cat >piped
ok "into a pipe" cmp piped want.raw
mkfifo reader
(sleep 1 && exec cat) <reader >piped &
"$FECRUN" run stream.yaml $fake --quiet --backend fake:all --set sink.file.path=reader 2>err
wait
ok "whose reader comes late" cmp piped want.raw

# ---- Failures ----

rm -f o.npy
for dead in 0:1 0:9 1:1 1:12 2:7; do
    run env FAKE_DEAD=$dead "$FECRUN" run stream.yaml $fake --backend fake:all --quiet --json r.json --set batch=50
    is 0 "device $dead-th wait fails: the run ends well"
    ok "and nothing is lost" cmp o.npy want.npy
    rm -f o.npy
done
# Which of them gets so far is a matter of chance, so none in the loop is looked at.
tries=0
until [ $tries = 10 ]; do
    run env FAKE_DEAD=0:3 "$FECRUN" run stream.yaml $fake --backend fake:all --quiet --json - --set batch=50
    ! grep -q '"lost"' out || break
    tries=$((tries + 1))
done
says 'warning: fake:0: .*illegal address; the run goes on without it' "there is a warning"
prints '"who":"fake:0",.*"lost":"[^"]*illegal address' "and the result file says which was lost"
# The first one has its instance before there are others.
rm -f o.npy
run env FAKE_FAIL=create:1 "$FECRUN" run stream.yaml $fake --backend fake:all --quiet --set in_flight=1
is 0 "a device whose instance cannot be made"
says 'warning: fake:[12]: .*the run goes on without it' "takes no part"
ok "and nothing is lost" cmp o.npy want.npy
rm -f o.npy
# The log is written at the driver's end, which is not skipped where something is preloaded.
[ "${FECRUN_SANITIZER:-no}" != no ] || preload=$top_builddir/t/doubles/fault/fault.so
run env FAKE_DEAD=1:4 FAKE_LOG="$PWD/log" LD_PRELOAD="${preload-}" "$FECRUN" run stream.yaml $fake --backend fake:all --quiet --set batch=50
ok "memory, streams and instances of all are given back" grep -q '^live 0 allocs [1-9]' log
rm -f o.npy
run env FAKE_FAIL=sticky:30 "$FECRUN" run stream.yaml $fake --backend fake:all --quiet --set batch=50
is 1 "all fail"
ok "each is told" [ "$(grep -c 'warning: fake:[0-2]: .*the run goes on without it' err)" = 3 ]
ok "there is no output" [ -z "$(ls -d o.npy* 2>/dev/null)" ]
run "$FECRUN" run stream.yaml $fake --backend fake:all --quiet --set sink.file.path=/dev/full --set sink.file.format=raw
is 1 "the output has no room"
says '/dev/full: .*No space left' "and why"

# ---- ^C ----

# A decoder that takes its time, so that the signal comes before the end.
pipeline "source.file: {path: frames.raw, $llr, frame: 500}" 'fake.scale: {factor: 1}' \
    'viterbi.decode: {code: ieee80211, termination: truncated, backend: ref}' 'sink.file: {path: o}' >slow.yaml
for i in 1 2 3 4; do cat frames.raw frames.raw frames.raw frames.raw; done >more.raw
for i in 1 2 3 4; do cat more.raw; done >frames.raw
rm -f o more.raw
env --default-signal=INT "$FECRUN" run slow.yaml $fake --backend fake:all --quiet --json r.json \
    --set batch=20 >out 2>err &
pid=$! status=0 tries=0
until [ -n "$(find . -name 'o.*.tmp' -size +0)" ] || [ $tries = 1500 ]; do # the first megabyte
    sleep 0.02
    tries=$((tries + 1))
done
kill -INT $pid
wait $pid || status=$?
tap_last='fecrun run slow.yaml and SIGINT'
is 1 "a signal ends it: status 1"
ok "by its word" grep -q '"stop":"signal"' r.json
done_frames=$(fields frames <r.json)
ok "what was counted is what was written: $done_frames frames" [ "$(wc -c <o)" = $((done_frames * 250)) ]
"$FECRUN" run slow.yaml $fake --quiet --backend ref --set stop.frames="$done_frames" --set sink.file.path=want
ok "and that is right" cmp o want
ok "nothing else is left" [ -z "$(ls -d o.* 2>/dev/null)" ]

# A reader that has stopped is not waited for.
rm -f reader
mkfifo reader
sleep 30 <reader &
sleeper=$!
env --default-signal=INT "$FECRUN" run stream.yaml $fake --backend fake:all --set sink.file.path=reader \
    --set sink.file.format=raw --quiet --json r.json >out 2>err &
pid=$! status=0
sleep 0.7
kill -INT $pid
(sleep 20 && kill -KILL $pid) 2>/dev/null &
killer=$!
wait $pid || status=$?
kill $killer $sleeper 2>/dev/null
tap_last='fecrun run stream.yaml and SIGINT, while nobody reads'
is 1 "a signal ends a write that waits"
done_testing
