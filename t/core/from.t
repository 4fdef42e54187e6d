#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The key `from:` of a stage: its input comes from an earlier stage than the one before.
. "$top_srcdir/t/lib/counts.sh"
without_cuda
fake="--plugin-dir $FAKEDIR"

# Two ways from one source; ports.pick passes on the second one's bits.
cat >two.yaml <<END
fecrun: 1
seed: 5
batch: 10
pipeline:
  - source.random: {bits: 100}
  - conv.encode: {id: enc, code: ieee80211}
  - modem.map: {id: map1, scheme: bpsk}
  - channel.awgn: {id: noise1, ebn0_db: 3}
  - modem.demap: {id: demap1}
  - viterbi.decode: {id: first, code: ieee80211}
  - modem.map: {id: map2, scheme: qpsk, from: enc}
  - channel.awgn: {id: noise2, ebn0_db: 2}
  - modem.demap: {id: demap2}
  - viterbi.decode: {id: second, code: ieee80211}
  - ports.pick: {from: first, second: second}
  - sink.errors: {reference: source}
stop: {frames: 300}
END
straight() {
    pipeline 'source.random: {bits: 100}' 'conv.encode: {id: enc, code: ieee80211}' \
        "modem.map: {scheme: $1}" "channel.awgn: {id: $2, ebn0_db: $3}" 'modem.demap: {}' \
        'viterbi.decode: {code: ieee80211}' 'sink.errors: {}'
    printf 'stop: {frames: 300}\nseed: 5\n'
}
straight qpsk noise2 2 >straight.yaml
want=$(counts straight.yaml)
same "the second way alone, as a pipeline of its own" \
    "$(counts two.yaml $fake)" "$want"
ok "it has errors" [ "${want##* }" -gt 20 ]
want=$(counts two.yaml $fake --set sink.errors.reference=first)
ok "the two ways differ: $want" [ "${want##* }" -gt 20 ]
for options in '--threads 1 --set batch=1' '--set batch=300' '--set in_flight=9'; do
    same "the same counts: $options" \
        "$(counts two.yaml $fake --set sink.errors.reference=first $options)" "$want"
done

run "$FECRUN" explain two.yaml $fake
prints 'to `in` from enc' "explain: where the input comes from"
prints 'Eb/N0 2 dB, Es/N0' "the ratio is that of the last channel"
run "$FECRUN" run two.yaml $fake --quiet --json -
prints '"map2"[^}]*"from":"enc"|"from":"enc"[^}]*"map2"' "result files keep it"

# A stage of the middle, timed: what is behind it still reads what is in front of it.
for stage in first map2 second; do
    run timeout 100 "$FECRUN" bench two.yaml $fake --stage $stage --threads 1 --batches 4 --json -
    is 0 "bench --stage $stage"
done

# ---- Errors ----

# from PATTERN TEXT: of the stage in line 5, column 37
from() {
    { pipeline 'source.random: {bits: 64}' 'conv.encode: {code: ieee80211, id: enc}' \
        "modem.map: {scheme: bpsk, from: $2}" 'modem.demap: {esn0_db: 3}' 'sink.null: {}'; } >p.yaml
    refuses 2 "^fecrun: p.yaml:5:37: modem.map.from: $1" check p.yaml
}
from 'no stage before this one is called .end. \(did you mean enc\?\); ID, ID.PORT or source' end
from '.*.sauce. \(did you mean source\?\)' sauce
from '.*.enc.bits. \(enc has the output out\)' enc.bits
from '.*.modem.demap. \(that stage comes later\)' modem.demap
from '.*.modem.map. \(a stage cannot feed itself\)' modem.map
from '.*.xyz.; ID' xyz
from 'must be an earlier stage: ID, ID.PORT or source; is a list' '[enc]'
from 'then no stage reads what enc puts out' source
pipeline 'source.random: {bits: 64, from: source}' 'sink.null: {}' >p.yaml
refuses 2 '^fecrun: p.yaml:3:37: source.random.from: the first stage has no input' check p.yaml
pipeline 'source.random: {bits: 64}' 'modem.map: {scheme: bpsk, id: m}' \
    'crc.attach: {crc: 16, from: m}' 'sink.null: {}' >p.yaml
refuses 2 'p.yaml:5:5: crc.attach: input .* takes bits, but m gives symbols' check p.yaml
refuses 2 'set enc.from=source: cannot be set' check two.yaml $fake --set enc.from=source
pipeline 'source.random: {bits: 64}' 'conv.encode: {code: ieee80211, id: enc, from: ~}' \
    'sink.null: {}' >p.yaml
run "$FECRUN" check p.yaml
is 0 "null is as not given"

# ---- Eight ports, and values beside the bits ----

pipeline 'source.random: {bits: 40}' 'wide.eight: {id: one}' \
    'wide.eight: {id: two, p1: one.p1, p6: one.p4, p7: one.p3}' \
    'ports.pick: {from: two.p7}' 'sink.errors: {}' >p.yaml
