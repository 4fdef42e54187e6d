#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Backends that do not take every code: `auto` goes on to another one, a named one is an error. The
# device is t/doubles/fake/device.c; fake.choosy takes levels and depths up to 4 (device/choosy.c).
. "$top_srcdir/t/lib/tap.sh"
without_cuda
fake="--plugin-dir $FAKEDIR"

cat >choosy.yaml <<END
fecrun: 1
seed: 3
batch: 16
pipeline:
  - source.random: {bits: 96}
  - fake.choosy: {}
  - fake.choosy:
      id: back
      backend: auto
  - sink.errors: {}
stop: {frames: 100}
END

# OPTION...: all frames come back right.
right() {
    run timeout 60 "$FECRUN" run choosy.yaml $fake --quiet --json - "$@"
    [ "$status" = 0 ] && grep -q '"frames":100,"bits":9600,"bit_errors":0' out
    tap_check $? "right: $*"
}

# A stage that the device could also do in the next one, which it does not take there, either.
cat >coarse.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 64}
  - fake.map: {}
  - fake.dither: {}
  - fake.slice: {}
  - fake.halve: {}
  - sink.null: {}
stop: {frames: 10}
END
run "$FECRUN" check coarse.yaml $fake --backend fake
is 0 "the device slices"
export FAKE_COARSE=1
refuses 3 '^fecrun: coarse.yaml:6:5: fake.slice.backend: fake cannot do what the parameters ask for: the fake device slices nothing$' \
    check coarse.yaml $fake --backend fake
run "$FECRUN" check coarse.yaml $fake
is 0 "which the host does"
unset FAKE_COARSE

# ---- One point ----

run "$FECRUN" explain choosy.yaml $fake
prints '^fake.choosy: fake on fake:0$' "the device, where it takes the code"
right
prints '"backends":\{[^}]*"fake.choosy":"fake","back":"fake"' "the result file says so"

! grep -q 'counts to' out
tap_check $? "a backend that has nothing to say of this"
run "$FECRUN" explain choosy.yaml $fake --set back.level=3
prints '^    does counts to 3 on fake device 0$' "what the backend says of its instance"

run "$FECRUN" explain choosy.yaml $fake --set back.level=5
is 0 "a code that the device does not take"
prints '^back: ref on host$' "goes to ref"
prints '^fake.choosy: fake on fake:0$' "others stay"
prints '^    not  fake: level: the fake device counts to 4$' "explain shows the device's reason"
right --set back.level=5
prints '"backends":\{[^}]*"fake.choosy":"fake","back":"ref"' "so does the result file"
run "$FECRUN" check choosy.yaml $fake --set back.level=5
is 0 "check takes it, too"

sed 's/backend: auto/backend: fake/' choosy.yaml >named.yaml
refuses 3 '^fecrun: named.yaml:9:16: back.backend: fake cannot do what the parameters ask for: level: the fake device counts to 4$' \
    run named.yaml $fake --set back.level=5
refuses 3 'back.backend: fake cannot do' check named.yaml $fake --set back.level=5
refuses 3 'back.backend: fake cannot do' explain named.yaml $fake --set back.level=5
refuses 3 '^fecrun: --set back.backend=fake:0: back.backend: fake cannot do' \
    run choosy.yaml $fake --set back.level=5 --set back.backend=fake:0
refuses 3 '^fecrun: choosy.yaml:6:5: fake.choosy.backend: fake cannot do' \
    run choosy.yaml $fake --backend fake --set fake.choosy.depth=9
right --backend fake --set back.level=4
right --backend ref --set back.level=9
FAKE_FAIL=probe run "$FECRUN" explain choosy.yaml $fake --set back.level=5
prints '^    not  fake: the fake driver is asleep$' "a device that is not there has that reason"

# ---- Devices of different limits ----

