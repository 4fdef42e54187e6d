#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ldpc.syndrome: the corrections of another decoder on a surface code and a bivariate bicycle code, any number of
# threads and batches, and what a user can get wrong.
. "$top_srcdir/t/lib/errors.sh"
without_cuda

Q=$T_DATA/quantum
cp "$Q/gross.p" "$Q/gross.alist" "$Q/surface3.alist" "$Q/surface3.p" .

# decoder CODE ROWS OPTIONS: t/data's syndromes of that code
decoder() {
    pipeline "source.file: {path: $Q/$1_syndrome.bin, kind: bits, dtype: packed, frame: $2}" \
        "ldpc.syndrome: {code: alist, path: $Q/$1.alist, $3}" 'sink.file: {path: out.bin, dtype: packed}' >p.yaml
}
corrects() {
    decoder "$1" "$2" "$4"
    run "$FECRUN" run p.yaml --quiet
    ok "$1, $4: the corrections of $3" cmp out.bin "$Q/$3.bin"
}
each_row corrects <<'END'
surface3 | 24 | surface3_ps0 | priors: surface3.p, check_rule: sum-product
surface3 | 24 | surface3_ms0 | priors: surface3.p, osd: 0
gross    | 72 | gross_ps0    | p: 0.08, check_rule: sum-product
gross    | 72 | gross_ms0    | p: 0.08
gross    | 72 | gross_cs7    | p: 0.08, osd: cs, osd_order: 7
gross    | 72 | gross_e7     | p: 0.08, osd: e, osd_order: 7
END

# Each kind of vectors has these, too.
for isa in generic avx2 avx512; do
    for row in "surface3 24 surface3_ms0 priors: surface3.p" \
        "surface3 24 surface3_ps0 priors: surface3.p, check_rule: sum-product" \
        "gross 72 gross_ps0 p: 0.08, check_rule: sum-product" "gross 72 gross_cs7 p: 0.08, osd: cs, osd_order: 7" \
        "gross 72 gross_e7 p: 0.08, osd: e, osd_order: 7"; do
        # shellcheck disable=SC2086
        set -- $row
        name=$1 rows=$2 want=$3
        shift 3
        decoder "$name" "$rows" "backend: simd, $*"
        FECRUN_ISA=$isa run "$FECRUN" run p.yaml --quiet
        ok "$name, simd, $isa: the corrections of $want" cmp out.bin "$Q/$want.bin"
    done
done

# Without the second step fewer are right.
decoder gross 72 'p: 0.08, osd: none'
run "$FECRUN" run p.yaml --quiet
ok "osd: none leaves some" sh -c "! cmp -s out.bin '$Q/gross_ms0.bin'"

# The second step is for frames whose syndrome is not met yet: it changes these alone, though it would find something
# lighter for two others. Rows of 219 bits are 28 bytes.
decoder surface3 24 'priors: surface3.p, osd: none'
run "$FECRUN" run p.yaml --json r.json
left=$(sed -n 's/.*"failed":\([0-9]*\).*/\1/p' r.json | head -n 1)
mv out.bin before.bin
decoder surface3 24 'priors: surface3.p, osd: cs, osd_order: 7'
run "$FECRUN" run p.yaml --quiet
same "the second step changes the frames that are left alone" \
    "$(cmp -l before.bin out.bin | awk '!seen[int(($1 - 1) / 28)]++' | wc -l)" "$left"

decoder gross 72 'p: 0.08, osd: cs, osd_order: 7'
for how in '--threads 1 --set batch=1' '--threads 3 --set batch=5' '--threads 2 --set batch=128'; do
    # shellcheck disable=SC2086
    run "$FECRUN" run p.yaml --quiet $how
    ok "the same with $how" cmp out.bin "$Q/gross_cs7.bin"
done

# Memory and legs: 54 of 128 have a solution, as of another decoder (python/tests/test_qec.py compares what it is). The
# draws are the same however it is run.
relay='priors: gross.p, osd: none, alpha: 1, iterations: 5, gamma0: 0.125, legs: 6, leg_iterations: 5, gamma_seed: 5'
decoder gross 72 "backend: ref, solutions: 3, $relay"
run "$FECRUN" run p.yaml --json r.json
same "relay: frames without a solution" "$(sed -n 's/.*"failed":\([0-9]*\).*/\1/p' r.json | head -n 1)" 74
mv out.bin relay.bin
decoder gross 72 "backend: simd, solutions: 3, $relay"
for how in '--threads 1 --set batch=1' '--threads 2 --set batch=7' '--threads 2 --set batch=128'; do
    for isa in generic avx2 avx512; do
        # shellcheck disable=SC2086
        FECRUN_ISA=$isa run "$FECRUN" run p.yaml --quiet $how
        ok "relay, simd, $isa, $how: as ref" cmp out.bin relay.bin
    done
