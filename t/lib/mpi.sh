# SPDX-License-Identifier: BSD-2-Clause
# A run over the four processes of an MPI job, some of them killed: for tests that have counts.sh already.

cluster=$(dirname "$FECRUN")/lib/fecrun/cluster.so
[ -f "$cluster" ] || [ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "a build with a sanitizer has no MPI"
command -v mpirun >/dev/null 2>&1 || lacks mpi all "mpirun is not installed"
[ -f "$cluster" ] || lacks mpi all "built without MPI"
root=
[ "$(id -u)" != 0 ] || root=--allow-run-as-root
# As many processes on one host as the test wants, whatever its cores are; no network.
mpirun="mpirun $root --oversubscribe --bind-to none --mca btl self,vader"
export OMPI_MCA_rmaps_base_oversubscribe=1
# Each process leaves its number.
cat >rank.sh <<'END'
#!/bin/sh
echo $$ >"pid.$OMPI_COMM_WORLD_RANK"
exec "$@"
END
chmod +x rank.sh

viterbi_link 'scale: 2, max: 10' '1, 2, 3' 'frame_errors: 1500' 7 >mpi.yaml
all='frames bits bit_errors frame_errors ber_lo ber_hi stop'

# start_job ARGUMENT...: four processes in the background; survivors of a killed one go on. The results are in
# file `job`.
start_job() {
    rm -rf J pid.* job
    timeout 60 $mpirun --enable-recovery -n 4 ./rank.sh "$FECRUN" run mpi.yaml --threads 1 --quiet \
        --journal J --json job "$@" >job.out 2>job.err &
    job=$!
}

# The moment from which on killed ones are no obstacle to the start: rank 0 has begun its journal.
wait_for_journal() {
    tries=0
    until ls J/*.jsonl >/dev/null 2>&1 || [ $tries = 600 ]; do
        sleep 0.02
        tries=$((tries + 1))
    done
}

# killed RANKS MILLISECONDS ARGUMENT...: a job of which those are killed so long after its beginning.
killed() {
    ranks=$1 delay=$2
    shift 2
    start_job "$@"
    wait_for_journal
    sleep "0.$(printf %03d "$delay")"
    for rank in $ranks; do
        kill -9 "$(cat "pid.$rank")" 2>/dev/null
    done
    job_status=0
    wait $job || job_status=$?
    tap_last="kill ranks $ranks after $delay ms: status $job_status: $(cat job.err)"
}
