#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Sixty cells of bench/map, the same ones each time: no decoder loses much on any of them. What is counted
# depends neither on threads nor on vectors, and is what `fecrun run` counts.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# With a sanitizer, to see that it runs: errors are the same.
cells=60
[ "${FECRUN_SANITIZER:-no}" = no ] || cells=4

map() { "$top_builddir/bench/map/map" --backend simd "$@"; }

# Limits far above what chance does.
run map --cells $cells --effort 0.6 --rows 0 --limit 0.25 --coarse 0.4 --failed 0.1 \
    --iterations 1.3
is 0 "$cells cells within wide limits"
prints "^$cells cells, .* 0 beyond a limit without a reason, 0 could not be measured" "all were measured"

few='--cells 6 --seed 5 --effort 0.1 --quiet' # of all families
run map $few --threads 1 --json one
run map $few --threads 5 --json many
ok "the same counts on one thread and on five" cmp one many
(
    FECRUN_ISA=generic
    export FECRUN_ISA
    run map $few --json generic
)
ok "and without vectors" cmp one generic

# counted NAME: frames of a cell's first point, and how many were wrong
counted() {
    sed -n 's/.*"points":\[{\([^}]*\)}.*/\1/p' cell.json | tr , '\n' |
        sed -n "s/^\"frames\":\(.*\)/\1/p; s/^\"$1\":\(.*\)/\1/p" | paste -s -d ' '
}

for family in ldpc turbo polar viterbi; do
    run map --family $family --cell 1 --effort 0.1 --json cell.json --quiet
    run map --family $family --cell 1 --effort 0.1 --print
    cp out simd.yaml
    sed 's/backend: simd/backend: ref/' simd.yaml >ref.yaml
    grep -v llr.quantize ref.yaml >float.yaml
    same "$family: as fecrun run counts" "$(run_fields "frames frame_errors" simd.yaml)" "$(counted wrong)"
    same "$family: ref" "$(run_fields "frames frame_errors" ref.yaml)" "$(counted wrong_ref)"
    same "$family: ref, float LLRs" "$(run_fields "frames frame_errors" float.yaml)" "$(counted wrong_f32)"
done

# Cells from number 2000 on have other schemes, too. Earlier ones have not.
for cell in 2005:points 2011:pi/2-bpsk 2014:8psk 2019:32apsk 2024:1024qam 2034:16apsk; do
    run map --family viterbi --cell ${cell%:*} --effort 0.05 --limit 9 --coarse 9 --failed 1
    is 0 "cell $cell runs"
    prints " ${cell#*:} (i4|i8|f32)" "with that scheme"
done
for cell in 5 14 24; do
    run map --family viterbi --cell $cell --effort 0.01 --print
    prints 'scheme: (bpsk|qpsk|16qam|64qam|256qam)}' "cell $cell"
done

# A decoder of which it is known: with five iterations of twenty.
map() { "$top_builddir/bench/map/map" "$@"; }
run map --cell 5 --effort 0.5 --backend ref/iterations=5
is 1 "ref with five iterations of twenty is beyond the limits"
prints '\[loss: beyond its limit\]' "which is said"
run map --cell 5 --effort 0.1 --backend ref
is 0 "ref is not"
prints '^ref +0.00 \(' "and loses nothing"

# Beyond a limit that none can keep.
map() { "$top_builddir/bench/map/map" --backend simd "$@"; }
two='--family turbo --cells 2 --effort 0.1 --limit=-9 --coarse=-9'
run map $two
is 1 "status 1: cells are beyond a limit"
prints '\[loss: beyond its limit\]' "which is said"
echo 'loss simd turbo* | because it is a test' >reasons
run map $two --reasons reasons --page page.md
is 0 "status 0: there is a reason"
prints '\[loss: because it is a test\]' "which is said, too"
ok "and on the page" grep -q '| loss: because it is a test |$' page.md
echo 'loss simd turbo*' >reasons
run map $two --reasons reasons
is 2 "a line without a reason"
says '^map: reasons:1: must be PATTERN . REASON' "is told of"
run map --cells none
is 2 "no number"
says '^map: --cells none: must be a number from 1 to 1e' "is told of"
done_testing
