#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Information bits that were not received (redundancy version 1 alone): nms, which need not know the scale, is as good
# as oms, on the same frames; and simd nearly as good as ref.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "statistics need speed"

# wrong_of DECODER: of 400 blocks
wrong_of() {
    pipeline 'source.random: {bits: 640}' 'ldpc.encode: {code: nr, bg: 2, z: 64}' \
        'ldpc.rate_match: {e: 2560, qm: 2, rv: 1}' 'modem.map: {scheme: qpsk}' \
        'channel.awgn: {esn0_db: -0.2}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 8}' \
        'ldpc.rate_recover: {}' "ldpc.decode: {$1}" 'sink.errors: {}' |
        run_fields frame_errors - --set seed=11 --set stop.frames=400
}

oms=$(wrong_of 'backend: ref, check_rule: offset-min-sum')
nms=$(wrong_of 'backend: ref')
simd=$(wrong_of 'backend: simd')
alike=$(wrong_of 'backend: ref, alpha: 0.4, alpha_last: 0.8')
echo "# wrong of 400: oms $oms, nms $nms, simd $simd; one factor for all rows: $alike"
ok "nms is not behind oms" [ "$nms" -le "$oms" ]
ok "... with one factor for all rows it is" [ "$alike" -gt $((oms * 5 / 4)) ]
ok "simd is near" [ "$simd" -le $((nms * 3 / 2)) ]
done_testing
