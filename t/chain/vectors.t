#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# CRCs' known answers, and that t/data holds what its list says (t/data/README.md).
. "$top_srcdir/t/lib/vectors.sh"
without_cuda

if command -v sha256sum >/dev/null; then
    ok "t/data is what SHA256SUMS says" sh -c 'cd "$T_DATA" && sha256sum -c SHA256SUMS'
else
    skip 1 "no sha256sum"
fi

from() { echo "source.file: {path: '$T_DATA/crc/$1', kind: bits}"; }
to() { echo "sink.errors: {reference: '$T_DATA/crc/$1'}"; }

vector() {
    all_right "attach $coded" "$frames" "$(from "$msg")" "crc.attach: {crc: $crc}" "$(to "$coded")"
    same "check $coded" "$(pipeline "$(from "$coded")" "crc.check: {crc: $crc}" "$(to "$msg")" |
        run_fields "frames frame_errors undetected failed" -)" "$frames 0 0 0"
    same "$coded is not the CRC under a mask" "$(pipeline "$(from "$coded")" "crc.check: {crc: $crc, mask: 1}" \
        "$(to "$msg")" | run_fields "frames failed" -)" "$frames $frames"
}
each_line "$T_DATA/crc/index.csv" vector

# A catalogue's check value is the CRC of the characters 123456789; here zeros fill its last byte.
catalogue() {
    fill=$(((8 - width % 8) % 8))
    same "$name of 123456789" \
        "$(raw_to_raw 313233343536373839 72 "crc.attach: {crc: $(echo "${name#CRC}" | tr ABC abc)}")" \
        "313233343536373839$(printf "%0$(((width + fill) / 4))x" $((check << fill)))"
}
each_line "$T_DATA/tables/crc.csv" catalogue
done_testing
