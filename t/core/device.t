#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A device provider that is made of host memory, but unforgiving: see t/doubles/fake/device.c.
. "$top_srcdir/t/lib/tap.sh"
without_cuda
fake="--plugin-dir $FAKEDIR"

cat >device.yaml <<END
fecrun: 1
seed: 7
batch: 37
pipeline:
  - source.random: {bits: 500}
  - conv.encode: {code: ieee80211}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 2}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 2, max: 10}
  - fake.negate: {}
  - fake.scale: {factor: -1}
  - viterbi.decode: {code: ieee80211}
  - fake.flip: {}
  - fake.reverse: {}
  - fake.reverse: {id: back}
  - fake.flip: {id: again}
  - sink.errors: {}
stop: {frames: 700}
END
sed '/fake/d; /back/d; /again/d' device.yaml >plain.yaml

# FILE OPTION...: frames, bit errors and frame errors
counts() {
    run timeout 60 "$FECRUN" run --quiet --json - $fake "$@"
    [ "$status" = 0 ] && sed -n '/^{"type":"point"/s/.*\("frames":.*\),"ber".*/\1/p' out
}

want=$(counts plain.yaml)
ok "without a device: $want" [ -n "$want" ]
for options in '--backend ref' '--backend fake' '' '--backend fake --threads 1' \
    '--set in_flight=1 --threads 1' '--set in_flight=7 --threads 4' '--set batch=1' \
    '--set batch=1000' '--set fake.negate.backend=fake' '--set fake.scale.backend=ref' \
    '--set back.backend=ref' '--set fake.reverse.backend=ref' \
    '--set fake.flip.backend=ref --set again.backend=ref'; do
    ok "the same counts: $options" [ "$(counts device.yaml $options)" = "$want" ]
done
# A stop rule ends at the same frame, however large the planner's batches are.
sed '/^batch/d; /^stop/d' device.yaml >stops.yaml
early=$(counts stops.yaml --backend ref --set stop.frame_errors=40 --set batch=1)
for options in '' '--backend fake' '--backend fake --set batch=10' \
    '--set batch=5 --set fake.flip.backend=ref'; do
    ok "stops at the same frame: $options" \
        [ "$(counts stops.yaml --set stop.frame_errors=40 $options)" = "$early" ]
done
run "$FECRUN" run device.yaml $fake --quiet --json -
prints '"iterations_mean":3.0,"iterations_max":3' "frame infos come back from the device"
run "$FECRUN" run device.yaml $fake --quiet --json - --set fake.negate.backend=fake
prints '"iterations_mean":3.0,"iterations_max":3' "also when the stage runs itself"

# What explain says of it.
run "$FECRUN" explain device.yaml $fake
is 0 "explain"
prints '^fake.negate: absorbed by fake.scale$' "an absorbed stage is shown"
prints '^fake.scale: fake on fake:0$' "a stage in device memory"
prints '^viterbi.decode: .* on host$' "a stage in host memory"
prints 'from llr.quantize, copied host -> fake:0$' "a copy to the device"
prints 'from fake.scale, copied fake:0 -> host$' "a copy from the device"
prints 'from fake.flip, converted from u8$' "a conversion on the device"
prints 'from viterbi.decode, converted from packed, copied host -> fake:0$' "both in one"
prints 'from fake.reverse$' "neighbours on the device hand over without either"
run "$FECRUN" explain device.yaml $fake --json -
prints '"id":"fake.negate",.*"absorbed_by":"fake.scale"' "absorbed, in JSON"
prints '"space":"fake:0"' "the space, in JSON"
prints '"copied":"host -> fake:0"' "the copies, in JSON"
prints '"converted_from":"packed"' "the conversions, in JSON"
run "$FECRUN" explain device.yaml $fake --set fake.negate.backend=fake
prints '^fake.negate: fake on fake:0$' "a stage whose backend was named is not absorbed"
run "$FECRUN" explain device.yaml $fake --backend ref
prints '^fake.scale: ref on host' "--backend ref"
run "$FECRUN" list $fake
prints '^  fake:0 imaginary accelerator 0$' "list shows devices"
prints '^  fake: fake driver 1.2$' "and their software"
run "$FECRUN" run device.yaml $fake --quiet --json -
prints '"devices":\[\{"provider":"fake","available":true,"device":0' "so do result files"
prints '"fake.negate":"absorbed by fake.scale"' "they say what was absorbed"

