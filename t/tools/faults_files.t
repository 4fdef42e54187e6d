# SPDX-License-Identifier: BSD-2-Clause
# As faults.t, for what is read: code tables, samples, blocks, results, journals, plugins. That a file
# cannot be opened or read now, as there are too many open or its disk fails, says nothing against the
# file: status 1 and the system's reason, never 2, and never a part of it taken for the whole.
. "$top_srcdir/t/lib/faults.sh"

cat >h.qc <<'END'
4 2 8
0 1 2 0
3 -1 0 1
END
seq 0 31 >order
two_sizes >users.csv
cat >sent.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 16}
  - sink.file: {path: sent.npy}
stop: {frames: 20}
END
cat >llr.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 16}
  - ldpc.encode: {code: qc, path: h.qc}
  - channel.bsc: {p: 0.01}
  - llr.quantize: {type: i8, scale: 4}
  - sink.file: {path: llr.npy}
stop: {frames: 20}
END
cat >files.yaml <<'END'
fecrun: 1
pipeline:
  - source.file: {path: llr.npy, kind: llr}
  - ldpc.decode: {code: qc, path: h.qc, iterations: 2}
  - sink.errors: {reference: sent.npy}
END
cat >order.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 16}
  - polar.encode: {code: plain, n: 32, k: 16, construction: file, path: order}
  - channel.bsc: {p: 0.05}
  - llr.quantize: {type: i8, scale: 4}
  - polar.decode: {algorithm: sc}
  - sink.errors: {}
sweep: {channel.bsc.p: [0.05, 0.1]}
stop: {frames: 20}
END
cat >blocks.yaml <<'END'
fecrun: 1
blocks: users.csv
pipeline:
  - source.random: {}
  - ldpc.encode: {code: nr}
  - ldpc.rate_match: {}
  - channel.bsc: {p: 0.01}
  - llr.quantize: {type: i8, scale: 4}
  - ldpc.rate_recover: {}
  - ldpc.decode: {code: nr, iterations: 3}
  - sink.errors: {}
stop: {frames: 5}
END
printf '# * Modem\n# FRA | FE | Eb/N0 | FER\n# ----|----|-------|----\n 100 | 10 | 1.0 | 0.1\n 100 | 1 | 2.0 | 0.01\n' >foreign.txt
for file in sent llr; do ok "$file.yaml" "$FECRUN" run $file.yaml --quiet; done
for seed in 1 2; do
    ok "results $seed" "$FECRUN" run order.yaml --quiet --set seed=$seed --json $seed.json
done
ok "a journal" "$FECRUN" run order.yaml --quiet --journal journal

for function in open read; do
    for file in files order blocks; do faults $function 3 check $file.yaml; done
    faults $function 3 run files.yaml --json - --quiet --threads 1
    faults $function 1 compare 1.json 2.json
    faults $function 1 plot foreign.txt -o out.tex
    faults $function 3 run order.yaml --replay 1:3
done

faults flock 1 run order.yaml --json - --quiet --csv order.csv
# Of a journal that begins.
begin() {
    "$top_builddir/t/lib/faults" "$shim" "$1" 1 /bin/sh -c 'rm -rf new && exec "$0" "$@"' \
        "$FECRUN" run order.yaml --journal new --json - --quiet >faults.tap 2>&1
    status=$? tap_last="$1: a journal"
    grep '^#' faults.tap
    grep -q '^ok' faults.tap
    tap_check $? "$1: fecrun run --journal"
}
for function in link mkdir fsync; do begin $function; done
faults open 1 plot 1.json -o out.tex
faults read 199 plot 1.json -o out.tex
faults open 1 merge journal --json - --quiet
faults read 97 merge journal --json - --quiet
faults open 1 list
FAULTS_FILE=out.tex faults write 1 plot 1.json -o out.tex
faults write 1 compare 1.json 2.json

# Memory, in the verbs that faults.t leaves out.
if "$FECRUN" list | grep -q 'built without CUDA'; then
    faults malloc 97 compare 1.json 2.json
    faults malloc 61 plot 1.json -o out.tex
    faults malloc 61 merge journal --json - --quiet
    faults malloc 97 run order.yaml --replay 1:3
    # names of earlier versions: a second look, with the plugins that know them
    old() { awk -v name="$1" '$1 == "==" { on = $2 == name; next } on' "$top_srcdir/t/core/old_names.txt"; }
    mkdir earlier
    old yaml >old.yaml
    old head >earlier/pipeline.json
    old jsonl >earlier/h-1-0.jsonl
    old result >earlier.json
    "$FECRUN" run old.yaml --quiet --journal today --json new.json 2>/dev/null
    faults malloc 23 check old.yaml
    faults malloc 23 merge today earlier --json - --quiet
    faults malloc 23 compare earlier.json new.json
    faults malloc 97 list
else
    skip 8 "the CUDA runtime crashes without memory, in the constructors that register kernels"
fi

# What the message says.
head -c 16 /dev/zero >count
run env LD_PRELOAD="$shim" FAULT=open:1 FAULT_COUNT=count "$FECRUN" compare 1.json 2.json
is 1 "too many open files: status 1"
says '^fecrun: compare: 1.json: Too many open files$' "with the reason"

done_testing
