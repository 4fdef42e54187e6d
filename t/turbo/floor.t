#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Frames of little noise that `simd` decodes as `ref` does: in each a bit that comes last but one in the second
# encoder's order has wrong LLRs round it, so that the a priori LLR of the first one must be allowed to be large.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

pipeline 'source.random: {bits: 1024}' 'turbo.encode: {}' 'modem.map: {scheme: bpsk}' \
    'channel.awgn: {ebn0_db: 2.5}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 8}' \
    'turbo.decode: {}' 'sink.errors: {}' >p.yaml
for frame in 2:59923 3:50909; do
    for backend in ref simd 'simd --set turbo.decode.tune.arithmetic=i16'; do
        run "$FECRUN" run p.yaml --set seed="${frame%:*}" --replay 0:"${frame#*:}" --json out.json \
            --set turbo.decode.backend=$backend
        ok "frame ${frame#*:} of seed ${frame%:*}: no bit wrong, $backend" grep -q '"bit_errors":0' out.json
    done
done
done_testing
