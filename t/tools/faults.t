# SPDX-License-Identifier: BSD-2-Clause
# Fault injection by n-th call: whichever allocation, write, fsync, rename, open, thread or fork
# fails, fecrun gives all its results, or status 1, a message, and nothing that is wrong. Here a sample
# of the calls; long_faults.t has each one.
. "$top_srcdir/t/lib/faults.sh"

cat >viterbi.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 96}
  - conv.encode: {code: ieee80211}
  - modem.map: {scheme: qpsk}
  - channel.awgn: {ebn0_db: 1}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 4}
  - viterbi.decode: {}
  - sink.errors: {}
sweep: {channel.awgn.ebn0_db: [1, 2]}
stop: {frames: 50}
END
cat >ldpc.yaml <<'END'
fecrun: 1
blocks: users.csv
pipeline:
  - source.random: {}
  - ldpc.encode: {code: nr}
  - ldpc.rate_match: {}
  - modem.map: {scheme: qpsk}
  - channel.awgn: {esn0_db: 3}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 8}
  - ldpc.rate_recover: {}
  - ldpc.decode: {code: nr, iterations: 3}
  - sink.errors: {}
stop: {frames: 5}
END
two_sizes >users.csv
cat >turbo.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 40}
  - turbo.encode: {code: lte, k: 40}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 1}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 8}
  - turbo.decode: {k: 40, iterations: 2}
  - sink.errors: {}
stop: {frames: 20}
END
cat >polar.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 32}
  - polar.encode: {code: nr, k: 32, e: 64}
  - channel.bsc: {p: 0.05}
  - llr.quantize: {type: i8, scale: 4}
  - polar.decode: {algorithm: scl, list: 4}
  - sink.file: {path: bits.npy}
stop: {frames: 20}
END

# Memory, in each verb and each kind of output.
memory() {
    for family in viterbi ldpc turbo polar; do
        faults malloc 61 run $family.yaml --json - --quiet --threads 1
        faults malloc 61 check $family.yaml
    done
    faults malloc 83 explain ldpc.yaml
    faults malloc 83 list --json -
    faults malloc 83 describe viterbi.decode
    FAULTS_FILE=result.json faults malloc 83 run viterbi.yaml --json result.json --quiet --threads 1
}
if "$FECRUN" list | grep -q 'built without CUDA'; then
    memory
else
    skip 12 "the CUDA runtime crashes without memory, in the constructors that register kernels"
fi

# Files: the old ones stay.
families=viterbi threaded=viterbi
[ -z "${FAULTS_ALL-}" ] || families='viterbi ldpc turbo polar' threaded=$families
for function in open write fsync rename; do
    FAULTS_FILE=bits.npy faults $function 1 run polar.yaml --quiet
    for family in $families; do
        FAULTS_FILE=result.json faults $function 1 run $family.yaml --json result.json --quiet
    done
done
for family in $threaded; do
    faults write 1 run $family.yaml --json - --quiet
    # threads and processes
    faults thread 1 run $family.yaml --json - --quiet --threads 4
    faults fork 1 run $family.yaml --json - --quiet --threads 1
done

# The program's own name, by which it finds its plugins, and a heap that cannot grow.
faults readlink 1 run viterbi.yaml --json - --quiet
faults brk 1 run viterbi.yaml --json - --quiet

# Shared memory of children, and their standard files.
faults mmap 1 run viterbi.yaml --json - --quiet
FAULT_CHILDREN=1 faults dup2 1 run viterbi.yaml --json - --quiet

# The dynamic loader has calls of its own: with less and less address space each run has all its results, or
# status 1 (127: the program itself does not start). A plugin without memory is not an unknown stage.
wrong=0 refused=0
for kib in $(seq 4000 "$([ -n "${FAULTS_ALL-}" ] && echo 60 || echo 1700)" 60000); do
    status=0
    (ulimit -v "$kib" && exec "$FECRUN" run polar.yaml --quiet --threads 1) >out 2>err || status=$?
    case $status in
    0) ;;
    1 | 127) refused=$((refused + 1)) && [ -s err ] || wrong=$((wrong + 1)) ;;
    *) wrong=$((wrong + 1)) && sed "s/^/# $kib KiB: /" err ;;
    esac
done
[ $wrong = 0 ] && [ $refused -gt 0 ]
tap_check $? "less and less address space: $refused refused"

done_testing
