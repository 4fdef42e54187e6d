#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ldpc.decode's verdicts and iterations away from the threshold at rate 1/3: right blocks are not marked as failed,
# more iterations do no harm, and an easy block takes as many whatever the limit is. Backend simd, and cuda where
# there is a device; right is what ref gives on the same LLRs.
. "$top_srcdir/t/lib/counts.sh"

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "statistics need speed"

backends=simd
[ -z "$("$FECRUN" list 2>/dev/null | grep 'cuda:0')" ] || backends="simd cuda"

# link BG Z E QM SCHEME RV ESN0 DECODER FRAMES: of 8-bit LLRs
link() {
    pipeline "source.random: {bits: $(((34 - 12 * $1) * $2))}" "ldpc.encode: {code: nr, bg: $1, z: $2}" \
        "ldpc.rate_match: {e: $3, qm: $4, rv: $6}" "modem.map: {scheme: $5}" \
        "channel.awgn: {esn0_db: $7}" 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 8}' \
        'ldpc.rate_recover: {}' "ldpc.decode: {$8}" 'sink.errors: {}' |
        run_fields "frame_errors failed iterations_mean" - --set seed=4 --set stop.frames=$9
}

# Each of these had 10 to 200 of 300 right blocks marked as failed by simd.
while read -r bg z e qm scheme esn0; do
    want=$(link "$bg" "$z" "$e" "$qm" "$scheme" 0 "$esn0" 'backend: ref, iterations: 20' 150)
    for backend in $backends; do
        got=$(link "$bg" "$z" "$e" "$qm" "$scheme" 0 "$esn0" "backend: $backend, iterations: 20" 150)
        echo "# BG$bg, z = $z, $e bits, $scheme, $esn0 dB: ref $want, $backend $got"
        ok "$backend: BG$bg, $e bits, $scheme: right blocks are good" \
            [ "$(echo "$want $got" | awk '{ print ($5 - $4 <= $2 - $1 + 1) }')" = 1 ]
        ok "... after as many iterations" \
            [ "$(echo "$want $got" | awk '{ print ($6 <= 1.1 * $3) }')" = 1 ]
    done
done <<'END'
1 384 16896 2 qpsk 2
1 384 11264 2 qpsk 5
1 384 25344 2 qpsk -0.5
2 384 11520 2 qpsk 0.9
1 104 4576 4 16qam 8.4
1 104 4576 8 256qam 18.4
END

# The limit: what is done in fewer iterations stays so, and takes no longer. With all iterations done 8 bits lost
# all of these at 50 in arithmetic that had no rule for LLRs near their limit.
for backend in ref $backends; do
    ten=$(link 1 64 2816 2 qpsk 0 2 "backend: $backend, iterations: 10" 400)
    for limit in 20 50 100; do
        got=$(link 1 64 2816 2 qpsk 0 2 "backend: $backend, iterations: $limit" 400)
        echo "# $backend, at most 10: $ten, at most $limit: $got"
        ok "$backend: the mean number of iterations at most 5 % above that of 10, at most $limit" \
            [ "$(echo "$ten $got" | awk '{ print ($6 <= 1.05 * $3) }')" = 1 ]
        ok "... and no more errors" [ "$(echo "$ten $got" | awk '{ print ($4 <= $1) }')" = 1 ]
        all=$(link 1 64 4224 2 qpsk 0 -0.5 "backend: $backend, iterations: $limit, early_stop: none" 200)
        echo "# $backend, all $limit: $all"
        ok "... all of them done: right blocks stay so" [ "${all%% *}" -le 2 ]
    done
done

# Two transmissions whose information bits have the weak places of 256QAM's symbols.
weak() {
    pipeline 'source.random: {bits: 720}' 'ldpc.encode: {code: nr, bg: 2, z: 72, id: enc}' \
        'ldpc.rate_match: {e: 1072, qm: 8, rv: 2, id: s0, from: enc}' 'modem.map: {scheme: 256qam, id: m0}' \
        'channel.awgn: {esn0_db: 13.1, id: n0}' 'modem.demap: {id: d0}' \
        'llr.quantize: {type: i8, scale: 8, id: q0}' 'ldpc.rate_recover: {id: r0, qm: 8, rv: 2}' \
        'ldpc.rate_match: {e: 1072, qm: 8, rv: 3, id: s1, from: enc}' 'modem.map: {scheme: 256qam, id: m1}' \
        'channel.awgn: {esn0_db: 13.1, id: n1}' 'modem.demap: {id: d1}' \
        'llr.quantize: {type: i8, scale: 8, id: q1}' \
        'ldpc.rate_recover: {id: r1, qm: 8, rv: 3, harq_in: r0}' "ldpc.decode: {backend: $1}" 'sink.errors: {}' |
        run_fields frame_errors - --set seed=333 --set stop.frames=2000
}
want=$(weak ref)
for backend in $backends; do
    got=$(weak "$backend")
    echo "# versions 2 and 3, 256QAM, of 2000: ref $want, $backend $got"
    ok "$backend: versions 2 and 3 of 256QAM" [ "$got" -le $((want * 2)) ]
done
done_testing
