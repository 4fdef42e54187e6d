#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# turbo.decode's LLRs of the whole word say how often its bits are wrong, those of parity bits and tails, too; and
# a half iteration more is worth about half an iteration.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# words DECODER: a line a bit of 4000 words: stream, step, bit that was sent, its LLR in eighths, that of port llr.
words() {
    { pipeline 'source.random: {bits: 40}' 'turbo.encode: {id: enc, k: 40}' 'modem.map: {scheme: bpsk}' \
        'channel.awgn: {ebn0_db: -0.5}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 8}' \
        "turbo.decode: {id: dec, $1}" 'sink.file: {id: a, from: dec.code_llr, path: code, dtype: f4}' \
        'sink.file: {id: b, from: dec.llr, path: llr, dtype: f4}' 'sink.file: {id: c, from: enc, path: sent, dtype: u1}'
      echo 'stop: {frames: 4000}'; } >p.yaml
    run "$FECRUN" run --quiet p.yaml
    [ "$tap_status" = 0 ] || sed 's/^/# /' err >&2
    od -An -v -w1 -tu1 sent >a
    od -An -v -w4 -tf4 code >b
    od -An -v -w4 -tf4 llr | awk '{ print } NR % 40 == 0 { for (i = 0; i < 92; i++) print "-" }' >c
    paste -d ' ' a b c | awk '{ i = (NR - 1) % 132; print int(i / 44), i % 44, $1, $2, $3 }'
}

# calibrated WHAT FILTER: bits of those lines are wrong as often as their LLRs say.
calibrated() {
    awk "$2"' { l = $4 < 0 ? -$4 : $4; e += 1 / (1 + exp(l / 8)); w += $3 != ($4 < 0); n++ }
        END { print "# " w " of " n " wrong, " e " are to be expected"
              exit !(w > 300 && w < 1.05 * e && w > 0.95 * e) }' all
    tap_check $? "$1"
}

for more in 'iterations: 2' 'iterations: 1, extra_half: true' 'iterations: 2, sub_blocks: 5'; do
    words "algorithm: log-map, $more" >all
    same "$more: an LLR for each bit" "$(wc -l <all)" $((4000 * 132))
    same "those of the bits are those of llr" "$(awk '$5 != "-" && $4 != $5' all | wc -l)" 0
    calibrated "$more: bits" '$1 == 0 && $2 < 40'
    calibrated "parity of the first encoder" '$1 == 1 && $2 < 40'
    calibrated "parity of the second encoder" '$1 == 2 && $2 < 40'
    calibrated "tails" '$2 >= 40'
done

# Fillers and their parity bits are known.
{ pipeline 'source.random: {bits: 93}' 'turbo.encode: {k: 104, fillers: 11}' 'channel.bsc: {p: 0.1}' \
    'turbo.decode: {id: dec}' 'sink.file: {from: dec.code_llr, path: code, dtype: f4}'
  echo 'stop: {frames: 20}'; } >p.yaml
run "$FECRUN" run --quiet p.yaml
same "fillers: the largest LLR" "$(od -An -v -w4 -tf4 code | awk '{ i = (NR - 1) % 324 }
    i % 108 < 11 && i < 216 { n++; bad += $1 < 1e4 } END { print n, bad + 0 }')" "440 0"

# simd does the same half iteration. No backend but ref has the word's LLRs.
# wrong DECODER [OPTION...]: wrong frames of 3000
wrong() {
    { pipeline 'source.random: {bits: 488}' 'crc.attach: {crc: 24a}' 'turbo.encode: {k: 512}' \
        'modem.map: {scheme: bpsk}' 'channel.awgn: {ebn0_db: 0.8}' 'modem.demap: {}' \
        'llr.quantize: {type: i8, scale: 8}' "turbo.decode: {$1}" 'crc.check: {crc: 24a}' 'sink.errors: {}'
      echo 'stop: {frames: 3000}'; } >p.yaml
    shift
    run_fields frame_errors p.yaml "$@"
}
for decoder in 'backend: ref' 'backend: simd' 'backend: simd, tune: {arithmetic: i16}' \
    'backend: simd, tune: {isa: generic}' 'backend: simd, early_stop: crc, crc: 24a'; do
    two=$(wrong "$decoder, iterations: 2")
    half=$(wrong "$decoder, iterations: 2, extra_half: true")
    three=$(wrong "$decoder, iterations: 3")
    echo "# $decoder: $two, $half, $three frames are wrong after 2, 2.5 and 3 iterations"
    ok "$decoder: half an iteration is between" test "$three" -lt "$half" -a "$half" -lt "$two"
    [ "$decoder" != 'backend: ref' ] || ref=$half
    ok "and near ref" test $((10 * half)) -gt $((9 * ref)) -a $((10 * half)) -lt $((11 * ref))
done
# A block alone has a kernel of its own.
same "one by one" "$(wrong 'backend: simd, iterations: 2, extra_half: true' --set batch=1)" \
    "$(wrong 'backend: simd, iterations: 2, extra_half: true')"
same "in 16 bits" "$(wrong 'backend: simd, tune: {arithmetic: i16}, iterations: 2, extra_half: true' --set batch=1)" \
    "$(wrong 'backend: simd, tune: {arithmetic: i16}, iterations: 2, extra_half: true')"
done_testing
