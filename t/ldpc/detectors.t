#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# source.detectors, ldpc.observables and code: dem: what a detector error model says, in all its forms, how often errors
# happen, what a correction flips, and what a user can get wrong.
. "$top_srcdir/t/lib/errors.sh"
without_cuda

# A model in all forms of lines. Columns: 0: D0 D1, 0.1 (1 - 0.2) + 0.2 (1 - 0.1) = 0.26; 1: D1 L0, 0.7; 2: D2 L0 L1,
# 0.004; 3: D3, 1; 4: L1, 0.05; 5: D4, 0.3; 6: D6, 0.3.
cat >all.dem <<'END'
# A remark
error(0.1) D0 D1   # another one
error[a tag]( 0.2 ) D1 ^ D0
detector(1, 2.5) D0
detector D5

logical_observable L1
error(0.7) D1 L0
error(4e-3) D2 L0 ^ L1
error(1) D3 D2 ^ D2
error(0) D0
error(0.05) L1
repeat 2 {
    error(0.3) D4
    shift_detectors(0, 0, 1) 2
}
END
model() {
    pipeline 'source.detectors: {id: m, path: all.dem}' "$@"
}

# bits PORT COLUMNS: one line for each shot of that port
bits() {
    model "sink.file: {from: m.$1, path: $1.bin, dtype: u8}" >p.yaml
    run "$FECRUN" run p.yaml --quiet --set stop.frames=20000
    od -An -v -t u1 -w"$2" "$1.bin" | tr -d ' ' >"$1.txt"
}
bits syndrome 7
bits observables 2
bits error 7
same "20,000 shots" "$(wc -l <error.txt)" 20000

# Each bit against its probability, 5 standard deviations: 0.0035 sqrt(p (1 - p)) ... of 20,000.
paste -d ' ' error.txt syndrome.txt observables.txt >all.txt
same "errors happen with their probabilities" "$(awk '
    BEGIN { split("0.26 0.7 0.004 1 0.05 0.3 0.3", p, " ") }
    { for (j = 1; j <= 7; j++) n[j] += substr($1, j, 1) }
    END { for (j = 1; j <= 7; j++) {
        d = n[j] / NR - p[j]
        if (d * d > 25 * p[j] * (1 - p[j]) / NR) printf "column %d: %g of %g ", j, n[j] / NR, p[j]
    } }' all.txt)" ""
same "pairs of them independently" "$(awk '
    BEGIN { split("0.26 0.7 0.004 1 0.05 0.3 0.3", p, " ") }
    { for (j = 1; j < 7; j++) for (k = j + 1; k <= 7; k++) n[j, k] += substr($1, j, 1) * substr($1, k, 1) }
    END { for (j = 1; j < 7; j++) for (k = j + 1; k <= 7; k++) {
        q = p[j] * p[k]; d = n[j, k] / NR - q
        if (d * d > 25 * q * (1 - q) / NR) printf "columns %d %d: %g of %g ", j, k, n[j, k] / NR, q
    } }' all.txt)" ""
same "detectors and observables are those of the errors" "$(awk '
    function e(j) { return substr($1, j + 1, 1) }
    { s = e(0) "" (e(0) + e(1)) % 2 "" e(2) e(3) e(5) "0" e(6); o = (e(1) + e(2)) % 2 "" (e(2) + e(4)) % 2 }
    s != $2 || o != $3 { print NR, $0; exit }' all.txt)" ""

# The same shots however they are made: batches, threads, types of samples, and each by its number.
mv syndrome.bin before.bin
for how in '--threads 1 --set batch=1' '--threads 2 --set batch=7' '--threads 2 --set batch=4096'; do
    model 'sink.file: {path: syndrome.bin, dtype: u8}' >p.yaml
    # shellcheck disable=SC2086
    run "$FECRUN" run p.yaml --quiet --set stop.frames=2000 $how
    ok "the same shots with $how" sh -c 'head -c 14000 before.bin | cmp - syndrome.bin'