# What has settings of its own is not absorbed, so that they are right or wrong everywhere.
for option in --quiet '--backend ref'; do
    refuses 2 'fake.negate.tune.speed: backend (fake|ref) has no tuning' \
        run device.yaml $fake $option --set fake.negate.tune.speed=1
done
sed 's/fake.negate: {}/fake.negate: {tune: {speed: 1}}/' device.yaml >tuned.yaml
for option in --quiet '--backend ref'; do
    refuses 2 'tuned.yaml:[0-9]+:[0-9]+: fake.negate.tune.*speed' run tuned.yaml $fake $option
done

# Conversions that the device does not know happen on the host, also together with a copy.
printf '\001\002\003\377\376\200\177\000' >llrs
cat >widen.yaml <<END
fecrun: 1
pipeline:
  - source.file: {path: llrs, kind: llr, dtype: i1, frame: 4}
  - fake.negate: {backend: ref}
  - fake.widen: {}
  - sink.file: {path: wide, dtype: f4}
END
for backend in ref fake; do
    run "$FECRUN" run widen.yaml $fake --set fake.widen.backend=$backend --quiet
    is 0 "i8 -> f32 with backend $backend"
    mv wide wide.$backend 2>/dev/null
done
ok "the same file from both" cmp wide.ref wide.fake
run "$FECRUN" explain widen.yaml $fake --set fake.widen.backend=fake
prints 'converted from i8, copied host -> fake:0' "explain says so"

# Margins below a byte: whole bytes of them, at least as many as were asked for.
cat >window.yaml <<END
fecrun: 1
seed: 3
pipeline:
  - source.random: {bits: 240, stream: true}
  - fake.window: {before: 3, after: 13}
  - fake.flip: {}
  - fake.window: {id: more, before: 9}
  - sink.file: {path: windows, dtype: packed}
stop: {frames: 40}
END
# NAME OPTION...: the file with other options is the same.
window() {
    run timeout 60 "$FECRUN" run window.yaml $fake --quiet "$@"
    [ "$status" = 0 ] && cmp windows want >/dev/null
    tap_check $? "windows of packed bits: $*"
    rm -f windows
}
run "$FECRUN" run window.yaml $fake --quiet --backend ref --set batch=1000 --threads 1
mv windows want
run "$FECRUN" explain window.yaml $fake --backend fake
prints 'in   240 bits as packed, pieces of a stream' "packed bits are taken where margins are"
for options in '--backend ref --set batch=1' '--set batch=1' '--backend fake --set batch=1' \
    '--backend fake --set batch=3 --set in_flight=1' '--set batch=7 --set fake.flip.backend=ref' \
    '--backend fake --set batch=5 --set in_flight=9' \
    '--set fake.window.backend=ref --set batch=2'; do
    window $options
done
head -c 1000 /dev/urandom | od -An -v -tu1 | tr -s ' ' '\n' | head -c 999 >half
cat >half.yaml <<END
fecrun: 1
pipeline:
  - source.file: {path: half, kind: llr, dtype: i4, frame: 0, piece: 16}
  - fake.windowllr: {before: 5, after: 70}
  - sink.file: {path: halves, dtype: i4}
END
for options in '--backend ref --set batch=1000' '--backend ref --set batch=1' \
    '--backend fake --set batch=1000' '--backend fake --set batch=1' \
    '--backend fake --set batch=3 --set in_flight=1' '--set batch=4 --set in_flight=2'; do
    run timeout 60 "$FECRUN" run half.yaml $fake --quiet $options
    [ -f whole ] || mv halves whole
    [ -f halves ] || cp whole halves
    ok "windows of half bytes, with an end in a frame: $options" cmp halves whole
done
ok "all of it" [ "$(wc -c <whole)" = 999 ]

# Tables of ragged batches live as long as the work that reads them.
cat >ragged.yaml <<END
fecrun: 1
blocks:
  - {user: a, count: 3, bits: 40}
  - {user: b, count: 1, bits: 77}
  - {user: c, count: 20, bits: 21}
