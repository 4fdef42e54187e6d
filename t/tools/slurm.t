#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The job scripts of doc/examples under a Slurm of this host: MPI by srun, and an array of shards.
. "$top_srcdir/t/lib/counts.sh"
without_cuda
. "$top_srcdir/t/lib/slurm.sh"
slurm_start

viterbi_link 'scale: 2, max: 10' '1, 2, 3' 'frame_errors: 300' 7 >s.yaml
all='frames bits bit_errors frame_errors stop'
want=$(run_fields "$all" s.yaml --threads 1)
want_more=$(run_fields "$all" s.yaml --threads 1 --set stop.frame_errors=3000)
PATH=$(cd "$(dirname "$FECRUN")" && pwd):$PATH
examples=$(cd "$top_srcdir/doc/examples" && pwd)

# An array
job --array=1,2 --output=array.log "$examples/slurm-array.sh" s.yaml A --quiet
is 0 "an array"
run fecrun merge A --quiet --json array
same "counts as one process" "$(fields "$all" <array)" "$want"
job --array=4-6 --output=array.log "$examples/slurm-array.sh" s.yaml B --quiet
run fecrun merge B --quiet --json array
same "wherever its numbers begin" "$(fields "$all" <array)" "$want"

# MPI
if [ ! -f "$(dirname "$FECRUN")/lib/fecrun/cluster.so" ]; then
    skip 5 "built without MPI"
elif ! srun --mpi=list 2>&1 | grep -q pmix; then
    skip 5 "this Slurm has no PMIx"
else
    job --ntasks=3 --output=mpi.log "$examples/slurm-mpi.sh" s.yaml --journal J \
        --json job --quiet
    cat mpi.log >>err
    is 0 "one run by the tasks of a job"
    same "counts as one process" "$(fields "$all" <job)" "$want"
    ok "and all have a part in it" grep -q '"who":"rank 0 (.*"who":"rank 1 (.*"who":"rank 2 (' job

    # Slurm ends a step of which a task is lost. In place of fecrun: rank 2 dies at first.
    mkdir bin
    cat >bin/fecrun <<SH
#!/bin/sh
if [ "\$PMIX_RANK" = 2 ] && mkdir $T/died 2>/dev/null; then
    (until ls $T/K/*.jsonl >/dev/null 2>&1; do sleep 0.02; done; kill -9 \$\$) &
fi
exec $(command -v fecrun) "\$@"
SH
    chmod +x bin/fecrun
    PATH=$T/bin:$PATH
    job --ntasks=3 --output=lost.log "$examples/slurm-mpi.sh" s.yaml --journal K \
        --json job --quiet --set stop.frame_errors=3000
    ok "a task is lost, and with it the step" grep -q 'task 2: Killed' lost.log
    same "the script starts it again: counts as one process" "$(fields "$all" <job)" "$want_more"
fi
done_testing
