#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What is copied to a device from memory that is not pinned goes through sdk/cuda.h, which waits:
# no source calls cudaMemcpy() to a device, or cudaMemcpyToSymbol(), itself.
. "$top_srcdir/t/lib/tap.sh"

# A call may go over several lines: statement by statement.
direct=$(cd "$top_srcdir" &&
    find core run plugins tools -type f \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \) \
        ! -path core/sdk/cuda.h | sort | while read -r file; do
        tr '\n' ' ' <"$file" | tr ';' '\n' |
            grep -E 'cudaMemcpyToSymbol|cudaMemcpy(2D|3D)?\(.*(HostToDevice|Default)' |
            sed "s|^.*\(cudaMemcpy[A-Za-z0-9]*\)(.*|$file: \1|"
    done)
[ -z "$direct" ]
tap_check $? "tables go to devices through fecrun_cuda_upload() or fecrun_cuda_copy_in()"
[ -z "$direct" ] || echo "$direct" | sed 's/^/# /'
done_testing