pipeline:
  - source.random: {}
  - fake.ragged: {}
  - fake.ragged: {id: again}
  - sink.errors: {}
stop: {frames: 1003}
END
for backend in ref fake; do
    run timeout 60 "$FECRUN" run ragged.yaml $fake --quiet --json - --backend $backend
    prints '"frames":1003,"bits":25809,"bit_errors":0' "ragged batches, backend $backend"
done

# Batches in flight: so many streams and slots, whatever the threads.
cat >resident.yaml <<END
fecrun: 1
batch: 100
pipeline:
  - source.random: {bits: 800}
  - fake.flip: {}
  - fake.reverse: {}
  - fake.reverse: {id: back}
  - fake.flip: {id: again}
  - sink.errors: {}
stop: {frames: 20000}
END
# What the driver counts it writes at its end, which is not skipped where something is preloaded.
[ "${FECRUN_SANITIZER:-no}" != no ] || preload=$top_builddir/t/doubles/fault/fault.so
log() { sed -n "s/.*$1 \([0-9]*\).*/\1/p" log; }
for n in 1 3 5; do
    rm -f log
    FAKE_LOG=log LD_PRELOAD=${preload-} run timeout 60 "$FECRUN" run resident.yaml $fake --quiet --threads 16 \
        --set in_flight=$n
    is 0 "in_flight: $n"
    ok "$n streams for 16 threads" [ "$(log streams)" = "$n" ]
    ok "memory for $n batches" [ "$(log peak)" -le $((n * (4 * 80000 + 4 * 10000 + 5000))) ]
    ok "one wait a batch, the first of which are small" [ "$(log syncs)" -le 210 ]
    ok "nothing is left" [ "$(log live)" = 0 ]
done

# Memory: what the planner chooses fits, what the user wants is refused with a number.
memory() { FAKE_MEMORY=$1 run timeout 60 "$FECRUN" "$2" resident.yaml $fake $3 $4 $5 $6; }
sed -i '/^batch/d; /^stop/d' resident.yaml
batch_of() { FAKE_MEMORY=$1 "$FECRUN" explain resident.yaml $fake --json - 2>/dev/null |
    sed 's/.*"batch":\([0-9]*\).*/\1/'; }
free=$(batch_of 1000000000000)
ok "with plenty of memory: batch $free, buffers of 16 MiB" [ "$free" = 20928 ]
small=$(batch_of 40000000)
ok "a quarter of 40 MB for three slots: batch $small" \
    [ "$small" -ge 800 -a $((small * 3 * 3600)) -le 10000000 ]
memory 3000000 run --set stop.frames=5000
is 0 "little memory: the planner's batch runs"
memory 3000000 run --set batch=100000 --set stop.frames=200000
is 1 "little memory: a batch that does not fit"
need='100000 frames with in_flight 3 need [0-9.]+ MiB of device memory'
says "^fecrun: batch: $need, fake:0 has free 2.9 MiB; at most [0-9]+ frames fit\$" \
    "it says how much, and what would fit"
most=$(sed -n 's/.*at most \([0-9]*\) frames fit/\1/p' err)
memory 3000000 check --set batch=100000
is 1 "check finds it, too"
memory 3000000 run --set batch=${most:-1} --set stop.frames=2000
is 0 "that batch does fit: ${most:-none}"
memory 3000000 run --set batch=$((${most:-1} + 1)) --set stop.frames=2000
is 1 "and one more does not"
memory 100 run --set batch=1
says 'a smaller in_flight needs less' "nothing fits"
memory 3000000 run --set batch=100000 --set stop.frames=100
is 0 "a short run's batch is no larger than the run"
FAKE_FAIL=memory run timeout 60 "$FECRUN" run resident.yaml $fake --quiet --set stop.frames=5000
is 0 "a device that does not count its memory"
refuses 1 'batch: 16777216 frames .* need [0-9.]+ GiB of host memory, this process may have' run \
    resident.yaml --quiet $fake --backend ref --set batch=16777216 \
    --set source.random.bits=16000000

