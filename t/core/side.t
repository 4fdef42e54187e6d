#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Sources beside the first one feed further inputs, sinks beside the last one take what a stage has
# to say: a value for each frame, from and into a file.
. "$top_srcdir/t/lib/counts.sh"
without_cuda
fake="--plugin-dir $FAKEDIR"

# Little-endian floats: 1 for frames 0, 1, 3, 4, 6, ...; every third frame's gate is closed.
i=0
while [ $i -lt 300 ]; do
    if [ $((i % 3)) = 2 ]; then printf '\0\0\0\0'; else printf '\0\0\200\077'; fi
    i=$((i + 1))
done >gates.f4
gates='source.file: {id: gates, path: gates.f4, kind: values, dtype: f4, frame: 1}'
pipeline 'source.random: {bits: 64}' "$gates" 'wide.gate: {from: source, open: gates}' \
    'sink.errors: {}' >side.yaml
echo 'stop: {frames: 300}' >>side.yaml

# A third of the frames becomes zeros, and a random frame is not: 100 of 300 are wrong.
want=$(counts side.yaml $fake)
ok "a value for each frame decides: $want" [ "${want%% *}/${want##* }" = 300/100 ]
for options in '--threads 1' '--threads 2 --set batch=7' '--set batch=300' '--set batch=1'; do
    same "the same with $options" "$(counts side.yaml $fake $options)" "$want"
done

# ---- The input that ends ----
run "$FECRUN" run side.yaml $fake --set stop.frames=301 --set batch=64 --json - --quiet
is 1 "a frame more than there are values"
says 'gates: its input ends after 300 frames, and the pipeline needs more' "is an error"
for batch in 64 299 300 301; do
    run "$FECRUN" run side.yaml $fake --set stop.frames=400 --set stop.frame_errors=99 \
        --set batch=$batch --json - --quiet
    is 0 "a batch of $batch that goes on behind the end, where a stop rule does not"
    prints '"frames":297,' "counts to the stop"
done
pipeline 'source.random: {bits: 64}' "$(echo "$gates" | sed 's/frame: 1/frame: 1, loop: true/')" \
    'wide.gate: {from: source, open: gates}' 'sink.errors: {}' >loop.yaml
echo 'stop: {frames: 600}' >>loop.yaml
want=$(counts loop.yaml $fake --set batch=64)
same "a file that begins again" "${want##* }" 200
same "in batches of another size" "$(counts loop.yaml $fake --set batch=111)" "$want"

# As many from both: the first source's file says when it is over.
pipeline 'source.random: {bits: 64}' 'sink.file: {path: bits.npy}' >record.yaml
echo 'stop: {frames: 300}' >>record.yaml
run "$FECRUN" run record.yaml --quiet
is 0 "a recording"
pipeline 'source.file: {path: bits.npy, kind: bits}' "$gates" \
    'wide.gate: {from: source, open: gates}' 'sink.errors: {}' >files.yaml
want=$(counts files.yaml $fake --set batch=64)
same "two files of as many frames" "${want##* }" 100

# ---- Sinks beside the last one ----
pipeline 'source.random: {bits: 40}' 'wide.weigh: {id: w}' \
    'sink.file: {id: weights, path: weights.f4, format: raw, from: w.weight}' \
    'sink.file: {id: sent, path: sent.npy, from: source}' 'sink.errors: {from: w}' >sinks.yaml
echo 'stop: {frames: 100}' >>sinks.yaml
run "$FECRUN" run sinks.yaml $fake --set batch=16 --json - --quiet
is 0 "two files are written beside the counting"
prints '"frames":100,"bits":4000,"bit_errors":0,' "it counts"
same "a float a frame" "$(wc -c <weights.f4)" 400
ones=$(tail -c 4000 sent.npy | od -An -v -tu1 | tr -s ' ' '\n' | grep -c 1)
sum=$(od -An -v -tf4 weights.f4 | tr -s ' ' '\n' | awk '{ sum += $1 } END { print sum }')
same "the sum of the weights is the number of ones" "$sum" "$ones"

# A backend whose form lacks an optional port is for those who do not link it.
refuses 3 'w.backend: simd has no port `weight`, which is connected here' run sinks.yaml $fake --set w.backend=simd
run "$FECRUN" explain sinks.yaml $fake
prints 'simd.*it has no port `weight`, which is connected here' "explain says so, too"
pipeline 'source.random: {bits: 40}' 'wide.weigh: {id: w}' 'sink.errors: {}' >lean.yaml
for backend in ref simd; do
    same "nobody reads the port: $backend" \
        "$(counts lean.yaml $fake --set w.backend=$backend --set stop.frames=30)" '30 1200 0 0'
done

# What cannot be.
refuses 2 'gates.dtype=u1: kind values takes f8, f4, f2, int32, i2 or i1, not u8' run files.yaml $fake \
    --set gates.dtype=u1
refuses 2 'gates: a source beside the first one gives a frame for each' run files.yaml $fake \
    --set gates.frame=0
refuses 2 'gates: a source beside the first one gives a frame for each' run files.yaml $fake \
    --set source.file.stream=true
done_testing