done
model 'sink.file: {path: packed.bin, dtype: packed}' >p.yaml
run "$FECRUN" run p.yaml --quiet --set stop.frames=2000
od -An -v -t x1 -w1 packed.bin | awk '
    function two(x) { return substr("0000000100100011010001010110011110001001101010111100110111101111", 4 * x + 1, 4) }
    { h = index("0123456789abcdef", substr($1, 1, 1)) - 1; l = index("0123456789abcdef", substr($1, 2, 1)) - 1
      print substr(two(h) two(l), 1, 7) }' >packed.txt
ok "packed bits are the same" sh -c 'head -n 2000 syndrome.txt | cmp - packed.txt'
# stim's b8: the first bit in the lowest place; a shot of 7 bits has a byte.
model 'sink.file: {path: shots.b8, dtype: b8}' >p.yaml
run "$FECRUN" run p.yaml --quiet --set stop.frames=2000
od -An -v -t u1 -w1 shots.b8 | awk '{ s = ""; for (x = $1; length(s) < 7; x = int(x / 2)) s = s x % 2; print s }' >b8.txt
ok "b8" sh -c 'head -n 2000 syndrome.txt | cmp - b8.txt'
pipeline 'source.file: {path: shots.b8, kind: bits, dtype: b8, frame: 7}' 'sink.file: {path: again.bin, dtype: packed}' >p.yaml
run "$FECRUN" run p.yaml --quiet
ok "... and back" cmp again.bin packed.bin
pipeline 'source.file: {path: shots.b8, kind: bits, dtype: b8, frame: 6}' 'sink.null: {}' >p.yaml
refuses 1 'shots.b8: byte [0-9]*: not zero behind the last item of a frame' run p.yaml

model 'sink.file: {path: other.bin, dtype: u8}' >p.yaml
run "$FECRUN" run p.yaml --quiet --set stop.frames=2000 --set seed=2
ok "another seed, other shots" sh -c '! cmp -s other.bin syndrome.bin'

# What the errors flip is what the model says: none is counted. Without a decoder many are.
model 'ldpc.observables: {path: all.dem, from: m.error}' 'sink.errors: {reference: m.observables}' >true.yaml
same "observables of the true errors" "$(run_fields "frames bit_errors" true.yaml --set stop.frames=2000)" "2000 0"
model 'ldpc.syndrome: {code: dem, path: all.dem, osd: e, osd_order: 5}' 'ldpc.observables: {path: all.dem}' \
    'sink.errors: {reference: m.observables}' >decoded.yaml
same "of decoded ones: those of column 4, which no detector sees, are wrong" \
    "$(run_fields bit_errors decoded.yaml --set stop.frames=2000 | awk '{ print ($1 > 60 && $1 < 140) }')" 1

# The surface code of distance 3 as a model: its matrix and probabilities as of the alist.
Q=$T_DATA/quantum
awk 'NR == FNR { p[FNR] = $1; n = FNR; next }
    FNR > 4 && FNR <= 4 + n { line = "error(" p[FNR - 4] ")"
        for (i = 1; i <= NF; i++) if ($i) line = line " D" $i - 1
        print line (FNR % 9 ? "" : " L0") }' "$Q/surface3.p" "$Q/surface3.alist" >surface3.dem
pipeline "source.file: {path: $Q/surface3_syndrome.bin, kind: bits, dtype: packed, frame: 24}" \
    'ldpc.syndrome: {code: dem, path: surface3.dem}' 'sink.file: {path: out.bin, dtype: packed}' >p.yaml
run "$FECRUN" run p.yaml --quiet
ok "code: dem: the corrections of surface3_ms0" cmp out.bin "$Q/surface3_ms0.bin"

# The contract of plugins, of which fecrun-check tries nothing that needs a file.
run "$FECRUN_CHECK" "$PLUGINS/ldpc.so" --only-cases --seconds 2 --case 'source.detectors: {path: all.dem}' \
    --case 'ldpc.observables: {path: all.dem, check: {items: 7}}' \
    --case 'ldpc.syndrome: {code: dem, path: all.dem, check: {items: 7}}'