# Where nothing but frame infos crosses to the host, batches are larger; with files, less so.
cat >inside.yaml <<END
fecrun: 1
pipeline:
  - fake.ramp: {bits: 8192}
  - fake.flip: {}
  - fake.flip: {id: again}
  - fake.count: {}
END
head -c 16384 /dev/zero >zeros
cat >outside.yaml <<END
fecrun: 1
pipeline:
  - source.file: {path: zeros, kind: bits, dtype: u1, frame: 8192}
  - fake.flip: {}
  - sink.file: {path: flipped, dtype: u1}
END
# FILE MEMORY OPTION...
batch_there() {
    file=$1
    FAKE_MEMORY=$2
    export FAKE_MEMORY
    shift 2
    "$FECRUN" explain $file $fake --json - "$@" 2>err | sed 's/.*"batch":\([0-9]*\).*/\1/'
    unset FAKE_MEMORY
}
all=1000000000000
ok "all on the device: buffers of 1 GiB" [ "$(batch_there inside.yaml $all)" = 131072 ]
ok "but no more than 262144 frames" \
    [ "$(batch_there inside.yaml $all --set fake.ramp.bits=100)" = 262144 ]
ok "files: buffers of 64 MiB" [ "$(batch_there outside.yaml $all)" = 8192 ]
ok "the host computes: buffers of 16 MiB" \
    [ "$(batch_there inside.yaml $all --set again.backend=ref)" = 2048 ]
small=$(batch_there inside.yaml 1000000000)
ok "a quarter of 1 GB for three slots: batch $small" \
    [ "$small" -ge 2000 -a $((small * 3 * 3 * 8192)) -le 250000000 ]
ok "a short run: no more than it has" \
    [ "$(batch_there inside.yaml $all --set stop.frames=1000)" = 1000 ]
ok "but the user's batch is shown as given" \
    [ "$(batch_there inside.yaml $all --set stop.frames=1000 --set batch=1500)" = 1500 ]
ones=$(counts inside.yaml --backend ref --set batch=1 --set stop.frame_errors=500)
FAKE_MEMORY=200000000
export FAKE_MEMORY
ok "all on the device: the same counts, however large the batch: $ones" \
    [ -n "$ones" -a "$(counts inside.yaml --set stop.frame_errors=500)" = "$ones" ]
unset FAKE_MEMORY

# Points of a sweep use the memory of those before.
cat >sweep.yaml <<END
fecrun: 1
seed: 7
batch: 40
pipeline:
  - source.random: {bits: 500}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 2}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 2, max: 10}
  - fake.negate: {}
  - fake.scale: {factor: -1}
  - sink.null: {}
stop: {frames: 400}
END
allocs() {
    rm -f log
    { cat sweep.yaml; echo "sweep: {channel.awgn.ebn0_db: [$1]}"; } >swept.yaml
    FAKE_LOG=log LD_PRELOAD=${preload-} run timeout 60 "$FECRUN" run swept.yaml $fake --quiet $2
    log allocs
}
for options in '' '--set fake.negate.backend=fake'; do
    one=$(allocs 1 "$options")
    ok "five points allocate as often as one: $one, $options" \
        [ "${one:-0}" -gt 0 -a "$(allocs 1,2,3,4,5 "$options")" = "$one" ]
done

# Names and numbers.
refuses 3 'fake.negate.backend: there is no device 1: fake has 1 \(devices: 0..0\)' \
    run device.yaml $fake --backend fake:1
refuses 3 'fake.flip.backend: there is no device 7' \
    run device.yaml $fake --set fake.flip.backend=fake:7
refuses 2 'is no backend name' run device.yaml $fake --backend fake:x
refuses 2 'is no backend name' run device.yaml $fake --backend fake:-1
refuses 3 'no stage of this pipeline has a backend .fake.' run plain.yaml $fake --backend fake
export FAKE_DEVICES=2
ok "the second of two devices" [ "$(counts device.yaml --backend fake:1)" = "$want" ]
run "$FECRUN" explain device.yaml $fake --backend fake:1
prints 'copied host -> fake:1$' "explain says which one"
ok "one stage names it, the others follow" \
    [ "$(counts device.yaml --set fake.flip.backend=fake:1)" = "$want" ]
