#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# One run by the processes of an MPI job: whoever dies, the counts are those of one process.
. "$top_srcdir/t/lib/counts.sh"
without_cuda
. "$top_srcdir/t/lib/mpi.sh"

want=$(run_fields "$all" mpi.yaml --threads 1)
killed "" 0
same "four processes count as one" "$(fields "$all" <job)" "$want"
ok "and end well" [ "$job_status" = 0 ]
ok "with the journal of one" [ "$(ls J/*.jsonl | wc -l)" = 1 ]
# On a busy host a process may come when all is done.
shares='"shares":\[{"who":"rank 0 ([^)]*)",.*"who":"rank 1 (.*"who":"rank 3 ('
tries=0
until grep -q "$shares" job || [ $tries = 5 ]; do
    killed "" 0
    tries=$((tries + 1))
done
ok "each point says who did what" grep -q "$shares" job

for round in "2 90" "1,2,3 20"; do
    ranks=$(echo "${round% *}" | tr , ' ')
    killed "$ranks" "${round#* }"
    same "ranks $ranks killed: the same counts" "$(fields "$all" <job)" "$want"
    ok "and the run ends well" [ "$job_status" = 0 ]
done

# The end of rank 0 is the end of the run: the same command goes on.
start_job --set stop.frame_errors=4000
wait_for_journal
kill -9 $(cat pid.*) 2>/dev/null
wait $job
ok "all are killed: the run fails" [ ! -f job ]
cp -r J kept
timeout 60 $mpirun -n 2 "$FECRUN" run mpi.yaml --threads 1 --quiet --journal kept --json job 2>job.err
same "the same command goes on, with fewer processes" "$(fields "$all" <job)" "$want"

# ---- Who cannot take part is told why, and the others go on ----

# refused WHAT WHY COMMAND...: as the second process
refused() {
    what=$1 why=$2
    shift 2
    tries=0
    rm -f job.err
    until grep -Eqs "warning: rank 1 \([^)]*\): $why" job.err || [ $tries = 5 ]; do
        # rank 0 may have done all when, on a busy host, it would have heard of the other
        timeout 60 $mpirun -n 1 "$FECRUN" run mpi.yaml --quiet --threads 1 --json job : -n 1 "$@" \
            >job.out 2>job.err
        tries=$((tries + 1))
    done
    tap_last="$(cat job.err)"
    same "$what: the counts" "$(fields "$all" <job)" "$want"
    ok "and why" grep -Eq "warning: rank 1 \([^)]*\): $why" job.err
}
sed 's/seed: 7/seed: 8/' mpi.yaml >seed.yaml
sed 's/frame_errors: 1500/frame_errors: 15/' mpi.yaml >stop.yaml
sed 's/viterbi.decode/viterbi.decoder/' mpi.yaml >stage.yaml
refused "another pipeline" 'another pipeline: seed: 8, here 7;' "$FECRUN" run seed.yaml
refused "other points" 'another sweep: ' "$FECRUN" run mpi.yaml --sweep channel.awgn.ebn0_db=1,2
refused "no such stage, as where a plugin is missing" '.*stage.yaml:9:.*unknown stage' \
    "$FECRUN" run stage.yaml
refused "no such file" '.*nothing.yaml' "$FECRUN" run nothing.yaml

# Hosts that are set up otherwise: programs in folders of their own.
version=$("$FECRUN" --version | awk '{ print $2; exit }')
other=$(echo "$version" | sed 's/.$/x/')
mkdir -p bare/lib/fecrun old/lib/fecrun
cp "$FECRUN" bare/fecrun
LC_ALL=C sed "s/$(echo "$version" | sed 's/\./\\./g')/$other/g" "$FECRUN" >old/fecrun
chmod +x old/fecrun
cp "$(dirname "$FECRUN")/lib/fecrun/cluster.so" bare/lib/fecrun
cp -r "$(dirname "$FECRUN")/lib/fecrun/." old/lib/fecrun
run env FECRUN_PLUGIN_PATH= bare/fecrun check mpi.yaml
if [ "$status" = 0 ]; then
    skip 2 "this host has plugins installed"
else
    refused "a host without plugins" '.*unknown stage .source.random.;.*no plugin was found' \
        env FECRUN_PLUGIN_PATH= bare/fecrun run mpi.yaml
fi
refused "another version" "it is fecrun $other, rank 0 is $version" old/fecrun run mpi.yaml

# ---- What is not for a job ----

# alone WHY ARGUMENT...
alone() {
    why=$1
    shift
    status=0
    timeout 60 $mpirun -n 2 "$FECRUN" run "$@" --quiet >out 2>err || status=$?
    is 2 "$*"
    says "$why" "and why"
}
alone '--replay: is for a single process, and this is one of 2 processes of a job' mpi.yaml --replay 0:1
alone '--shard: is for a single process' mpi.yaml --journal K --shard 0/2
sed 's/sink.errors: {}/sink.file: {path: bits}/; /sweep/d' mpi.yaml >file.yaml
alone 'sink.file: writes a file from its beginning, so the part of another process cannot' file.yaml
done_testing
