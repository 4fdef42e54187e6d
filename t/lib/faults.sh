# SPDX-License-Identifier: BSD-2-Clause
# For tests that let calls of a function fail (t/doubles/fault): in FAULTS_ALL each call, else a sample.
. "$top_srcdir/t/lib/tap.sh"

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "a sanitizer has an allocator of its own"
without_cuda
shim=$top_builddir/t/doubles/fault/fault.so

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
