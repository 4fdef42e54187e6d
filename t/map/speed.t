#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# bench/map/speed: its cells are the same each time, whatever part of them is asked for, and other decoders check what
# was measured. What is fast, no test says.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

speed() { "$top_builddir/bench/map/speed/speed" "$@"; }

run speed --cells 60 --print
is 0 "sixty pipelines"
cp out all
same "sixty cells" "$(grep -c '^# cell' all)" 60
run speed --cells 60 --print
ok "the same each time" cmp all out
for i in 0 1 2; do
    speed --cells 60 --part $i/3 --print
done >parts
same "three parts are the whole" "$(sort parts | cksum)" "$(sort all | cksum)"
run speed --seed 2 --cells 60 --print
ok "another seed, other cells" test "$(cksum <out)" != "$(cksum <all)"
same "all families" "$(sed -n 's/^  - \([a-z]*\)\.decode.*/\1/p' all | sort -u | paste -s -d ' ')" "ldpc polar turbo viterbi"
same "and the device as it is, and two others" "$(sed -n 's/^# cell.*, like \([^,]*\),.*/\1/p' all | sort -u | paste -s -d ' ')" \
    "8.0:163 8.6:99 9.0"
number=0
speed --cells 12 --print --backend ref | awk '/^# cell/ { n++ } { print >("cell" n ".yaml") }'
while [ $((number += 1)) -le 12 ]; do
    run "$FECRUN" check "cell$number.yaml"
    is 0 "pipeline $number is a right one"
done

# A cell with few frames, by another decoder than a device's.
cell=$(speed --cells 300 --print | awk '/^# cell/ { n = $3; sub(",", "", n); few = $7 + 0 <= 4 } /turbo.decode.*max-log/ && few { print n; exit }')
run speed --cells 300 --cell $cell --backend simd --json line
is 0 "cell $cell is measured"
prints "^1 cells, 1 measured, 0 checked" "once"
run speed --cells 300 --cell $cell --backend simd --from line --page page.md --effort 0.05
is 0 "and checked, on the same frames"
prints "^1 cells, 1 measured, 1 checked, 0 with more errors" "which is said"
ok "also on a page" grep -q "^| turbo | 1 | bits | " page.md
sed 's/"fer":[^,]*/"fer":0.9/; s/"frames":[0-9.e+]*/"frames":1000/' line >wrong
run speed --cells 300 --cell $cell --backend simd --from wrong --effort 0.05
is 1 "with more errors than simd has"
prints '\*\*wrong\*\*' "the cell is marked"
run speed --part 3/3
is 2 "no such part"
says '^speed: --part 3/3: must be I/N, I from 0 to N - 1' "which is said"
done_testing
