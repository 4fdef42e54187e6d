#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A thousand runs in one process leave nothing behind on the device.
. "$top_srcdir/t/lib/tap.sh"
RUNS=1000
many_runs=$top_builddir/t/lib/many_runs
FECRUN_PLUGIN_PATH=$PLUGINS # not beside that program
export FECRUN_PLUGIN_PATH

cat >fake.yaml <<END
fecrun: 1
seed: 7
batch: 8
pipeline:
  - source.random: {bits: 48}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 2}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 2, max: 10}
  - fake.negate: {}
  - fake.scale: {factor: -1}
  - viterbi.decode: {code: ieee80211}
  - fake.flip: {}
  - fake.reverse: {}
  - sink.null: {}
sweep: {channel.awgn.ebn0_db: [2, 4]}
stop: {frames: 64}
END

fake_runs() {
    without_cuda timeout 500 "$many_runs" "$RUNS" "$FAKEDIR/device.so" fake.yaml fake
}
run fake_runs
is 0 "on the fake device"
sed 's/^/# /' out
for failure in run:2001 sync:999 alloc:5000; do
    FAKE_FAIL=$failure
    export FAKE_FAIL
    run fake_runs
    ok "a failure on the way, $failure, leaves nothing either" \
        grep -q '^ok [0-9]* - nothing lives on the device between them' out
    ok "it did happen" grep -q '^not ok [0-9]* - 1000 runs go well' out
done
unset FAKE_FAIL

need_cuda
cat >cuda.yaml <<END
fecrun: 1
seed: 7
pipeline:
  - source.random: {bits: 4096}
  - conv.encode: {code: ieee80211}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 4}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 4}
  - viterbi.decode: {code: ieee80211}
  - sink.errors: {}
sweep: {channel.awgn.ebn0_db: [3, 4]}
stop: {frames: 5000}
END
run timeout 500 "$many_runs" "$RUNS" "$PLUGINS/cuda.so" cuda.yaml cuda
is 0 "on a CUDA device"
sed 's/^/# /' out
done_testing