is 0 "fecrun-check of the three stages"
for stage in source.detectors ldpc.observables 'ldpc.syndrome simd'; do
    ok "... $stage was tried" sh -c "grep -q '^ok .* $stage' out && ! grep -q '^ok .* $stage # SKIP' out"
done

# ---- What a user can get wrong ----
wrong() {
    printf '%b' "$1" >wrong.dem
    pipeline 'source.detectors: {path: wrong.dem}' 'sink.null: {}'
}
refused 2 wrong <<'END'
error(0.1) D0 L0\nerror(1.1) D1 | 3:30: source.detectors.path: wrong.dem: line 2: column 7: must be a probability from 0 to 1
error D0 | 3:30: source.detectors.path: wrong.dem: line 1: column 6: an error has a probability: error(0.01)
error(0.1 D0 | 3:30: source.detectors.path: wrong.dem: line 1: column 11: a ) is missing behind the probability
error(0.1) D0\n error(0.1) D0 X1 | 3:30: source.detectors.path: wrong.dem: line 2: column 16: must be a detector (D0), \
    an observable (L0) or ^
error(0.1) D | 3:30: source.detectors.path: wrong.dem: line 1: column 13: a whole number below 10^9 is missing here
error(0.1) D3000000 | 3:30: source.detectors.path: wrong.dem: line 1: column 12: detector number 3000000; 0 to 2097151 \
    is possible
error(0.1) D0 L0\nH 0 | 3:30: source.detectors.path: wrong.dem: line 2: column 1: must be error, detector, \
    logical_observable, shift_detectors or repeat
repeat 2 {\n error(0.1) D0\n | 3:30: source.detectors.path: wrong.dem: line 2: the file ends inside a block: } is missing
error(0.1) D0 }\n | 3:30: source.detectors.path: wrong.dem: line 1: column 15: must be a detector (D0), an observable (L0) or ^
}\n | 3:30: source.detectors.path: wrong.dem: line 1: a } without `repeat TIMES {`
repeat 0 {\n} | 3:30: source.detectors.path: wrong.dem: line 1: column 10: a block is `repeat TIMES {`, at least once
repeat 999999999 {\n repeat 999999999 {\n}\n}\n | 3:30: source.detectors.path: wrong.dem: line 3: with repeated blocks the \
    model has more than 16777216 lines
error[x(0.1) D0 | 3:30: source.detectors.path: wrong.dem: line 1: column 6: a tag has no end, ]
detector D0\n | 3:30: source.detectors.path: wrong.dem: line 1: the model has no error of a probability above 0
error(0.1) L0\n | 3:30: source.detectors.path: wrong.dem: line 1: the model has no detector
error(0.1) D0\n | 3:30: source.detectors.path: wrong.dem: has no observable (L0)
error(1) D0 L0\nerror(1) L0 D0\n | 3:30: source.detectors.path: wrong.dem: line 2: all errors cancel each other: they are \
    alike, and sure
END
decoder() {
    pipeline "source.random: {bits: $1}" "$2" 'sink.null: {}'
}
refused 2 decoder <<'END'
6 | ldpc.syndrome: {code: dem, path: all.dem} | 4:5: ldpc.syndrome: the input has 6 bits a frame and the matrix has 7 rows
7 | ldpc.syndrome: {code: dem, path: all.dem, p: 0.1} | 4:50: ldpc.syndrome.p: code: dem has the probabilities already; \
    leave this out
7 | ldpc.syndrome: {code: dem, path: all.dem, z: 4} | 4:50: ldpc.syndrome.z: code: dem has no such parameter
7 | ldpc.syndrome: {code: dem} | 4:5: ldpc.syndrome.path: missing: the file of code: dem
6 | ldpc.observables: {path: all.dem} | 4:5: ldpc.observables: the input has 6 bits a frame and the model has 7 columns
7 | ldpc.observables: {path: no.dem} | 4:30: ldpc.observables.path: no.dem: No such file or directory
END
done_testing
