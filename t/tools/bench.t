#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `fecrun bench`: on the host, and on a device that is made of host memory (t/doubles/fake/device.c).
. "$top_srcdir/t/lib/tap.sh"
without_cuda
fake="--plugin-dir $FAKEDIR"

cat >host.yaml <<END
fecrun: 1
seed: 7
batch: 16
pipeline:
  - source.random: {bits: 200}
  - conv.encode: {code: ieee80211}
  - conv.puncture: {scheme: ieee80211, rate: 3/4}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 4}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 2, max: 10}
  - conv.depuncture: {scheme: ieee80211, rate: 3/4}
  - viterbi.decode: {code: ieee80211}
  - sink.errors: {}
END
cat >device.yaml <<END
fecrun: 1
seed: 7
batch: 16
pipeline:
  - source.random: {bits: 200}
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
END

# bench OPTION...: of the device pipeline
device() {
    run timeout 100 "$FECRUN" bench device.yaml $fake --backend fake "$@"
}

# field NAME: of the last bench line
field() {
    grep '"type":"bench"' out | tail -n 1 | sed "s/.*\"$1\":\([^,}]*\)[,}].*/\1/"
}

# ---- Rows of blocks: ----
# Forty of them, each of other sizes: errors are counted by row. Bits of all rounds are those of `run`.
{
    printf '%s\n' 'fecrun: 1' 'blocks:'
    for row in $(seq 40); do echo "  - {bits: $((100 + 2 * row)), count: $((1 + row % 3))}"; done
    sed -n '/^pipeline/,$p' host.yaml | sed '/puncture/d; s/{bits: 200}/{bits: 100}/; s/ebn0_db: 4/ebn0_db: 0/'
    echo 'stop: {frames: 80}'
} >rows.yaml
run "$FECRUN" bench rows.yaml --threads 1 --batches 80 --stage-only --json -
is 0 "bench of forty rows"
# A slow machine has no time to compare all of them.
ok "frames are whole rounds, and some are compared" [ "$(($(field frames) % 80)) $(($(field checked_frames) > 0))" = "0 1" ]
bench_frames=$(field frames) bench_ber=$(field ber)
run "$FECRUN" run rows.yaml --threads 1 --set stop.frames="$bench_frames" --json - --quiet
ok "BER $bench_ber, as run counts" [ "$(grep '"type":"point"' out | grep -o '"ber":[^,]*' | head -n 1)" = "\"ber\":$bench_ber" ]

# ---- The host ----
run "$FECRUN" bench host.yaml --threads 1 --batches 16 --json -
is 0 "bench on the host"
prints '"in_flight":null,"pcie_h2d_gbs":null,.*"bound_share":null' "no copies on the host"
ok "all frames are the reference's" [ "$(field checked_frames)" = "$(field frames)" ]
run "$FECRUN" bench host.yaml --threads 1 --batches 16 --json - --backend ref
prints '"checked_frames":null' "the reference is not compared with itself"
run "$FECRUN" bench host.yaml --threads 1 --batches 16 --stage conv.puncture --json - --stage-only
prints '"end_to_end_gbps":null,.*"latency_us":null' "--stage-only leaves the rest out"
run "$FECRUN" bench host.yaml --threads 1 --batches 16,32 --csv -
is 0 "--csv"
ok "a header and two rows" [ "$(grep -c , out)" = 3 ]

# ---- A device: from pinned to pinned memory ----
device --stage fake.scale --json -
is 0 "bench on a device"
prints '"stage":"fake.scale","backend":"fake","device":"fake:0","batch":16,"threads":1' "one row"
prints '"p99":[0-9.]+,"max":[0-9.]+,"calls":200\}' "200 calls alone"
for name in device_gbps end_to_end_gbps pcie_h2d_gbs pcie_d2h_gbs pcie_both_gbs bound_gbps \
    bound_share; do
    ok "$name is a number" awk "BEGIN { exit !($(field $name) > 0) }"
done
prints '"compute_bound_gbps":1000.0,"compute_share":[0-9.e-]+' "what the backend's operations allow"
ok "scratch_bytes: 412 LLRs in 16 frames" [ "$(field scratch_bytes)" = $((412 * 16)) ]
ok "the bound is the device's rate or less" \
    awk "BEGIN { exit !($(field bound_gbps) <= $(field device_gbps)) }"
ok "32 batches, equal to the reference's" [ "$(field frames) $(field checked_frames)" = "512 512" ]
want=$(field ber)
for options in '--stage fake.scale --set in_flight=1' '--stage fake.scale --set in_flight=40' \
    '--stage fake.flip' '--stage again'; do
    device $options --json -
    is 0 "bench $options"
    ok "its output is the reference's" [ "$(field checked_frames)" = "$(field frames)" ]
    case $options in *40) continue ;; esac
    ok "the same errors" [ "$(field ber)" = "$want" ]
done
device --stage fake.scale --set batch=3 --stage-only --json -
prints '"pcie_h2d_gbs":null' "--stage-only: no copies"

# ---- What is wrong is no speed ----
FAKE_FAIL=bits
export FAKE_FAIL
refuses 1 'fake.scale: backend fake differs from ref in frame 0, byte 0 of its output; no speed' \
    bench device.yaml $fake --backend fake --stage fake.scale
run "$FECRUN" bench device.yaml $fake --backend fake --stage fake.scale --json -
ok "nor a row" [ "$(grep -c '"type":"bench"' out)" = 0 ]
FAKE_FAIL=event
refuses 1 'fake:0: the fake clock stands still' \
    bench device.yaml $fake --backend fake --stage fake.scale
for n in 1 40 200; do
    FAKE_FAIL=sync:$n
    refuses 1 'fake kernel hit an illegal address' \
        bench device.yaml $fake --backend fake --stage fake.scale
done
FAKE_FAIL=

# ---- Batches ----
sed '/^batch/d' device.yaml >free.yaml
mv free.yaml device.yaml
device --stage fake.flip --json - --stage-only
is 0 "without batch: the device's batch is doubled"
ok "from 1 on" [ "$(grep '"type":"bench"' out | head -n 3 |
    sed 's/.*"batch":\([0-9]*\),.*/\1/' | tr '\n' ' ')" = "1 2 4 " ]
ok "every row says whether it is the knee" \
    [ "$(grep -c '"knee":' out)" = "$(grep -c '"type":"bench"' out)" ]
ok "one is, and one comes after it" \
    [ "$(grep '"type":"bench"' out | tail -n 2 | sed 's/.*"knee":\([a-z]*\).*/\1/' |
        tr '\n' ' ')" = "true false " ]
run "$FECRUN" bench host.yaml --threads 1 --sweep-batch --stage conv.depuncture --stage-only
is 0 "--sweep-batch on the host"
prints '^knee: batch [0-9]+, ' "says where the knee is"
refuses 2 'one of them only' bench host.yaml --batches 1 --sweep-batch

# ---- Points ----
echo 'sweep: {channel.awgn.ebn0_db: [3, 4, 5]}' >>host.yaml
run "$FECRUN" bench host.yaml --threads 1 --batches 4 --stage-only --all-points --json -
is 0 "--all-points"
ok "a row for each" [ "$(grep '"type":"bench"' out | sed 's/.*"set":{[^:]*:\([0-9.]*\)}.*/\1/' |
    tr '\n' ' ')" = "3.0 4.0 5.0 " ]
ok "one run line, one end" [ "$(grep -c '"type":"\(run\|end\)"' out)" = 2 ]
run "$FECRUN" bench host.yaml --threads 1 --batches 4 --stage-only
prints 'point 1 of 3$' "without it, the first"
done_testing
