# SPDX-License-Identifier: BSD-2-Clause
# Limits at their edges: as many as are allowed, in CPU time and memory that are bounded.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

# 30,000 rows of blocks, each of another size.
cat >blocks.yaml <<'END'
fecrun: 1
blocks: blocks.csv
pipeline:
  - source.random: {}
  - channel.bsc: {p: 0.01}
  - sink.null: {}
stop: {frames: 30000}
END
awk 'BEGIN { print "cell,user,count,bits"; for (i = 1; i <= 30000; i++) print "1,u,1," i }' \
    >blocks.csv
if [ "${FECRUN_SANITIZER:-no}" = no ]; then
    ok "30,000 rows of different sizes in 20 s of CPU time" \
        sh -c 'ulimit -t 20; exec "$FECRUN" check blocks.yaml'
    # What may be had is less than what is there.
    (ulimit -v 2000000; exec "$FECRUN" run blocks.yaml --set in_flight=64 --threads 1) >out 2>err
    status=$? tap_last='fecrun run blocks.yaml with ulimit -v 2000000'
    is 1 "too much for ulimit -v: status 1"
    says '^fecrun: blocks: .* of host memory, this process may have 1.9 GiB; ' "before the first frame"
else
    skip 3 "a sanitizer takes more of both"
fi

# A stack of 32 KiB, which threads would have, too.
cat >small.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 1000}
  - conv.encode: {code: ieee80211}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 3}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 4}
  - viterbi.decode: {code: ieee80211}
  - sink.errors: {}
stop: {frames: 100}
END
if [ "${FECRUN_SANITIZER:-no}" = no ]; then
    for verb in run check explain; do
        (ulimit -s 32 && exec "$FECRUN" $verb small.yaml --threads 2) >out 2>err </dev/null
        status=$? tap_last="fecrun $verb with ulimit -s 32"
        is 0 "$verb with a stack of 32 KiB"
    done
    (ulimit -s 32 && exec "$FECRUN" bench small.yaml --batches 64 --stage-only --threads 2) \
        >out 2>err </dev/null
    status=$? tap_last='fecrun bench with ulimit -s 32'
    is 0 "bench, too"
else
    skip 4 "a sanitizer needs a larger stack"
fi

# Points: a million at most; a tenth of that in a bounded time.
cat >points.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 8}
  - channel.bsc: {p: 0.01}
  - sink.null: {}
sweep: {source.random.bits: "1:1:100", channel.bsc.p: "0.0001:0.0001:0.1"}
stop: {frames: 1}
END
if [ "${FECRUN_SANITIZER:-no}" = no ]; then
    ok "100,000 points are planned in 10 s of CPU time and 1 GB" \
        sh -c 'ulimit -t 10; ulimit -v 1000000; exec "$FECRUN" check points.yaml --threads 1'
else
    skip 1 "a sanitizer takes more of both"
fi
refuses 2 'more than 1000000 points' check points.yaml --sweep source.random.bits=1:1:10000

# Sums that 64 bits do not hold are no small ones.
refuses 2 'batch=18446744073709551615: must be an integer from 1 to' check small.yaml \
    --set batch=18446744073709551615
refuses 1 'memory' run small.yaml --set batch=16777216 --set source.random.bits=16777216

# Pieces of a stream that are much smaller than what a stage reads over their ends: 2500 pieces, 500
# neighbours each.
cat >pieces.yaml <<'END'
fecrun: 1
batch: 1
pipeline:
  - source.file: {path: pieces.raw, kind: llr, dtype: i1, frame: 0, piece: 16}
  - viterbi.decode: {code: ieee80211, termination: continuous, tile: {f: 64, v1: 2000, v2: 2000}}
  - sink.file: {path: out.npy}
END
awk 'BEGIN { for (i = 0; i < 40000; i++) printf "%c", 33 + i * i % 89 }' >pieces.raw
if [ "${FECRUN_SANITIZER:-no}" = no ]; then
    ok "tiny pieces with wide margins in 20 s of CPU time" \
        sh -c 'ulimit -t 20; exec "$FECRUN" run pieces.yaml --threads 2 --quiet'
    mv out.npy tiny.npy
    run "$FECRUN" run pieces.yaml --set source.file.piece=40000 --quiet
    ok "and the result is that of one piece" cmp out.npy tiny.npy
else
    skip 2 "a sanitizer takes its time"
fi

# Nobody writes to it.
rm blocks.csv
mkfifo blocks.csv
refuses 2 'blocks.csv: is no regular file' check blocks.yaml
done_testing
