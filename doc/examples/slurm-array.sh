#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# One run by the tasks of a Slurm array, which start when there is room for them and need no MPI:
#
#     sbatch --array=0-15 slurm-array.sh FILE.yaml DIR
#
# DIR is the journal, on a disk that all see. When the array is over, `fecrun merge DIR` prints the results.
# What a lost task has not done, the same array again does, or `fecrun run FILE.yaml --journal DIR`.
#SBATCH --job-name=fecrun
#SBATCH --array=0-3
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
set -eu

file=$1 journal=$2
shift 2
exec fecrun run "$file" --journal "$journal" \
    --shard "$((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN))/$SLURM_ARRAY_TASK_COUNT" \
    --threads "${SLURM_CPUS_PER_TASK:-1}" "$@"
