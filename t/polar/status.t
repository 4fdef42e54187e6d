#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What is said of frames: failed, wrong and yet not failed, and those that are for somebody else.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# link DECODER CHECK SNR: of the downlink, 41 bits for RNTI 0x4601 in 216
link() {
    pipeline 'source.random: {bits: 41}' 'crc.attach: {crc: 24c, ones: 24, mask: 0x4601}' \
        'polar.encode: {code: nr, k: 65, e: 216, n_max: 9, input_interleave: true}' \
        'polar.rate_match: {}' 'modem.map: {scheme: qpsk}' "channel.awgn: {esn0_db: $3}" \
        'modem.demap: {}' 'llr.quantize: {type: i8, scale: 4}' 'polar.rate_recover: {}' \
        "polar.decode: {crc: 24c, ones: 24, $1}" ${2:+"crc.check: {crc: 24c, ones: 24, $2}"} \
        'sink.errors: {}' >p.yaml
}
counted='frames failed undetected frame_errors'
own='mask: 0x4601' other='mask: 0x4602'
for backend in ${backends:-ref simd}; do
    link "$own, backend: $backend" "$own" 6
    same "own RNTI, $backend" "$(run_fields "$counted" p.yaml --set stop.frames=200)" '200 0 0 0'
    link "$other, backend: $backend" "$other" 6
    same "another RNTI: none is accepted, $backend" \
        "$(run_fields 'frames failed undetected' p.yaml --set stop.frames=200)" '200 200 0'
    link "$own, backend: $backend" "$other" 6
    same "a CRC that does not hold fails frames that the decoder accepts, $backend" \
        "$(run_fields "$counted" p.yaml --set stop.frames=200)" '200 200 0 0'
    link "$other, backend: $backend" "$own" 6
    same "one that holds accepts no frame that the decoder has marked, $backend" \
        "$(run_fields 'frames failed undetected' p.yaml --set stop.frames=200)" '200 200 0'
    link "$other, backend: $backend" "$own, verdict: crc" 6
    same "unless it is to decide alone, $backend" \
        "$(run_fields 'frames failed' p.yaml --set stop.frames=200)" '200 0'
done

# Noise alone, six bits of parity: a list of 8 finds some path whose parity holds in about
# 1 - (1 - 1/64)^8 = 12 % of frames, one of 1 in 1/64.
for backend in ${backends:-ref simd}; do
    for list in 1 8; do
        pipeline 'source.random: {bits: 18}' 'crc.attach: {crc: 6}' \
            'polar.encode: {code: nr, k: 24, e: 96}' 'polar.rate_match: {}' \
            'modem.map: {scheme: qpsk}' 'channel.awgn: {esn0_db: -30}' 'modem.demap: {}' \
            'llr.quantize: {type: i8, scale: 100}' 'polar.rate_recover: {}' \
            "polar.decode: {crc: 6, list: $list, backend: $backend}" 'crc.check: {crc: 6}' \
            'sink.errors: {}' >p.yaml
        run_fields "$counted" p.yaml --set stop.frames=3000 >"counts.$list.$backend"
    done
    awk 'NR == 1 { one = $3 } { bad = bad || $1 != 3000 || $2 + $3 < $4 || $4 < 2990 }
        END { exit bad || !(one > 20 && one < 80 && $3 > 250 && $3 < 470) }' \
        "counts.1.$backend" "counts.8.$backend"
    tap_check $? "undetected ones are counted, $backend: $(cat "counts.1.$backend"), list of 8: \
$(cat "counts.8.$backend")"
done
done_testing
