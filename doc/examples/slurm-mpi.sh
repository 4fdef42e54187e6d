#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# One run by all tasks of a Slurm job, which hand each other the work:
#
#     sbatch --ntasks=16 slurm-mpi.sh FILE.yaml --journal DIR
#
# DIR is on a disk that the first task sees. Where a task is lost, Slurm ends the others; what was done is in
# DIR, and the step is started again. A job that was ended goes on when it is submitted again. With GPUs:
# --gpus-per-task=1.
#SBATCH --job-name=fecrun
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=1
set -u

tries=3
while :; do
    # srun does not take --cpus-per-task over from sbatch
    srun --mpi=pmix --cpus-per-task="${SLURM_CPUS_PER_TASK:-1}" \
        fecrun run --threads "${SLURM_CPUS_PER_TASK:-1}" "$@"
    status=$?
    tries=$((tries - 1))
    # by itself fecrun ends with less
    [ $status -gt 128 ] && [ $tries -gt 0 ] || exit $status
done