FAKE_DEVICES=2 FAKE_SMALL=1
export FAKE_DEVICES FAKE_SMALL
run "$FECRUN" explain choosy.yaml $fake --set back.level=3
prints '^back: fake on fake:0$' "takes() is asked with the device: the first one has room"
run "$FECRUN" explain choosy.yaml $fake --set back.level=3 --set fake.choosy.backend=fake:1
prints '^back: ref on host$' "the second one has less"
prints '^    not  fake: level: the fake device counts to 2$' "explain asks that one, too"
sed 's/backend: auto/backend: fake:1/' choosy.yaml >named.yaml
refuses 3 'back.backend: fake cannot do .*: level: the fake device counts to 2$' \
    run named.yaml $fake --set back.level=3
# fake.choosy's probe fails in a child of a process whose takes() has started the driver.
right --set back.level=2
prints '"runs_on":\["fake:0","fake:1"\]' "a driver that takes() has started is asked in this process"
unset FAKE_DEVICES FAKE_SMALL

# ---- Sweeps ----

# backends of the points
points() { sed -n '/^{"type":"point"/s/.*"stop":"[^"]*"\(.*\)}$/[\1]/p' out | tr -d '\n'; }

# NAME VALUES WANTED: what the points say of their backends where they are not the first one's.
sweep() {
    sed "s/^stop.*/&\\
sweep: {$1: [$2]}/" choosy.yaml >sweep.yaml
    run timeout 60 "$FECRUN" run sweep.yaml $fake --quiet --json -
    [ "$status" = 0 ] && [ "$(grep -c '"frames":100,"bits":9600,"bit_errors":0' out)" = \
        "$(echo "$2" | tr ',' '\n' | wc -l)" ] && [ "$(points)" = "$3" ]
    tap_check $? "sweep of $1 over $2: $(points)"
}

ends='"source.random":"ref","sink.errors":"ref"'
host='[,"backends":{"source.random":"ref","fake.choosy":"fake","back":"ref","sink.errors":"ref"}]'
device='[,"backends":{"source.random":"ref","fake.choosy":"fake","back":"fake","sink.errors":"ref"}]'
for name in back.level back.depth; do
    sweep $name '0, 5, 1' "[]$host[]"
    sweep $name '5, 9, 4' "[][]$device"
    sweep $name '1, 2' '[][]'
done
sweep back.depth '0, 5' "[]$host"
sed 's/backend: auto/backend: fake/' sweep.yaml >named.yaml
refuses 3 'named.yaml:9:16: back.backend: fake cannot do .*: depth: the fake device is shallow' \
    run named.yaml $fake --json out.json
run "$FECRUN" run named.yaml $fake --json -
ok "nothing of it is run" [ "$(grep -c '"type":"point"' out)" = 0 ]
sweep back.level '0, 5' "[]$host"
run timeout 60 "$FECRUN" run sweep.yaml $fake --quiet --csv -
ok "no column of it in CSV" [ "$(grep -c backend out)" = 0 ]

# ---- Classes, forms, absorbed stages ----

sed '/source/s/{.*/{}/; /^batch/d; /^stop/d; s/fake.choosy:$/fake.flip:/' choosy.yaml >blocks.yaml
cat >>blocks.yaml <<END
stop: {frames: 90}
blocks:
  - {user: a, count: 3, bits: 40}
  - {user: b, count: 1, bits: 80}
END
run "$FECRUN" explain blocks.yaml $fake
prints '^    in   40 bits as u8, to `bits` from source.random' "two sizes: in one call"
prints '^of 2 rows of blocks; sizes, .* of the first$' "and whose sizes these are"
echo '  - {user: c, count: 2, bits: 24}' >>blocks.yaml
run "$FECRUN" explain blocks.yaml $fake
prints '^fake.choosy: fake on fake:0$' "three sizes: on the device still"
prints '^    in   40 bits as packed, to `bits` from source.random' "but one after the other"
run timeout 60 "$FECRUN" run blocks.yaml $fake --quiet --json -
prints '"frames":90,"bits":[0-9]*,"bit_errors":0' "they come back right"

