#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The other modes of DPDK's test program, and arguments of the device that are wrong.
. "$top_srcdir/t/bbdev/dpdk.sh"

for vector in ldpc_dec_v7813 ldpc_enc_v7813 turbo_dec_c1_k40_r0_e17280_sbd_negllr \
    turbo_enc_c1_k40_r0_e272_rm; do
    for case in throughput latency; do
        bbdev "" "$case" "$vector" -n 64 -b 32
        ok "$case of $vector" grep -q "${case}_tc passed" bbdev.log
    done
done
bbdev threads=2 throughput ldpc_dec_v8480 -n 256 -b 64
ok "throughput with threads" grep -q 'throughput_tc passed' bbdev.log
bbdev "" bler ldpc_dec_v8480 -n 64 -b 32
ok "block error rate" grep -q 'bler_tc passed' bbdev.log
# The program has to be built with RTE_BBDEV_OFFLOAD_COST, which Debian's is not: DPDK_TEST_BBDEV=PROGRAM runs these.
bbdev "" offload ldpc_dec_v8480 -n 64 -b 32
if grep -q 'offload_cost_tc skipped' bbdev.log; then
    skip 4 "this dpdk-test-bbdev was built without offload costs"
else
    for vector in ldpc_dec_v8480 ldpc_enc_v2342 turbo_dec_c1_k6144_r0_e34560_posllr turbo_enc_c1_k6144_r0_e18444; do
        bbdev "" offload "$vector" -n 64 -b 32
        ok "offload cost of $vector" grep -q 'offload_cost_tc passed' bbdev.log
    done
fi
bbdev "" interrupt ldpc_dec_v8480 -n 64 -b 32
ok "interrupts are no capability" grep -q 'Dequeue interrupts are not supported' bbdev.log

# wrong ARGUMENT PATTERN: the device is not made, and says why.
wrong() {
    bbdev "$1" validation ldpc_dec_v8480 -n 8 -b 8
    ok "$1: $2" sh -c 'grep -Eq "$1" bbdev.log && grep -q "failed to initialize" bbdev.log' sh "$2"
}
wrong threads=x 'threads=x: must be a number from 0 to 64'
wrong threads=65 'threads=65: must be a number from 0 to 64'
wrong queues=0 'queues=0: must be 1 to 1024'
wrong memory=-1 'memory=-1: must be a number from 0 to 65536'
wrong latency=high 'latency=high: must be low or normal'
wrong cores=4 'cores=4: must be of backend, threads, queues, latency, plugins, memory'
wrong backend=gpu 'unknown backend `gpu`'
wrong plugins=/nowhere 'plugin-dir /nowhere: cannot be read'
done_testing