done
decoder gross 72 "solutions: 3, $(echo "$relay" | sed 's/gamma_seed: 5/gamma_seed: 6/')"
run "$FECRUN" run p.yaml --quiet
ok "relay: other draws, other corrections" sh -c '! cmp -s out.bin relay.bin'
decoder gross 72 "solutions: 1, $relay"
run "$FECRUN" run p.yaml --quiet
ok "relay: the first solution is not always the lightest" sh -c '! cmp -s out.bin relay.bin'

# ---- What a user can get wrong ----
awk 'NR == 4 { $1 = 0 } { print }' gross.alist >empty.alist
head -n 5 surface3.p >few.p
(cat surface3.p && echo 0.1) >many.p
sed '3s/.*/0/' surface3.p >zero.p
sed '3s/.*/0.5 1.0/' surface3.p >one.p
sed '3s/.*/abc/' surface3.p >word.p
sed '3s/.*/0.01000000000000000000000000000000000000000000000000000000000000/' surface3.p >long.p
syndromes() {
    pipeline "source.random: {bits: $1}" "ldpc.syndrome: {code: alist, path: $2}" 'sink.file: {path: out.bin}'
}
refused 2 syndromes <<'END'
71 | gross.alist, p: 0.1 | 4:5: ldpc.syndrome: the input has 71 bits a frame and the matrix has 72 rows
72 | empty.alist, p: 0.1 | 4:40: ldpc.syndrome.path: empty.alist: line 4: number 1 is 0; 2 to 6 is possible: \
    the weights of the 72 rows
72 | gross.alist | 4:5: ldpc.syndrome.p: missing: give p, or priors with a probability a column
72 | gross.alist, p: 0 | 4:56: ldpc.syndrome.p: must be above 0 and below 1, is 0
72 | gross.alist, p: 1 | 4:56: ldpc.syndrome.p: must be above 0 and below 1, is 1
72 | gross.alist, p: 1.5 | 4:56: ldpc.syndrome.p: must be a number from 0 to 1, is '1.5'
24 | surface3.alist, p: 0.1, priors: surface3.p | 4:72: ldpc.syndrome.priors: has the probabilities already; \
    leave out p or priors
24 | surface3.alist, priors: no.p | 4:64: ldpc.syndrome.priors: no.p: No such file or directory
24 | surface3.alist, priors: few.p | 4:64: ldpc.syndrome.priors: few.p: line 5: the file ends after 5 \
    probabilities; the matrix has 219 columns
24 | surface3.alist, priors: many.p | 4:64: ldpc.syndrome.priors: many.p: line 220: more than 219 \
    probabilities; the matrix has 219 columns
24 | surface3.alist, priors: zero.p | 4:64: ldpc.syndrome.priors: zero.p: line 3: column 1: must be a \
    probability above 0 and below 1 (leave out columns that never fail)
24 | surface3.alist, priors: one.p | 4:64: ldpc.syndrome.priors: one.p: line 3: column 5: must be a probability \
    above 0 and below 1 (leave out columns that never fail)
24 | surface3.alist, priors: word.p | 4:64: ldpc.syndrome.priors: word.p: line 3: column 1: must be a \
    probability above 0 and below 1 (leave out columns that never fail)
24 | surface3.alist, priors: long.p | 4:64: ldpc.syndrome.priors: long.p: line 3: column 1: has more than 63 \
    characters
72 | gross.alist, p: 0.1, osd: cs | 4:5: ldpc.syndrome.osd_order: missing: osd: e and cs need it
72 | gross.alist, p: 0.1, osd_order: 3 | 4:72: ldpc.syndrome.osd_order: is that of osd: e and cs
72 | gross.alist, p: 0.1, solutions: 2 | 4:72: ldpc.syndrome.solutions: is of legs after the first one; legs is 0
72 | gross.alist, p: 0.1, legs: 3, solutions: 5 | 4:81: ldpc.syndrome.solutions: must be 1 to 4, as many as there \
    are legs, is 5
72 | gross.alist, p: 0.1, legs: 3, gamma_min: 0.7 | 4:81: ldpc.syndrome.gamma_min: gamma_min, 0.7, must not \
    be above gamma_max, 0.66
72 | gross.alist, p: 0.1, legs: 3, gamma_max: -0.5 | 4:81: ldpc.syndrome.gamma_max: gamma_min, -0.24, must not \
    be above gamma_max, -0.5
72 | gross.alist, p: 0.1, osd: e, osd_order: 17 | 4:80: ldpc.syndrome.osd_order: must be an integer from 1 to \
    16 with this osd, is 17
72 | gross.alist, p: 0.1, osd: 1 | 4:66: ldpc.syndrome.osd: must be one of none, 0, e, cs, is '1'
72 | gross.alist, p: 0.1, check_rule: sum-product, alpha: 0.5 | 4:93: ldpc.syndrome.alpha: is the factor of \
    check_rule: min-sum; sum-product has none
END
refused 3 syndromes <<'END'
72 | gross.alist, p: 0.1, backend: cuda | 4:70: ldpc.syndrome.backend: this stage has no backend `cuda` (it has ref, simd)
END
done_testing
