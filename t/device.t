#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A device provider that is made of host memory, but unforgiving: see t/fake/device.c.
. "$top_srcdir/t/tap.sh"
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
    '--set back.backend=ref' '--set fake.flip.backend=ref --set again.backend=ref'; do
    ok "the same counts: $options" [ "$(counts device.yaml $options)" = "$want" ]
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
run "$FECRUN" run device.yaml $fake --quiet --json -
prints '"devices":\[\{"provider":"fake","available":true,"device":0' "so do result files"
prints '"fake.negate":"absorbed by fake.scale"' "they say what was absorbed"

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

# Names and numbers.
refuses 3 'fake.negate.backend: there is no device 1 \(devices: 0..0\)' \
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

# Errors of the device: status 1, its words, where it was; nothing hangs, results end with them.
fails() {
    FAKE_FAIL=$1
    run timeout 60 "$FECRUN" run device.yaml $fake --backend fake --threads 3 --json result
    [ "$status" = 1 ] && grep -Eq "^fecrun: .*$2" err &&
        tail -n 1 result | grep -q '^{"type":"end","status":1}$'
    tap_check $? "FAKE_FAIL=$1: $(grep '^fecrun' err)"
}
fails alloc 'fake:0: fake memory is full'
fails stream 'fake:0: no more fake streams'
fails create 'device.yaml:12:5: fake.scale: the fake compiler has a cold'
fails run 'device.yaml:12:5: fake.scale: fake launch failure'
fails copy 'llr.quantize: fake:0: the fake bus is down'
fails sync 'fake.scale or a stage before it: fake:0: fake kernel hit an illegal address'
for n in 1 2 7 20 33; do
    fails sync:$n 'fake:0: fake kernel hit an illegal address'
done
FAKE_FAIL=sync
refuses 1 'fake kernel' bench device.yaml $fake --stage fake.scale --backend fake
FAKE_FAIL=
run timeout 100 "$FECRUN" bench device.yaml $fake --stage fake.scale --backend fake --batches 37 \
    --json -
is 0 "bench of a stage on the device"
prints '"stage":"fake.scale","backend":"fake","device":"fake:0"' "bench names the device"
done_testing
