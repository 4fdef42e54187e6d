#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# latency: low. What a live stream gives, and when: each step writes to the decoder and waits for what
# has to come before it writes more. What a poll waits for is in t/chain/test_live.c.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

piece=960 bytes=60 # LLRs, of which come so many bytes of bits
pipeline 'source.random: {bits: 480, stream: true}' \
    'conv.encode: {code: ieee80211, termination: continuous}' 'modem.map: {scheme: bpsk}' \
    'channel.awgn: {ebn0_db: -2}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 4}' \
    'sink.file: {path: llrs}' 'sink.file: {id: sent, path: sent.npy, from: source}' >make.yaml
run "$FECRUN" run --quiet make.yaml --set stop.frames=14
is 0 "noise"
head -c $((13 * piece + 500)) llrs >part && mv part llrs

pipeline 'source.file: {path: "-", kind: llr, dtype: i8, llr_scale: 4, frame: 0}' \
    'viterbi.decode: {code: ieee80211, termination: continuous}' \
    'sink.file: {path: "-", dtype: packed}' >plain.yaml
{ sed 1q plain.yaml && echo 'latency: low' && sed 1d plain.yaml; } >live.yaml
run "$FECRUN" run --quiet plain.yaml --set source.file.path=llrs --set source.file.piece=$piece \
    --set sink.file.path=want
is 0 "decoded from a file, in the same pieces"

# ---- A stream: a piece comes once the one behind it is there ----
mkfifo there back
# put FIRST COUNT: pieces of the stream; back COUNT: so many have come, added to `got`
put() { dd if=llrs bs=$piece skip="$1" count="$2" 2>/dev/null >&3; }
back() {
    tap_before=$(wc -c <got)
    timeout 20 dd bs=1 count=$(($1 * bytes)) <&4 >>got 2>/dev/null
    [ "$(wc -c <got)" = $((tap_before + $1 * bytes)) ]
}
for options in '' '--threads 1' '--threads 3 --set in_flight=1' '--set batch=1' '--set batch=500'; do
    : >got
    "$FECRUN" run live.yaml --quiet $options <there >back 2>err &
    exec 3>there 4<back
    put 0 2
    ok "${options:-a stream}: the first of two pieces" back 1
    put 2 1
    ok "the second when the third is there" back 1
    put 3 6
    ok "of six at once five, and the one that was there" back 6
    dd if=llrs bs=1 skip=$((9 * piece)) count=700 2>/dev/null >&3
    dd if=llrs bs=1 skip=$((9 * piece + 700)) count=$((piece - 700)) 2>/dev/null >&3
    ok "a piece in two parts" back 1
    put 10 5
    exec 3>&-
    timeout 20 cat <&4 >>got
    exec 4<&-
    wait $!
    ok "and at the end all, with status 0" [ $? = 0 ]
    ok "bits as from the file" cmp got want
done

# The end may come inside of any piece, and a limit anywhere.
for n in 500 960 962 1920 4800 5000; do
    run sh -c "head -c $n llrs >cut && head -c $n llrs | '$FECRUN' run live.yaml --quiet >got &&
        '$FECRUN' run plain.yaml --quiet --set source.file.path=cut --set source.file.piece=$piece \
            --set sink.file.path=all"
    is 0 "$n LLRs"
    ok "the same bits" cmp got all
done
run sh -c "'$FECRUN' run live.yaml --quiet --set stop.frames=3 <llrs >got"
ok "a limit" [ "$(wc -c <got)" = $((3 * bytes)) ]

# A limit is no end where nobody gets what comes behind it: the last piece is decoded with the next one
# in sight, also where that comes late.
sed '$d' live.yaml >count.yaml
echo '  - sink.errors: {reference: sent.npy}' >>count.yaml
for n in 1 2 3 4 5 6 7 8; do
    want=$(counts count.yaml --set source.file.path=llrs --set source.file.piece=$piece --set stop.frames=$n)
    mkfifo "late$n"
    { head -c $((n * piece)) llrs; sleep 0.1; tail -c +$((n * piece + 1)) llrs; } 2>late.err >"late$n" &
    same "limit $n: counts as of a file" "$(counts count.yaml --set stop.frames=$n --set "source.file.path=late$n")" "$want"
    wait
done

# ---- Frames: 100 at once are more than a batch, and all come ----
head -c 820400 /dev/zero >frames
"$FECRUN" run "$top_srcdir/conf/pipe.yaml" --quiet --set latency=low <there >back 2>err &
exec 3>there 4<back
head -c 8204 frames >&3
ok "a frame" [ "$(timeout 20 dd bs=1 count=512 <&4 2>/dev/null | wc -c)" = 512 ]
cat frames >&3
ok "a hundred at once" [ "$(timeout 20 dd bs=512 count=100 iflag=fullblock <&4 2>/dev/null | wc -c)" = 51200 ]
exec 3>&- 4<&-
wait $!
ok "with status 0" [ $? = 0 ]

# ---- What explain says ----
explains() {
    what=$1 pattern=$2
    shift 2
    run "$FECRUN" explain "$@"
    prints "$pattern" "explain: $what"
}
explains "the batch" '^batch 64 frames, ' live.yaml
prints '^latency low: small batches, each with what has come from source.file$' "and why"
prints 'note pieces of 960 items for latency: low' "pieces"
prints 'out  960 LLRs' "as they are"
explains "a batch that was given" '^batch 500 frames, ' live.yaml --set batch=500
prints '^latency low: batches of the given size at most, each with what has come from source.file$' "goes first"
explains "a piece that was given" 'out  1920 LLRs' live.yaml --set source.file.piece=1920
ok "goes first, too" sh -c '! grep pieces.of.960 out'
explains "a file has come" '^latency low: small batches; nothing is waited for at source.file$' live.yaml \
    --set source.file.path=llrs
prints 'out  161280 LLRs' "and has large pieces"
explains "auto" 'out  161280 LLRs' live.yaml --set latency=auto
ok "says nothing of latency" sh -c '! grep latency out'
cat >blocks.yaml <<END
fecrun: 1
latency: low
pipeline:
  - source.random
  - sink.null
blocks: [{count: 3, bits: 8}]
END
explains "blocks" '^latency low: few rounds of the rows of blocks a batch; nothing is waited for at source.random$' \
    blocks.yaml
explains "simulations" '^latency low: small batches; nothing is waited for at source.random$' make.yaml \
    --set latency=low
run "$FECRUN" explain live.yaml --json -
prints '"latency":"low","latency_note":"small batches, ' "in JSON"
run sh -c "'$FECRUN' run make.yaml --json r.json --quiet --set stop.frames=1 --set latency=low"
ok "results say so" grep '"in_flight":3,"latency":"low"' r.json
run "$FECRUN" run make.yaml --json r.json --quiet --set stop.frames=1
ok "where it is" sh -c '! grep \"latency\": r.json'

# ---- Errors ----
sed 's/latency: low/latency: lo/' live.yaml >wrong.yaml
refuses 2 '^fecrun: wrong.yaml:2:10: latency: must be one of auto, low, is .lo. \(did you mean low\?\)$' run wrong.yaml
refuses 2 '^fecrun: --set latency=20: must be one of auto, low, is .20.$' run live.yaml --set latency=20
refuses 2 '^fecrun: --set latancy=low: no such stage or setting \(did you mean latency\?\)$' run live.yaml \
    --set latancy=low
done_testing
