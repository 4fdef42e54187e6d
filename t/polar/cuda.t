#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# polar.decode on a CUDA device: sc and lists have the reference's bits, which fecrun-check does not
# ask of a backend whose belief propagation computes in halves; that one loses nothing.
. "$top_srcdir/t/lib/tap.sh"
need_cuda

# alike ACCEPT FRAMES OPTIONS: of the same frames ref and cuda make the same
alike() {
    cat >p.yaml <<END
fecrun: 1
seed: 9
pipeline:
  - source.random: {bits: 240}
  - crc.attach: {crc: 16}
  - polar.encode: {code: plain, n: 512, k: 256}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {esn0_db: -1}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 8}
  - polar.decode: {code: plain, n: 512, k: 256, crc: 16, $3}
  - crc.check: {crc: 16}
  - sink.errors: {}
stop: {frames: $2, frame_errors: 100000}
END
    run "$FECRUN" compare p.yaml --quiet --a ref --b cuda --accept "$1"
    is 0 "$3"
}
alike exact 2000 'algorithm: sc'
alike exact 500 'algorithm: scl'
alike exact 500 'algorithm: scl, list: 3'
alike exact 1000 'algorithm: scl, adaptive: true'
alike statistical 1000 'algorithm: bp'
alike statistical 1000 'algorithm: bp, early_stop: gmatrix'
done_testing
