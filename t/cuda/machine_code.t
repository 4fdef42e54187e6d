#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Kernels of turbo and polar codes as machine code for each kind of device: what they spill, and their registers. LDPC
# and Viterbi kernels: t/ldpc/test_compile, t/viterbi/test_compiled. No device is needed.
. "$top_srcdir/t/lib/counts.sh"

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "a sanitizer finds nothing in machine code"
grep -q '^#define FECRUN_CUDA 1' "$top_builddir/include/cuda_defs.h" || skip_all "cuda: built without CUDA"

# Machine code of 8.0 runs on 8.6 and 8.9 as well; 12.0 has what a driver makes of the PTX of 9.0.
targets='-gencode arch=compute_80,code=[sm_80,sm_86,sm_89] -gencode arch=compute_90,code=sm_90'
capabilities='80 86 89 90'
if "${NVCC:-nvcc}" --list-gpu-code 2>/dev/null | grep -q '^sm_120$'; then
    targets="$targets -gencode arch=compute_90,code=sm_120"
    capabilities="$capabilities 120"
fi

# compile FILE TARGET...
compile() {
    compiled=$1
    shift
    run "${NVCC:-nvcc}" -forward-unknown-to-host-compiler "$@" -I"$top_srcdir" -I"$top_srcdir/core/include" \
        -I"$top_builddir/include" -include "$top_builddir/include/cuda_defs.h" -O3 -Xptxas -v \
        --expt-relaxed-constexpr -fno-exceptions -fno-rtti -c -o "$compiled.o" "$compiled.cu"
}

# kernel NAME SOURCE: compiles lines of C++; code has a line "CAPABILITY REGISTERS STACK" for each kind of device.
kernel() {
    printf '%s\n' "$2" >"$1.cu"
    compile "$1" $targets
    is 0 "$1 compiles"
    cat out err | awk '/Compiling entry function/ { sub(/.*sm_/, ""); sub(/[^0-9].*/, ""); cc = $0 }
        /bytes stack frame/ { stack = $1 } /Used [0-9]* registers/ { sub(/.*Used /, ""); print cc, $1, stack }' >code
    same "$1: for each capability" "$(sort -n code | awk '{ printf "%s%s", sep, $1; sep = " " }')" "$capabilities"
}

# at_most FROM TO REGISTERS STACK: for capabilities FROM to TO
at_most() {
    awk -v from="$1" -v to="$2" '$1 >= from && $1 <= to { print "# " $1 ": " $2 " registers, " $3 " bytes of stack" }' code
    same "$name, capability $1 to $2: at most $3 registers and $4 bytes of stack" \
        "$(awk -v from="$1" -v to="$2" -v r="$3" -v s="$4" '$1 >= from && $1 <= to && ($2 > r || $3 > s)' code)" ""
}

name='turbo windows'
kernel windows '#include "plugins/turbo/cuda/windows/kernel.cuh"
#include "plugins/turbo/cuda/windows/maxlog.cuh"
const void *kernel(void) { return (const void *)turbo_windows_kernel<win_max_log, WIN_ALWAYS_ALL, true>; }'
at_most 80 120 255 304 # the forward metrics of 16 steps, two blocks of threads a multiprocessor

name='turbo, few blocks'
kernel single "$(cat "$top_srcdir/plugins/turbo/cuda/single/columns_32.cu")"
at_most 80 120 96 0
compile single -gencode arch=compute_80,code=sm_80
is 0 "$name, in a build for 8.0 alone"

name='polar sc'
kernel sc "$(cat "$top_srcdir/plugins/polar/cuda/sc/kernels.cu")"
at_most 80 120 255 0

name='polar bp'
kernel half '#include "plugins/polar/cuda/bp/half/run.cuh"
extern __shared__ uint4 bp_shared[];
static __global__ void __launch_bounds__(bp_shape<10>::THREADS, 6)
    kernel_10(const __grid_constant__ struct polar_bp_half_job job)
{
    bp_half_run<10, false>(job, (uint32_t *)bp_shared);
}
const void *kernel(void) { return (const void *)kernel_10; }'
at_most 80 89 168 96
at_most 90 120 168 48

name='polar lists'
kernel list '#include "plugins/polar/cuda/list/ragged.cuh"
extern __shared__ uint32_t list_shared[];
static __global__ void __launch_bounds__(32 * LIST_MOST_WARPS, 1)
    kernel_8(const __grid_constant__ struct polar_list_job job)
{
    list_run<8, false>(job, list_shared);
}
const void *kernel(void) { return (const void *)kernel_8; }'
at_most 80 89 88 128
at_most 90 120 88 32
done_testing
