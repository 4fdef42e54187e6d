#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# latency: low is another choice of turbo.decode's arithmetic and sub-blocks, and nothing else: it gives
# the bits of that choice, whatever the batch.
. "$top_srcdir/t/lib/tap.sh"

cat >p.yaml <<'END'
fecrun: 1
seed: 5
backend: simd
stop: {frames: 40}
pipeline:
  - source.random: {bits: 40}
  - turbo.encode: {}
  - modem.map: {scheme: qpsk}
  - channel.awgn: {ebn0_db: 0}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 8}
  - turbo.decode: {}
  - sink.file: {path: bits}
END

# decoded NAME OPTION...: the bits of p.yaml as file NAME
decoded() {
    name=$1
    shift
    rm -f bits
    run "$FECRUN" run p.yaml --quiet "$@" && [ "$status" = 0 ] && mv bits "$name"
}

# low K WHAT OPTION...: `latency: low` does WHAT, which the options also choose.
low() {
    k=source.random.bits=$1 what=$2
    shift 2
    run "$FECRUN" explain p.yaml --set "$k" --set latency=low
    prints "^    does [a-z0-9]+, $what side by side(; up to [0-9]+ left over one by one)?([,;] up to [0-9]+ in half a row)?\$" "$k: $what"
    decoded chosen --set "$k" "$@" && decoded one --set "$k" --set latency=low --set batch=1 &&
        decoded many --set "$k" --set latency=low --set batch=33 &&
        cmp chosen one >>err && cmp chosen many >>err
    tap_check $? "$k: its bits, in batches of 1 and of 33"
}

i16=turbo.decode.tune.arithmetic=i16
low 40 '16-bit arithmetic \(latency: low, fewer than 2048 bits\), 1 sub-block of each of 32 blocks' --set $i16
low 512 '16-bit arithmetic \(latency: low, fewer than 2048 bits\), 1 sub-block of each of 32 blocks' --set $i16 \
    --set turbo.decode.sub_blocks=1
low 1008 '16-bit arithmetic \(latency: low, fewer than 2048 bits\), 16 sub-blocks of each of 2 blocks' --set $i16 \
    --set turbo.decode.sub_blocks=16
low 2048 '8-bit arithmetic \(i8 LLRs\), 64 sub-blocks of each of 1 block' --set turbo.decode.sub_blocks=64

# What is given counts: 64 sub-blocks need 64 lanes.
run "$FECRUN" explain p.yaml --set source.random.bits=1024 --set latency=low \
    --set turbo.decode.sub_blocks=64
prints '^    does [a-z0-9]+, 8-bit arithmetic \(i8 LLRs\), 64 sub-blocks of each of 1 block side by side$' "given sub-blocks"

# The last blocks of a call, where vectors have code for that.
for isa in generic avx2; do
    run "$FECRUN" explain p.yaml --set source.random.bits=512 --set "turbo.decode.tune.isa=$isa"
    if [ "$isa" = avx2 ] && [ "$status" != 0 ]; then
        skip 1 "this machine or build has no AVX2"
    elif [ "$isa" = avx2 ]; then
        prints '^    does [a-z0-9]+, 8-bit arithmetic \(i8 LLRs\), 2 .* of each of 32 blocks side by side; up to 4 left over one by one, up to 16 in half a row$' "$isa: blocks alone"
    else
        prints '^    does [a-z0-9]+, 8-bit arithmetic \(i8 LLRs\), 2 .* of each of 32 blocks side by side; up to 16 in half a row$' "$isa: no blocks alone"
    fi
done
done_testing