refuses 2 'one pipeline runs on one device' run device.yaml $fake \
    --set fake.scale.backend=fake:0 --set fake.flip.backend=fake:1
# Each device is asked for itself.
pipeline() {
    printf 'fecrun: 1\npipeline:\n'
    printf '  - %s\n' "$@"
    printf 'stop: {frames: 40}\n'
}
pipeline 'source.random: {bits: 40}' 'fake.choosy: {}' 'fake.flip: {}' 'sink.errors: {}' >old.yaml
export FAKE_OLD=0
refuses 3 'fake.choosy.backend: fake is not available here: fake device 0 is too old' \
    run old.yaml $fake --backend fake
run "$FECRUN" explain old.yaml $fake
prints '^fake.choosy: ref on host' "a device that is too old: auto falls back"
run "$FECRUN" explain old.yaml $fake --backend fake:1
prints '^fake.choosy: fake on fake:1' "the other device is not"
run "$FECRUN" explain old.yaml $fake --set fake.flip.backend=fake:1
prints '^fake.choosy: fake on fake:1' "auto asks for the device that others run on"
export FAKE_OLD=1
run "$FECRUN" explain old.yaml $fake
prints '^fake.choosy: fake on fake:0' "an old device is no obstacle for another one"
unset FAKE_OLD
export FAKE_DEVICES=0
refuses 3 'fake is not available here: no device' run device.yaml $fake --backend fake
ok "no device: auto falls back" [ "$(counts device.yaml)" = "$want" ]
run "$FECRUN" explain device.yaml $fake
prints '^ *not  fake: no device$' "no device: explain says so"
unset FAKE_DEVICES
FAKE_FAIL=probe
export FAKE_FAIL
refuses 3 'the fake driver is asleep' run device.yaml $fake --backend fake
run "$FECRUN" list $fake
prints '^  fake: the fake driver is asleep$' "list says why there is no device"

unset FAKE_FAIL

# Probes: only those of rows that may be chosen, and a provider once for all of its rows.
probes() {
    rm -f probes
    FAKE_PROBES=probes run "$FECRUN" "$@" --quiet
    [ -f probes ] && grep -c . probes || echo 0
}
ok "list asks the provider, once" [ "$(probes list $fake)" = 1 ]
ok "describe, too" [ "$(probes describe fake.flip $fake)" = 1 ]
ok "not for another stage" [ "$(probes describe conv.encode $fake)" = 0 ]
ok "run asks it for a pipeline that might use it" [ "$(probes run device.yaml $fake)" = 1 ]
ok "not for one that cannot" [ "$(probes run plain.yaml $fake)" = 0 ]
ok "not if others are named" [ "$(probes run device.yaml $fake --backend ref)" = 0 ]
run "$FECRUN" list --plugin-dir "$BADDIR" $fake
prints 'fast is not available: its probe crashed' "a probe that crashes"
prints 'fast is not available: its probe ended the process' "one that exits"
prints 'fast is not available: it is Sunday' "one behind them is asked all the same"
prints '^  fake:0 imaginary' "and so are devices"
run "$FECRUN" run device.yaml $fake --quiet --json -
prints '"description":"imaginary accelerator 0","software":"fake driver 1.2"' \
    "result files name the device and its driver"

# need_cuda of t/lib/tap.sh, here with a list that says there is none.
cat >list <<'END'
#!/bin/sh
echo '{"devices":[{"provider":"cuda","available":false,"reason":"no CUDA device"}]}'
END
chmod +x list
needs() {
    FECRUN=$PWD/list FECRUN_REQUIRE=$1 \
        sh -c '. "$top_srcdir/t/lib/tap.sh"; need_cuda; echo "ok 1 - on"; done_testing' >out 2>err
    status=$?
}
needs ''
ok "need_cuda skips with the reason" grep -q '^1..0 # SKIP cuda: no CUDA device$' out
is 0 "and that is fine"
needs 'fake,cuda'
ok "need_cuda fails where it is required" grep -q '^not ok 1 - cuda: no CUDA device$' out
is 1 "and that is not"
sed -i 's/false,"reason.*/true}]}'"'/" list
needs cuda
ok "need_cuda goes on where there is one" grep -q '^ok 1 - on$' out

