#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# One simulation on several devices, made of host memory: one device's counts, whichever fails.
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
  - fake.scale: {factor: 1}
  - viterbi.decode: {code: ieee80211}
  - sink.errors: {}
sweep: {channel.awgn.ebn0_db: "1:0.5:2.5"}
stop: {frame_errors: 300, frames: 2000}
END

# OPTION...: the points' counts
counts() {
    run timeout 60 "$FECRUN" run --quiet --json - $fake "$@"
    [ "$status" = 0 ] && sed -n '/^{"type":"point"/s/.*\("frames":.*\),"ber".*/\1/p' out
}

# ---- The same counts ----

want=$(counts device.yaml --backend ref)
ok "without a device: $(echo "$want" | wc -l) points" [ "$(echo "$want" | wc -l)" = 4 ]
for n in 1 2 5; do
    export FAKE_DEVICES=$n
    for options in '' '--backend fake:all' '--set in_flight=1'; do
        ok "$n devices: the same counts: $options" [ "$(counts device.yaml $options)" = "$want" ]
    done
done
export FAKE_DEVICES=5
ok "two that are named" [ "$(counts device.yaml --backend fake:4,1)" = "$want" ]
prints '"runs_on":\["fake:4","fake:1"\]' "the result file says which"
prints '"shares":\[\{"who":"fake:4","frames":[0-9]+,"seconds":[0-9.e-]+\},\{"who":"fake:1"' \
    "each point says who did what"
ok "a sweep that makes new instances for each point" \
    [ "$(counts device.yaml --sweep fake.scale.factor=0.5,1)" = \
        "$(counts device.yaml --sweep fake.scale.factor=0.5,1 --backend ref)" ]
ok "rules of frames alone" \
    [ "$(counts device.yaml --set stop.frames=1001 | grep -c '"frames":1001,')" -ge 1 ]
rm -rf J
ok "a journal" [ "$(counts device.yaml --journal J)" = "$want" ]
ok "which is complete" [ "$(counts device.yaml --journal J --backend ref)" = "$want" ]

# Rows of `blocks:` stay whole.
cat >rows.yaml <<END
fecrun: 1
seed: 3
blocks:
  - {cell: a, user: x, count: 5, bits: 40}
  - {cell: a, user: y, count: 2, bits: 90}
pipeline:
  - source.random: {}
  - conv.encode: {code: ieee80211}
  - channel.bsc: {p: 0.09}
  - llr.quantize: {type: i8, scale: 2, max: 10}
  - fake.scale: {factor: 1}
  - viterbi.decode: {code: ieee80211}
  - sink.errors: {}
stop: {frame_errors: 150}
END
users() { counts "$@" && sed -n 's/.*"users"://p' out | sed 's/\].*/]/'; }
want_users=$(users rows.yaml --backend ref)
ok "rows of blocks" [ -n "$want_users" ]
ok "the same for each of them" [ "$(users rows.yaml)" = "$want_users" ]

# ---- Which ones ----

run "$FECRUN" explain device.yaml $fake
prints '^runs on fake:0, fake:1, fake:2, fake:3, fake:4$' "auto: all, for a simulation"
run "$FECRUN" explain device.yaml $fake --backend fake:3
ok "one that is named alone" [ -z "$(grep '^runs on' out)" ]
cat >file.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 64}
  - fake.flip: {}
  - sink.file: {path: bits, dtype: u1}
stop: {frames: 40}
END
run "$FECRUN" explain file.yaml $fake
prints '^runs on fake:0: one of 5 devices, for its frames are in order$' "one for a file, and why"
run "$FECRUN" run file.yaml $fake --quiet
is 0 "it runs"
refuses 2 'sink.file: writes a file from its beginning, so the part of another device cannot' \
    run file.yaml $fake --backend fake:0,1
refuses 3 'there is no device fake:7 here; there are 5' run device.yaml $fake --backend fake:0,7
refuses 3 'there is no device fake:7 here' check device.yaml $fake --backend fake:0,7
for name in fake:0,0 fake:, fake:0, fake:0,x fake:0-2 fake:al fake:0,1,; do
    refuses 2 "\`$name\` is no backend name" run device.yaml $fake --backend $name
done
refuses 2 'fake.scale.backend: `fake:0,1`: several devices are for whole pipelines' \
    run device.yaml $fake --set fake.scale.backend=fake:0,1
refuses 2 '`fake:0,1` names several devices; bench runs on one' \
    bench device.yaml $fake --backend fake:0,1
refuses 2 'names several devices; compare runs on one' compare device.yaml $fake --a ref --b fake:all
refuses 2 'names several devices; --replay runs on one' \
    run device.yaml $fake --backend fake:all --replay 0:3

refuses 2 'names several devices; --stats runs on one' run device.yaml $fake --backend fake:all --stats
run "$FECRUN" run device.yaml $fake --stats --quiet
is 0 "--stats runs on one of them"

# ---- Failures ----

export FAKE_DEVICES=3
# Seven times the batches that any of them has to reach, for each of the three, however they share.
long='--set stop.frame_errors=1000000 --set stop.frames=4000'
want=$(counts device.yaml --backend ref $long)
for dead in 0:1 0:9 1:1 1:12 2:20; do
    ok "device $dead-th wait fails: the same counts" \
        [ "$(FAKE_DEAD=$dead counts device.yaml $long)" = "$want" ]
    says "warning: fake:${dead%:*}: .*illegal address; the run goes on without it" "and a warning"
done
prints '"who":"fake:2",.*"lost":"[^"]*illegal address' "the result file says which was lost"
run env FAKE_DEAD=0:5 "$FECRUN" run device.yaml $fake --quiet --sweep fake.scale.factor=0.5,1
is 0 "later points are begun on one that lives"
run env FAKE_DEVICES=1 FAKE_DEAD=0:5 "$FECRUN" run device.yaml $fake --quiet
is 1 "the only device fails"
run env FAKE_FAIL=sticky:40 "$FECRUN" run device.yaml $fake --quiet $long
is 1 "none is left"
says 'fake:[0-2]: .*the run goes on without it' "each is told"
done_testing
