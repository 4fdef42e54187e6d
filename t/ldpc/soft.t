#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ldpc.decode's ports of LLRs: signs are the bits, those of the word belong to its bits, sum-product's say how
# often bits are wrong, and simd's are near ref's.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

code='code: nr, bg: 2, z: 52, fillers: 37'

# values SETTINGS DECODER: 60 frames. Files with a line a value: of 483 information bits `source`, `bits`, `llr`; of the
# word's 2600, of which 1500 were sent, `sent`, `arrived`, `word`. Fillers are items 379 to 415.
values() {
    { pipeline 'source.random: {bits: 483}' "ldpc.encode: {id: code, $code}" 'ldpc.rate_match: {e: 1500}' \
          'modem.map: {scheme: bpsk}' 'channel.awgn: {esn0_db: -3.6}' 'modem.demap: {}' ${1:+"llr.quantize: {$1}"} \
          'ldpc.rate_recover: {id: recover}' "ldpc.decode: {id: dec, $2}" \
          'sink.file: {id: a, from: source, path: source.raw, dtype: u1}' \
          'sink.file: {id: b, from: dec, path: bits.raw, dtype: u1}' \
          'sink.file: {id: c, from: dec.llr, path: llr.raw, dtype: f4}' \
          'sink.file: {id: d, from: code, path: sent.raw, dtype: u1}' \
          'sink.file: {id: e, from: recover, path: arrived.raw, dtype: f4}' \
          'sink.file: {id: f, from: dec.code_llr, path: word.raw, dtype: f4}'
      echo 'stop: {frames: 60}'; } >p.yaml
    run "$FECRUN" run --quiet p.yaml
    [ "$status" = 0 ] || sed 's/^/# /' err >&2
    for file in source bits sent; do
        od -An -v -w1 -tu1 $file.raw >$file
    done
    for file in llr arrived word; do
        od -An -v -w4 -tf4 $file.raw >$file
    done
}

i8='type: i8, scale: 8'

for decoder in 'backend: ref' 'backend: ref, check_rule: offset-min-sum' 'backend: ref, check_rule: sum-product' \
    'backend: ref, check_rule: sum-product, schedule: flooding' 'backend: simd' 'backend: simd, check_rule: offset-min-sum' \
    'backend: simd, tune: {layout: block}' 'backend: simd, tune: {layout: blocks}, rows: 30'; do
    for iterations in 1 8; do
        values "$i8" "$decoder, iterations: $iterations"
        same "$decoder, $iterations iterations: an LLR for each bit, whose sign it is" \
            "$(paste -d ' ' bits llr | awk '{ bad += NF != 2 || $1 != ($2 < 0) } END { print NR, bad + 0 }')" \
            "28980 0"
        # the word begins behind 104 information bits; each frame has 379 more
        awk '(NR - 1) % 2600 < 379' word >inside
        awk '(NR - 1) % 483 >= 104' llr | cmp -s - inside
        tap_check $? "the word's have those of the information bits among them"
        same "fillers are sure" "$(awk '(NR - 1) % 2600 >= 379 && (NR - 1) % 2600 < 416 && $1 == 1048576' word |
            wc -l)" 2220
    done
done

# Bits of LLR L are wrong with the probability 1 / (1 + e^|L|): those that were sent, and those that were not.
values '' 'backend: ref, check_rule: sum-product, iterations: 2'

# judge WHAT: of lines "bit LLR"
judge() {
    awk '{ l = $2 < 0 ? -$2 : $2; sum += 1 / (1 + exp(l < 700 ? l : 700)); bad += $1 != ($2 < 0) }
        END { print bad, sum }' >judged
    read -r wrong expected <judged
    echo "# $1: $wrong bits are wrong, $expected are to be expected of the LLRs"
    ok "spa's LLRs say how many bits are wrong: $1" \
        awk "BEGIN { exit !($wrong > 300 && $wrong < 1.25 * $expected && $wrong > 0.8 * $expected) }"
}
paste -d ' ' source llr >of_bits
judge "information bits" <of_bits
paste -d ' ' sent word arrived | awk '$3 != 0 && $2 < 1048576' >of_sent
paste -d ' ' sent word arrived | awk '$3 == 0 && $2 != 0' >of_others
judge "bits that were sent" <of_sent
judge "bits that were not" <of_others
same "more is known of sent bits than what arrived" \
    "$(awk '{ a += $1 != ($3 < 0); b += $1 != ($2 < 0) } END { print (b < 0.8 * a) }' of_sent)" 1

# simd: about as large as those of ref, and nearly always of their sign.
values "$i8" 'backend: ref, iterations: 4'
mv llr ref_llr
mv word ref_word
values "$i8" 'backend: simd, iterations: 4'
for file in llr word; do
    paste -d ' ' ref_$file $file | awk '
        $1 < 1048576 { n++; x += $1 * $1; y += $2 * $2; xy += $1 * $2; other += ($1 < 0) != ($2 < 0) }
        END { print "# correlation with ref " xy / sqrt(x * y) ", slope " xy / x ", other signs " other / n
              exit !(xy / sqrt(x * y) > 0.9 && xy / x > 0.6 && xy / x < 1.2 && other < 0.05 * n) }'
    tap_check $? "simd: $file like that of ref"
done

