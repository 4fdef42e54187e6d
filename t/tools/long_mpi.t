#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A hundred runs by four processes of which none, one or three are killed at any moment.
. "$top_srcdir/t/lib/counts.sh"
. "$top_srcdir/t/lib/kills.sh"
without_cuda
. "$top_srcdir/t/lib/mpi.sh"

want=$(run_fields "$all" mpi.yaml --threads 1)
for round in $(seq 100); do
    case $((round % 3)) in
    0) ranks= ;;
    1) ranks=$((1 + round / 3 % 3)) ;;
    2) ranks="1 2 3" ;;
    esac
    killed "$ranks" "$(random)"
    same "round $round, ranks '$ranks' killed: the same counts" "$(fields "$all" <job)" "$want"
    ok "and the run ends well" [ "$job_status" = 0 ]
done
done_testing
