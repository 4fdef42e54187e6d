# SPDX-License-Identifier: BSD-2-Clause
# A Slurm of one node, which is this host, for a test: its own daemons, key, ports and folder ($T/slurm),
# whatever Slurm the host is part of. For tests that have tap.sh already.

PATH=$PATH:/usr/sbin:/sbin
for tap_command in munged slurmctld slurmd sbatch srun; do
    command -v $tap_command >/dev/null 2>&1 ||
        skip_all "$tap_command is not installed (Debian: slurmctld slurmd slurm-client munge)"
done

# Of names that are set, since a job of a real Slurm may run this.
for tap_name in $(env | sed -n 's/^\(SLURM_[A-Z_]*\)=.*/\1/p; s/^\(SBATCH_[A-Z_]*\)=.*/\1/p'); do
    unset "$tap_name"
done
slurm=$T/slurm slurm_pids=
mkdir -p "$slurm/state" "$slurm/spool"

slurm_end() {
    # the node first, so that the controller hears of its end
    for tap_pid in $slurm_pids; do
        kill "$tap_pid" 2>/dev/null
        wait "$tap_pid" 2>/dev/null
    done
}
trap 'slurm_end; cd / && rm -rf "$T"' EXIT

# slurm_daemon NAME COMMAND...
slurm_daemon() {
    tap_daemon=$1
    shift
    "$@" >"$slurm/$tap_daemon.log" 2>&1 &
    slurm_pids="$! $slurm_pids"
}

# Only for this host and this test: a key of its own, and no address but the loop's.
slurm_configure() {
    slurm_host=$(hostname -s) slurm_port=$((20000 + $$ % 20000 / 2 * 2))
    cat >"$slurm/slurm.conf" <<SLURM
ClusterName=test
SlurmctldHost=$slurm_host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthInfo=socket=$slurm/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPort=$slurm_port
SlurmdPort=$((slurm_port + 1))
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MailProg=/bin/true
ReturnToService=2
KillWait=1
SchedulerParameters=sched_interval=1,bf_interval=1,sched_min_interval=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
NodeName=$slurm_host NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=all Nodes=$slurm_host Default=YES MaxTime=2 State=UP
SLURM
    export SLURM_CONF="$slurm/slurm.conf"
    head -c 64 /dev/urandom >"$slurm/key"
    chmod 600 "$slurm/key"
}

# Until the node can be used; else the test is skipped with the daemons' last words.
slurm_start() {
    slurm_configure
    slurm_daemon munged munged --force --foreground --key-file="$slurm/key" --socket="$slurm/munge" \
        --pid-file="$slurm/munged.pid" --log-file="$slurm/munged.file" --seed-file="$slurm/seed"
    slurm_daemon slurmctld slurmctld -D
    slurm_daemon slurmd slurmd -D -N "$slurm_host"
    tap_tries=0
    until sinfo -h -o %T 2>/dev/null | grep -q idle; do
        tap_tries=$((tap_tries + 1))
        [ $tap_tries -lt 100 ] ||
            skip_all "Slurm does not start here: $(cat "$slurm"/*.log | grep -E 'error|fatal' | tail -n 1)"
        sleep 0.1
    done
}

# job ARGUMENT...: as `run sbatch --wait` would, which asks once in 2 to 10 seconds.
job() {
    tap_last="sbatch $*" status=99 tap_tries=0
    tap_job=$(sbatch --parsable "$@" 2>err) || return 0
    until [ -z "$(squeue -h -j "$tap_job" 2>&1)" ] || [ $tap_tries = 1000 ]; do
        sleep 0.05
        tap_tries=$((tap_tries + 1))
    done
    status=$(scontrol show job "$tap_job" 2>&1 |
        sed -n 's/.* ExitCode=\([0-9]*\):.*/\1/p' | sort -n | tail -n 1)
}