# ---- Other codes: where checks hold, the word's LLRs have the signs of what was encoded, in its order ----
# A base graph of 4 rows and 12 columns, the last 4 in two diagonals; as an alist, of its lanes in another order.
awk 'BEGIN { print 12, 4, 65
    for (r = 0; r < 4; r++) {
        for (c = 0; c < 8; c++) printf "%d ", (c + r) % 4 ? (17 * c + 23 * r * r + 5) % 65 : -1
        for (c = 0; c < 4; c++) printf "%d%s", c == r || c == r - 1 ? 0 : -1, c < 3 ? " " : "\n"
    } }' >code.qc
{ cat code.qc; echo '1 1 0 1 1 1 1 1 1 1 1 1'; } >punctured.qc
awk 'function place(v) { return v * 131 % 780 + 1 }
    NR == 1 { cols = $1; rows = $2; z = $3; next }
    { for (c = 1; c <= cols; c++) if ($c >= 0) for (i = 0; i < z; i++) {
          r = (NR - 2) * z + i + 1; v = place((c - 1) * z + (i + $c) % z)
          row[r] = row[r] " " v; col[v] = col[v] " " r; n_row[r]++; n_col[v]++ } }
    END { print cols * z, rows * z
        for (r = 1; r <= rows * z; r++) if (n_row[r] > most) most = n_row[r]
        for (v = 1; v <= cols * z; v++) if (n_col[v] > high) high = n_col[v]
        print high, most
        for (v = 1; v <= cols * z; v++) printf "%d ", n_col[v]; print ""
        for (r = 1; r <= rows * z; r++) printf "%d ", n_row[r]; print ""
        for (v = 1; v <= cols * z; v++) { for (k = n_col[v]; k < high; k++) col[v] = col[v] " 0"; print col[v] }
        for (r = 1; r <= rows * z; r++) { for (k = n_row[r]; k < most; k++) row[r] = row[r] " 0"; print row[r] } }' \
    code.qc >code.alist
while read -r bits n word_code; do
    for decoder in 'backend: ref' 'backend: ref, check_rule: sum-product, schedule: flooding' 'backend: simd' \
        'backend: simd, check_rule: offset-min-sum, tune: {layout: blocks}'; do
        { pipeline "source.random: {bits: $bits}" "ldpc.encode: {id: enc, $word_code}" 'modem.map: {scheme: bpsk}' \
              'channel.awgn: {esn0_db: 7}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 8}' \
              "ldpc.decode: {id: dec, iterations: 20, $decoder}" \
              'sink.file: {id: a, from: enc, path: sent.raw, dtype: u1}' \
              'sink.file: {id: b, from: dec.code_llr, path: word.raw, dtype: f4}'
          echo 'stop: {frames: 3}'; } >p.yaml
        rm -f sent.raw word.raw
        run "$FECRUN" run --quiet p.yaml
        od -An -v -w1 -tu1 sent.raw >sent
        od -An -v -w4 -tf4 word.raw >word
        same "$word_code, $decoder: the word" \
            "$(paste -d ' ' sent word | awk '{ bad += NF != 2 || $1 != ($2 < 0) } END { print NR, bad + 0 }')" \
            "$((3 * n)) 0"
    done
done <<'END'
486 648 code: wifi, n: 648, rate: 3/4
288 576 code: wimax, n: 576, rate: 1/2
9720 16200 code: dvbs2, frame: short, rate: 3/5
520 780 code: qc, path: code.qc
520 715 code: qc, path: punctured.qc
520 780 code: alist, path: code.alist
END

# ---- Who gives them ----
values "$i8" 'iterations: 5'
run "$FECRUN" explain p.yaml
prints '^dec: simd on host' "auto: i8 LLRs go to simd"
values "$i8" 'iterations: 5, check_rule: sum-product'
run "$FECRUN" explain p.yaml
prints '^dec: ref on host' "auto: sum-product goes to ref"
prints 'simd.*check_rule' "and why not to simd is said"
sed 's/check_rule: sum-product/backend: simd/; /llr.quantize/d' p.yaml >f32.yaml
refuses 3 'f32.yaml:10:5: dec: no simd backend takes LLRs as f32 here' check f32.yaml

# ---- Erasures: what the checks say is sure; what nobody says is not known ----
{ pipeline 'source.random: {bits: 288}' 'ldpc.encode: {code: wimax, n: 576, rate: 1/2}' 'channel.bec: {p: 0.4}' \
      'ldpc.decode: {id: dec, check_rule: sum-product, iterations: 50}' \
      'sink.file: {from: dec.llr, path: values, dtype: f4}'
  echo 'stop: {frames: 40}'; } >p.yaml
run "$FECRUN" run --quiet p.yaml
od -An -v -w4 -tf4 values | awk '{ l = $1 < 0 ? -$1 : $1; sure += l > 100; none += l == 0 }
    END { print "# of " NR " bits " sure " are sure, of " none " nothing is known"
          exit !(NR == 11520 && sure + none == NR && sure > NR / 2) }'
tap_check $? "an erasure channel"

# Blocks of several sizes: rows of LLRs have the size of their block.
{ cat <<END
fecrun: 1
blocks:
  - {count: 2, z: 4, bits: 40}
  - {count: 1, z: 7, bits: 70}
END
  pipeline 'source.random: {}' 'ldpc.encode: {code: nr, bg: 2}' 'channel.bsc: {p: 0.01}' \
      'ldpc.decode: {id: dec, code: nr, bg: 2}' \
      'llr.quantize: {from: dec.code_llr, type: i8, scale: 1}' 'sink.null: {}' | sed 1d
  echo 'stop: {frames: 30}'; } >ragged.yaml
same "blocks of several sizes" "$(run_fields frames ragged.yaml)" 30
done_testing
