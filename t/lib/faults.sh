# SPDX-License-Identifier: BSD-2-Clause
# For tests that let calls of a function fail (t/doubles/fault): in FAULTS_ALL each call, else a sample.
. "$top_srcdir/t/lib/tap.sh"

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "a sanitizer has an allocator of its own"
without_cuda
shim=$top_builddir/t/doubles/fault/fault.so

# Code blocks of two sizes, for ldpc with `code: nr`.
two_sizes() {
    cat <<'END'
cell,user,count,bg,z,fillers,bits,e,rv,qm
1,a,2,2,8,0,80,160,0,2
1,b,3,2,10,8,92,300,0,2
END
}

# FUNCTION SAMPLE COMMAND...: every SAMPLE-th call
faults() {
    function=$1 sample=$2
    shift 2
    [ -z "${FAULTS_ALL-}" ] || sample=1
    "$top_builddir/t/lib/faults" "$shim" "$function" "$sample" "$FECRUN" "$@" >faults.tap 2>&1
    status=$? tap_last="faults $function $sample $*"
    grep '^#' faults.tap
    grep -q '^ok' faults.tap
    tap_check $? "$function: fecrun $1 ${2##*/}"
}
