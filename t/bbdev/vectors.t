#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every vector of DPDK's for turbo and LDPC: the bits, status and soft buffers that it asks for.
. "$top_srcdir/t/bbdev/dpdk.sh"

# passes ARGUMENTS VECTOR: all eight operations as the vector says.
passes() {
    bbdev "$1" validation "$2" -n 8 -b 8
    ok "${1:+$1: }$2" grep -q 'validation_tc passed' bbdev.log ||
        sed 's/^/# /' bbdev.log
}

for file in vectors/*.data; do
    vector=$(basename "$file" .data)
    passes "" "$vector"
done
for vector in ldpc_dec_HARQ_1_2 ldpc_enc_v2342 turbo_dec_c2_k3136_r0_e4920_sbd_negllr_crc24b \
    turbo_enc_c3_k4800_r2_e14412_crc24b; do
    passes threads=2 "$vector"
    passes latency=low "$vector"
done
# No turbo encoder has this backend.
passes backend=simd turbo_enc_c1_k40_r0_e272_rm
passes backend=simd ldpc_enc_v7813

# The program does tell right from wrong: one bit of the expected output is another one.
awk '/^output0/ { inside = 1 }
    inside && sub(/0x./, substr($0, index($0, "0x") + 2, 1) == "0" ? "0x8" : "0x0") { inside = 0 }
    { print }' vectors/ldpc_dec_v8480.data >vectors/wrong.data
ok "the wrong vector is another one" sh -c '! cmp -s vectors/ldpc_dec_v8480.data vectors/wrong.data'
bbdev "" validation wrong -n 8 -b 8
ok "and fails" grep -q 'Output buffers\|not equal' bbdev.log
# So it does of soft output, which turbo decoders have.
awk '/^soft_output0/ { inside = 1 } inside { gsub(/0x7f7f/, "0x8181"); gsub(/0x8181/, "0x7f7f") }
    /^e$|^e *=/ { inside = 0 }
    { print }' vectors/turbo_dec_c1_k6144_r0_e34560_sbd_negllr.data >vectors/wrong.data
bbdev "" validation wrong -n 8 -b 8
ok "soft output of another sign fails" grep -q 'Soft output buffers.*not equal' bbdev.log
done_testing
