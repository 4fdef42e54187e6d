#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# DPDK's own test program on the driver, as a device or as cores: NR LDPC, BG1, Z = 384, rate 1/3, 10 iterations, bursts of
# 64, as lines of a table on standard output. With dpdk-dev and python3, and where the driver lies in no folder that all
# may write to: bench/bbdev-throughput.sh [BUILD_DIR]. Variables: BACKEND (cuda:0), ARGUMENTS (of the device, threads=8),
# EAL (-l 0-4 of DPDK), LCORES (cores that feed it, 1), N (operations of a queue, 512), CASE (throughput, latency,
# validation), QM (2), EBN0 (2.5), DPDK_TEST_BBDEV (the program).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../build}" && pwd)
BACKEND=${BACKEND-cuda:0} QM=${QM:-2} CASE=${CASE:-throughput}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LD_LIBRARY_PATH=$build/run/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
FECRUN_PLUGIN_PATH=$(echo "$build"/lib/fecrun/[0-9]*)
XDG_RUNTIME_DIR=$work
export LD_LIBRARY_PATH FECRUN_PLUGIN_PATH XDG_RUNTIME_DIR

# The vector: a block of random bits behind noise that the decoder removes.
case $QM in 2) scheme=qpsk ;; 4) scheme=16qam ;; 6) scheme=64qam ;; 8) scheme=256qam ;; esac
cat >"$work/vector.yaml" <<END
fecrun: 1
seed: 3
pipeline:
  - source.random: {bits: 8448}
  - sink.file: {id: bits, path: $work/bits, dtype: packed}
  - ldpc.encode: {from: source.random, code: nr, bg: 1, z: 384}
  - ldpc.rate_match: {e: 25344, qm: $QM}
  - modem.map: {scheme: $scheme}
  - channel.awgn: {ebn0_db: ${EBN0:-2.5}}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 4, max: 127}
  - sink.file: {path: $work/llrs, dtype: i8}
stop: {frames: 1}
END
"$build/fecrun" run "$work/vector.yaml" --quiet

# words FILE: little-endian words, as the program's vectors have them.
words() { od -An -v -tx4 "$1" | sed 's/ *\([0-9a-f]\{8\}\)/0x\1,\n/g' | sed '/^$/d' | sed '$s/,//'; }
{
    printf 'op_type =\nRTE_BBDEV_OP_LDPC_DEC\n\ninput0 =\n'
    words "$work/llrs"
    printf '\noutput0 =\n'
    words "$work/bits"
    for field in basegraph=1 z_c=384 n_cb=25344 q_m="$QM" n_filler=0 e=25344 rv_index=0 code_block_mode=1 iter_max=10 \
        expected_iter_count=10 op_flags=RTE_BBDEV_LDPC_ITERATION_STOP_ENABLE expected_status=OK; do
        printf '\n%s\n%s\n' "${field%%=*}=" "${field#*=}"
    done
} >"$work/vector.data"

${DPDK_TEST_BBDEV:-dpdk-test-bbdev} ${EAL:--l 0-4} --no-huge --no-shconf -m 2048 --no-pci \
    -d "$build/tools/bbdev/.libs/librte_baseband_fecrun.so" \
    --vdev "baseband_fecrun0,backend=$BACKEND,${ARGUMENTS:-threads=8}" -- \
    -l "${LCORES:-1}" -t 10 -n "${N:-512}" -b 64 -c "$CASE" -v "$work/vector.data" >"$work/out" 2>&1 || {
    cat "$work/out" >&2
    exit 1
}
grep -q "_tc passed" "$work/out" || { cat "$work/out" >&2; exit 1; }
sed -n 's/^Total throughput for \([0-9]*\) cores: .* \([0-9.]*\) Mbps.*/\1 cores that feed: \2 Mb\/s of information bits/p
    s/^\t\(avg\|min\|max\): .*, \(.*\)/\1 \2/p' "$work/out"
