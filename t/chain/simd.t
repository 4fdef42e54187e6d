#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The noise of a CPU: llr.quantize makes LLRs of bits by itself where it may, and the counts are those
# of ref whatever may absorb what, at each point of a sweep, for streams and frames of several sizes.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

pipeline 'source.random: {bits: 200}' 'conv.encode: {code: ieee80211}' \
    'modem.map: {scheme: qpsk}' 'channel.awgn: {ebn0_db: 1}' 'modem.demap: {}' \
    'llr.quantize: {type: i8, scale: 2}' 'viterbi.decode: {code: ieee80211}' 'sink.errors: {}' \
    >link.yaml
cat >>link.yaml <<END
sweep: {channel.awgn.ebn0_db: [0, 2]}
stop: {frames: 300, frame_errors: 1000000}
END

run "$FECRUN" explain link.yaml
for stage in modem.map channel.awgn modem.demap; do
    prints "^$stage: absorbed by llr.quantize\$" "explain: $stage is absorbed, at a random stage, too"
done
prints '^llr.quantize: simd on host$' "by simd"

want=$(counts link.yaml --backend ref)
ok "there are errors to count" sh -c "! echo '$want' | grep -q ' 0 0'"
for isa in generic avx2 avx512; do
    same "$isa: as ref" "$(FECRUN_ISA=$isa counts link.yaml)" "$want"
    same "$isa: by --backend simd" "$(FECRUN_ISA=$isa counts link.yaml --backend simd)" "$want"
done
same "noise by itself" "$(counts link.yaml --set channel.awgn.backend=simd)" "$want"
same "noise by ref" "$(counts link.yaml --set channel.awgn.backend=ref)" "$want"
same "quantizer by itself" "$(counts link.yaml --set modem.demap.backend=ref)" "$want"
same "batches of 7, three threads" "$(counts link.yaml --set batch=7 --threads 3)" "$want"

# A second channel in front: another random stage, which stays where it is.
sed 's/.*channel.awgn:.*/  - channel.awgn: {id: first, esn0_db: 6}\
&/; s/channel.awgn: {eb/channel.awgn: {id: second, eb/; s/channel.awgn.eb/second.eb/' link.yaml >two.yaml
run "$FECRUN" explain two.yaml
prints '^second: ' "not where another channel is in front"
same "two channels" "$(counts two.yaml)" "$(counts two.yaml --backend ref)"

# What somebody else reads is made.
sed 's/  - viterbi/  - sink.file: {path: soft.npy, from: modem.demap}\
  - viterbi/; s/viterbi.decode: {/&from: llr.quantize, /; /sweep/d' link.yaml >tap.yaml
run "$FECRUN" explain tap.yaml
prints '^channel.awgn: simd on host' "not where a file wants the LLRs"

cat >blocks.yaml <<END
fecrun: 1
blocks:
  - {cell: 0, user: 0, count: 3, bits: 41}
  - {cell: 0, user: 1, count: 2, bits: 99}
END
sed '/^fecrun/d; /sweep/d; s/bits: 200/bits: 1/; s/qpsk/bpsk/; s/type: i8/type: i4/' link.yaml >>blocks.yaml
same "frames of two sizes, i4" "$(counts blocks.yaml)" "$(counts blocks.yaml --backend ref)"

sed 's/bits: 200/bits: 800, stream: true/; s/code: ieee80211/code: dvb/; s/  - modem.map/  - conv.puncture: {scheme: dvb, rate: 2\/3}\
&/; s/  - viterbi/  - conv.depuncture: {scheme: dvb, rate: 2\/3}\
&/' link.yaml >stream.yaml
same "a stream" "$(counts stream.yaml)" "$(counts stream.yaml --backend ref)"
done_testing