run "$FECRUN" run p.yaml $fake --set stop.frames=100 --json - --quiet
is 0 "eight inputs and eight outputs"
# one turns the first three bits of what goes to input 7, and two the first seven: four are wrong
prints '"frames":100,"bits":4000,"bit_errors":400,' "each goes where it belongs"
pipeline 'source.random: {bits: 40}' 'wide.weigh: {id: w}' 'wide.gate: {open: w.weight}' \
    'sink.errors: {}' >p.yaml
run "$FECRUN" run p.yaml $fake --set stop.frames=100 --json - --quiet
prints '"frames":100,"bits":4000,"bit_errors":0,' "a value for each frame lets them all pass"
refuses 2 "p.yaml:[0-9]*:[0-9]*: wide.gate: input .open. takes values, but w gives bits" run p.yaml $fake \
    --set wide.gate.open=w
pipeline 'source.random: {bits: 40}' 'wide.weigh: {id: w}' \
    'sink.file: {path: weights.npy, from: w.weight}' >p.yaml
run "$FECRUN" run p.yaml $fake --set stop.frames=100 --quiet
is 0 "values go into a file"
ok "one float for each frame" [ "$(wc -c <weights.npy)" = 528 ]

# ---- Other ports, ragged batches, streams ----

pipeline 'source.random: {bits: 40}' 'ports.twin: {id: twin}' 'ragged.flip: {id: f, bits: 40}' \
    'ports.swap: {id: swap, from: twin.opposite, b: f}' \
    'ports.pick: {from: swap.b, second: swap}' 'sink.errors: {reference: f}' >p.yaml
printf 'stop: {frames: 50}\n' >>p.yaml
same "outputs that are not the first" "$(counts p.yaml $fake)" "50 2000 0 0"

cat >ragged.yaml <<END
fecrun: 1
pipeline:
  - source.random: {}
  - ragged.flip: {id: a}
  - ragged.flip: {id: b}
  - ragged.flip: {id: c, from: a}
  - ports.pick: {from: c, second: b}
  - sink.errors: {}
blocks:
  - {user: x, count: 3, bits: 17}
  - {user: y, count: 1, bits: 5000}
  - {user: z, count: 2, bits: 64}
stop: {frames: 60}
END
same "frames of different sizes" "$(counts ragged.yaml $fake)" "60 51790 0 0"

pipeline 'source.random: {bits: 400, stream: true}' 'stream.window: {id: w}' \
    'stream.window: {id: v, before: 0, after: 900}' \
    'stream.window: {before: 30, after: 2, from: w}' 'sink.errors: {reference: v}' >p.yaml
printf 'stop: {frames: 40}\n' >>p.yaml
want=$(counts p.yaml $fake --set batch=40 --threads 1)
ok "streams: $want" [ "${want%% *}" = 40 ]
for options in '--set batch=1' '--set batch=3 --set in_flight=7'; do
    same "the same counts: $options" "$(counts p.yaml $fake $options)" "$want"
done

# ---- Devices: a stage with two readers stays ----

cat >device.yaml <<END
fecrun: 1
batch: 7
pipeline:
  - source.random: {bits: 100}
  - conv.encode: {code: ieee80211}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 2}
  - modem.demap: {}
  - llr.quantize: {id: llr, type: i8, scale: 2, max: 10}
  - fake.negate: {id: neg}
  - fake.scale: {id: one, factor: -1}
  - viterbi.decode: {id: first, code: ieee80211}
  - fake.scale: {id: two, factor: -1, from: neg}
  - viterbi.decode: {code: ieee80211}
  - sink.errors: {reference: first}
stop: {frames: 100}
END
same "a stage with two readers" "$(counts device.yaml $fake --backend fake)" "100 10000 0 0"
run "$FECRUN" explain device.yaml $fake
prints '^neg: fake on fake:0' "is not absorbed"
for stage in one two; do
    run timeout 100 "$FECRUN" bench device.yaml $fake --stage $stage --batches 4 --json -
    is 0 "bench --stage $stage"
done
sed 's/from: neg/from: llr/; s/id: two, factor: -1/id: two, factor: 1/' device.yaml >absorb.yaml
run "$FECRUN" explain absorb.yaml $fake
prints '^neg: absorbed by one' "a stage with one reader is"
same "with what it absorbs" "$(counts absorb.yaml $fake)" "100 10000 0 0"
# The first of a row of absorbed stages may have `from:`, too.
sed 's/, from: neg//; s/^  - fake.scale: {id: two.*/  - fake.negate: {id: neg2, from: llr}\
&/' device.yaml >absorb.yaml
run "$FECRUN" explain absorb.yaml $fake
prints '^neg2: absorbed by two' "a stage with from is absorbed"
prints 'to .* from llr, copied' "and its input goes to who absorbs it"
same "it reads the right frames" "$(counts absorb.yaml $fake)" "100 10000 0 0"
done_testing
