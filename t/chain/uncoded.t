#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# conf/uncoded.yaml against theory: the exact bit error rates of Gray-mapped square QAM (Cho and Yoon,
# IEEE Transactions on Communications, July 2002), and Q(sqrt(2 Eb/N0)).
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# bits a symbol, Eb/N0 in dB, bits, errors -> is the count within 4.5 standard deviations? Errors of
# the bits of a dimension depend on each other, so the variance may be as many times larger.
cat >theory.awk <<'END'
# Simpson's rule; what lies beyond x + 8 is less than 1e-28.
function erfc(x, i, h, sum) {
    h = 8 / 2000
    for (i = 0; i <= 2000; i++)
        sum += exp(-(x + i * h) ^ 2) * (i == 0 || i == 2000 ? 1 : i % 2 ? 4 : 2)
    return sum * h / 3 * 2 / sqrt(3.14159265358979324)
}
function ber(bits, gain, side, k, i, half, sum, flip, weight) {
    if (bits <= 2)
        return erfc(sqrt(gain)) / 2
    side = 2 ^ (bits / 2)
    for (k = 1; k <= bits / 2; k++)
        for (i = 0; i <= (1 - 2 ^ -k) * side - 1; i++) {
            half = 2 ^ (k - 1)
            flip = int(i * half / side) % 2 ? -1 : 1
            weight = half - int(i * half / side + 0.5)
            sum += flip * weight * erfc((2 * i + 1) * sqrt(1.5 * bits * gain / (side ^ 2 - 1)))
        }
    return sum / side / (bits / 2)
}
{
    p = ber($1, 10 ^ ($2 / 10))
    sigma = sqrt($3 * p * (1 - p) * ($1 > 2 ? $1 / 2 : 1))
    if ($4 - $3 * p > 4.5 * sigma + 1 || $3 * p - $4 > 4.5 * sigma + 1) {
        print "# " $1 " bits a symbol, " $2 " dB: " $4 " errors, not " $3 * p
        bad = 1
    }
    points++
}
END { exit bad || points != want }
END

# The awk program by a few values of its own: Q(sqrt(2)), and 16-QAM's three terms in Q.
ok "erfc" awk 'function near(a, b) { return a > .99999 * b && a < 1.00001 * b }
    '"$(sed '/^{/,$d' theory.awk)"'
    BEGIN { exit !near(erfc(1), .157299207) || !near(erfc(0), 1) || !near(erfc(3), 2.20904970e-5) ||
            !near(ber(1, 1), .0786496) ||
            !near(ber(4, 10), 3 / 8 * erfc(2) + 1 / 4 * erfc(6) - 1 / 8 * erfc(10)) }'

# points OPTIONS: bits a symbol, dB, bits, errors of each
points() {
    for scheme in 1:bpsk 2:qpsk 4:16qam 6:64qam 8:256qam; do
        run_fields 'ebn0_db bits bit_errors' "$CONF/uncoded.yaml" \
            --set modem.map.scheme=${scheme#*:} "$@" | sed "s/^/${scheme%:*} /"
    done
}

points >all
ok "25 points are where theory has them" awk -v want=25 -f theory.awk all
points --set seed=2 --backend ref >ref
ok "other frames, by ref, too" awk -v want=25 -f theory.awk ref
for isa in generic avx2 avx512; do
    same "$isa counts what ref counts" "$(FECRUN_ISA=$isa points --set seed=2)" "$(cat ref)"
done
same "each stage by itself" "$(points --set seed=2 --set channel.awgn.backend=simd)" "$(cat ref)"
ok "3 % more errors are found" sh -c "
    ! awk '{ \$4 = int(\$4 * 1.03); print }' all | awk -v want=25 -f theory.awk"

run "$FECRUN" explain "$CONF/uncoded.yaml"
prints '^channel.awgn: absorbed by modem.hard$' "mapper, noise and decisions in one go"

# ---- What is refused ----
pipeline 'source.file: {path: x, kind: symbols, dtype: c8, frame: 2}' 'modem.hard: {}' \
    'sink.file: {path: y, dtype: u1}' >file.yaml
printf '\0\0\200\077\0\0\0\0\0\0\200\277\0\0\0\0' >x
refuses 2 'modem.hard.scheme: no mapper upstream says which one: give bpsk, qpsk, 16qam, .*, 32apsk or points' \
    run file.yaml
run "$FECRUN" run --quiet file.yaml --set modem.hard.scheme=bpsk
same "1 is 0, -1 is 1" "$(od -An -tu1 y)" "   0   1"
refuses 2 'qpsk, but the symbols were mapped as bpsk' run "$CONF/uncoded.yaml" \
    --set modem.hard.scheme=qpsk --set modem.map.scheme=bpsk
# NaN, inf, -inf; -0: where two points are as near, 0.
printf '\0\0\300\177\0\0\200\177\0\0\200\377\0\0\0\200' >x
for backend in ref simd; do
    run "$FECRUN" run --quiet file.yaml --set modem.hard.scheme=qpsk --backend $backend
    same "$backend: odd values" "$(od -An -tu1 y)" "   0   0   1   0"
done
done_testing