# Points of a failed run stand beside the result file, whose old content stays, and end with its
# status; without any there is no such file.
has_partial() {
    [ "$(cat result)" = old ] || return 1
    grep -q 'what was done before is in result.partial$' err || { [ ! -e result.partial ]; return; }
    head -n 1 result.partial | grep -q '^{"type":"run"' &&
        grep -q '^{"type":"point"' result.partial &&
        tail -n 1 result.partial | grep -q '^{"type":"end","status":1}$'
}

# Errors of the device: status 1, its words, where it was; nothing hangs, and all memory, streams and
# instances go back. FAULT MESSAGE OPTION...
fails() {
    FAKE_FAIL=$1 fails_pattern=$2
    export FAKE_FAIL
    shift 2
    rm -f log result.partial
    echo old >result
    FAKE_LOG=log LD_PRELOAD=${preload-} run timeout 60 "$FECRUN" run device.yaml $fake --backend fake --threads 3 \
        --json result "$@"
    [ "$status" = 1 ] && grep -Eq "^fecrun: .*$fails_pattern" err && [ "$(log live)" = 0 ] && has_partial
    tap_check $? "FAKE_FAIL=$FAKE_FAIL: $(grep '^fecrun' err)"
}
fails alloc 'fake:0: fake memory is full \([0-9]+ bytes of .* memory for a buffer; a smaller'
for n in 1 2 5 9 14 20 25; do
    fails alloc:$n 'fake:0: fake memory is full'
done
fails stream 'fake:0: no more fake streams'
# long enough for a second thread to begin, however busy the machine is
fails stream:2 'fake:0: no more fake streams' --set stop.frames=1000000
fails create 'device.yaml:12:5: fake.scale: fake:0: the fake compiler has a cold'
fails create:3 'fake:0: the fake compiler has a cold'
fails run 'device.yaml:12:5: fake.scale: fake:0: fake launch failure'
fails run:9 'fake:0: fake launch failure'
fails copy 'llr.quantize: fake:0: the fake bus is down'
fails copy:11 'fake:0: the fake bus is down'
fails sync 'fake.scale or a stage before it: fake:0: fake kernel hit an illegal address'
for n in 1 2 7 20 33; do
    fails sync:$n 'fake:0: fake kernel hit an illegal address'
done
for n in 0 1 5 17; do
    fails sticky:$n 'fake:0: '
done
# What was complete before is in the results, and counts for as many frames as it says.
FAKE_FAIL=sync:12
run timeout 60 "$FECRUN" run device.yaml $fake --backend fake --json result --set in_flight=1 \
    --set batch=50
is 1 "an error in the middle"
part=$(sed -n '/^{"type":"point"/s/.*"frames":\([0-9]*\),.*"stop":"error".*/\1/p' result.partial)
got=$(sed -n '/^{"type":"point"/s/.*\("frames":.*\),"ber".*/\1/p' result.partial)
unset FAKE_FAIL
ok "frames before it are kept: ${part:-none}" [ "${part:-0}" -ge 50 -a "${part:-0}" -lt 700 ]
ok "they are counted right" \
    [ "$(counts device.yaml --set stop.frames=${part:-1})" = "$got" ]
FAKE_FAIL=sticky:20
export FAKE_FAIL
{ cat device.yaml; echo 'sweep: {channel.awgn.ebn0_db: [2, 3, 4, 5]}'; } >swept.yaml
run timeout 60 "$FECRUN" run swept.yaml $fake --backend fake --json result --set in_flight=1 \
    --set batch=100
is 1 "a device that is lost in a sweep"
says 'fake:0: ' "says so"
ok "points before it are whole" grep -q '"ebn0_db":2.0.*"frames":700,.*"stop":"frames"' result.partial
FAKE_FAIL=sync
refuses 1 'fake kernel' bench device.yaml $fake --stage fake.scale --backend fake
FAKE_FAIL=
run timeout 100 "$FECRUN" bench device.yaml $fake --stage fake.scale --backend fake --batches 37 \
    --json -
is 0 "bench of a stage on the device"
prints '"stage":"fake.scale","backend":"fake","device":"fake:0"' "bench names the device"
done_testing