sed 's/fake.choosy: {}/fake.flip: {}/' choosy.yaml >absorb.yaml
sed -i 's/^      id: back/&\
      level: 0/' absorb.yaml
run "$FECRUN" explain absorb.yaml $fake
prints '^fake.flip: absorbed by back$' "a stage is absorbed"
prints '^    out  96 bits as packed$' "in the only form that takes it"
mv absorb.yaml choosy.yaml
right
right --set back.level=5
prints '"fake.flip":"fake","back":"ref"' "not where the absorbing stage is not taken"

# ---- A real one: ldpc.decode on simd knows layers only, and min-sum ----

cat >ldpc.yaml <<END
fecrun: 1
seed: 4
pipeline:
  - source.random: {bits: 324}
  - ldpc.encode: {code: wifi, n: 648, rate: 1/2}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 3}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 8}
  - ldpc.decode: {code: wifi, n: 648, rate: 1/2, schedule: layered}
  - sink.errors: {}
stop: {frames: 50}
END
run "$FECRUN" explain ldpc.yaml
prints '^ldpc.decode: simd on host$' "simd, where it takes the code"
run "$FECRUN" explain ldpc.yaml --set ldpc.decode.schedule=flooding
prints '^ldpc.decode: ref on host$' "flooding: ref"
prints '^    not  simd: schedule: .*layered' "and why not simd"
run "$FECRUN" explain ldpc.yaml --set ldpc.decode.check_rule=sum-product
prints '^    not  simd: check_rule: ' "sum-product: ref, too"
run "$FECRUN" explain ldpc.yaml --set ldpc.decode.erasures=solve
prints '^ldpc.decode: ref on host$' "erasures to be solved: ref"
prints '^    note .*; erasures solved$' "which says so"
prints '^    not  simd: erasures: ' "and why not simd"
refuses 3 'ldpc.yaml:10:5: ldpc.decode.backend: simd cannot do what the parameters ask for: schedule: ' \
    run ldpc.yaml --backend simd --set ldpc.decode.schedule=flooding
echo 'sweep: {ldpc.decode.schedule: [layered, flooding]}' >>ldpc.yaml
run "$FECRUN" run ldpc.yaml --quiet --json -
prints '"backends":.*"ldpc.decode":"simd"' "a sweep begins with simd"
prints '"flooding".*"backends":.*"ldpc.decode":"ref"' "and goes on with ref"

# ---- Why not another one, in words ----

cat >words.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 64}
  - null.three: {}
  - modem.map: {scheme: bpsk}
  - modem.demap: {esn0_db: 3}
  - llr.quantize: {type: i8, scale: 8}
  - null.float: {}
  - null.i8: {}
stop: {frames: 8}
END
explain() { run "$FECRUN" explain words.yaml $fake "$@"; }
not() { # STAGE BACKEND WORDS
    awk -v stage="$1:" '/^[a-z]/ { here = $1 == stage } here' out | grep -Fqx "    not  $2: $3"
    tap_check $? "$1: not $2: $3"
}
explain
prints '^null.three: first on host$' "the first one after the reference"
not null.three ref 'it is the reference, which is taken last'
not null.three second "first is before it in the plugin's order"
prints '^null.float: ref on host$' "the reference, as what follows takes no floats"
not null.float floats "it could run here, but stages around it would need copies or backends that are later in their plugin's order"
explain --set null.three.backend=second
not null.three first 'another one was asked for'
run "$FECRUN" explain ldpc.yaml --set ldpc.decode.schedule=flooding
not ldpc.decode simd 'schedule: backend simd has layered only'
sed -i '/llr.quantize/d' ldpc.yaml
run "$FECRUN" explain ldpc.yaml
not ldpc.decode simd 'none of its forms takes these frames'
ok "no costs are told" sh -c '! grep -q cost out'
done_testing
