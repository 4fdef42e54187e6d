#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# polar.decode on a CUDA device: sc and lists have the reference's bits, which fecrun-check does not
# ask of a backend whose belief propagation computes in halves; that one loses nothing.
. "$top_srcdir/t/lib/tap.sh"
need_cuda

# alike ACCEPT FRAMES OPTIONS [N K]: of the same frames ref and cuda make the same
alike() {
    cat >p.yaml <<END
fecrun: 1
seed: 9
pipeline:
  - source.random: {bits: $((${5:-256} - 16))}
  - crc.attach: {crc: 16}
  - polar.encode: {code: plain, n: ${4:-512}, k: ${5:-256}, construction: ga}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {esn0_db: -1}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 8}
  - polar.decode: {code: plain, n: ${4:-512}, k: ${5:-256}, construction: ga, crc: 16, $3}
  - crc.check: {crc: 16}
  - sink.errors: {}
stop: {frames: $2, frame_errors: 100000}
END
    run "$FECRUN" compare p.yaml --quiet --a ref --b cuda --accept "$1"
    is 0 "${FECRUN_CUDA_LIKE:+like $FECRUN_CUDA_LIKE: }$3${4:+, N = $4}"
}
alike exact 2000 'algorithm: sc'
alike exact 500 'algorithm: scl'
alike exact 500 'algorithm: scl, list: 3'
alike exact 100 'algorithm: scl, list: 32'
alike exact 1000 'algorithm: scl, adaptive: true'
for n in 2048 4096; do
    alike exact 200 'algorithm: sc' $n $((n / 2))
    alike exact 100 'algorithm: scl' $n $((n / 2))
    alike exact 200 'algorithm: scl, adaptive: true' $n $((n / 2))
done
alike exact 20 'algorithm: scl, list: 16' 4096 1024
alike exact 20 'algorithm: scl, list: 32' 4096 1024
alike statistical 1000 'algorithm: bp'
alike statistical 1000 'algorithm: bp, early_stop: gmatrix'

# With the shared memory of smaller devices: fewer warps a thread block, no kernel for single frames.
for like in 8.0:163 8.6:99 7.5:64; do
    export FECRUN_CUDA_LIKE=$like
    for n in 64 256 512 1024; do
        alike exact 2000 'algorithm: sc' $n $((n / 2))
        alike exact 500 'algorithm: scl, adaptive: true' $n $((n / 2))
    done
    alike exact 20 'algorithm: scl' 4096 2048
    alike exact 500 'algorithm: scl, list: 4' 4096 2048
    alike exact 200 'algorithm: sc' 4096 2048
    alike statistical 500 'algorithm: bp' 4096 2048
    run "$FECRUN" compare "$top_srcdir/conf/polar-pdcch.yaml" --quiet --a ref --b cuda \
        --accept exact --set stop.frames=500
    is 0 "like $like: classes of frames in one launch"
done
unset FECRUN_CUDA_LIKE

# parity bits: code: nr with K = 18 to 25
control() {
    cat >p.yaml <<END
fecrun: 1
seed: 5
pipeline:
  - source.random: {bits: 14}
  - crc.attach: {crc: 6}
  - polar.encode: {code: nr, k: 20, e: 108}
  - polar.rate_match: {channel_interleave: true}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {esn0_db: -7}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 8}
  - polar.rate_recover: {channel_interleave: true}
  - polar.decode: {code: nr, crc: 6, $1}
  - crc.check: {crc: 6}
  - sink.errors: {}
stop: {frames: 1000, frame_errors: 100000}
END
    run "$FECRUN" compare p.yaml --quiet --a ref --b cuda --accept exact
    is 0 "parity bits, $1"
}
control 'algorithm: scl'
control 'algorithm: sc'

# classes ACCEPT ALGORITHM: messages of several sizes in one batch
classes() {
    sed "s/list: 8/$2/; s/esn0_db: 3/esn0_db: 0/" "$top_srcdir/conf/polar-pdcch.yaml" >p.yaml
    run "$FECRUN" compare p.yaml --quiet --a ref --b cuda --accept "$1" --set stop.frames=500
    is 0 "classes of frames in one launch, $2"
}
classes exact 'list: 8'
classes exact 'list: 32'
classes exact 'list: 8, adaptive: true'
classes exact 'algorithm: sc'
classes exact 'algorithm: bp'
classes exact 'algorithm: bp, early_stop: crc'
done_testing
