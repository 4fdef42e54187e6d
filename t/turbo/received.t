#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# turbo.decode does on a device what turbo.rate_recover does: the bytes are those of the two stages.
. "$top_srcdir/t/lib/tap.sh"
need_cuda

# received K MATCHING OPTIONS [STOP]: bits, decoded with rate_recover absorbed and by itself.
received() {
    cat >absorb.yaml <<END
fecrun: 1
seed: 3
batch: 19
stop: {frames: 40}
pipeline:
  - source.random: {bits: $(($1 - ${4:-0}))}
  - turbo.encode: {k: $1, fillers: ${4:-0}}
  - turbo.rate_match: {$2}
  - modem.map: {scheme: qpsk}
  - channel.awgn: {esn0_db: 1}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 8}
  - turbo.rate_recover: {}
  - turbo.decode: {$3}
  - sink.file: {path: bits}
END
    run "$FECRUN" explain absorb.yaml --set turbo.decode.backend=cuda
    prints '^turbo.rate_recover: absorbed by turbo.decode$' "K = $1, $2: absorbed"
    rm -f bits
    run "$FECRUN" run absorb.yaml --quiet --set turbo.decode.backend=cuda
    [ "$status" = 0 ] && [ -s bits ] && mv bits fused &&
        run "$FECRUN" run absorb.yaml --quiet --set turbo.decode.backend=cuda \
            --set turbo.rate_recover.backend=cuda &&
        [ "$status" = 0 ] && cmp bits fused >>err
    tap_check $? "K = $1, $2, $3: the same bytes"
}

received 6144 'e: 12288' ''
received 6144 'e: 30000, rv: 3' 'iterations: 4'
received 40 'e: 100' ''
received 1504 'e: 3000, ncb: 3000, rv: 2' 'algorithm: log-map'
received 512 'e: 1200' 'early_stop: min-llr' 12

# On the host they stay two stages: what is between them is in memory there anyway.
sed -i 's/turbo.decode: .*/turbo.decode: {backend: simd}/' absorb.yaml
run "$FECRUN" explain absorb.yaml
prints '^turbo.rate_recover: ' "a stage of its own"
ok "and not absorbed" [ "$(grep -c absorbed.by.turbo.decode out)" = 0 ]
done_testing
