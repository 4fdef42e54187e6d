#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Threads of several devices stay at the CPUs near them: devices of host memory, in a made-up /sys.
. "$top_srcdir/t/lib/counts.sh"
without_cuda
fake="--plugin-dir $FAKEDIR"
export FAKE_DEVICES=3 FAKE_BUS=0000:0a:00.0,0000:8b:00.0 # of the third nothing is known

pipeline 'source.random: {bits: 500}' 'conv.encode: {code: ieee80211}' 'channel.bsc: {p: 0.02}' \
    'llr.quantize: {type: i8, scale: 2, max: 10}' 'fake.scale: {factor: 1}' \
    'viterbi.decode: {code: ieee80211}' 'sink.errors: {}' >p.yaml
printf 'stop: {frames: 4000}\nbatch: 37\n' >>p.yaml

# Runs until each device has waited for something: on a slow host one may be through before the others.
on_all() {
    tries=0
    until [ $tries = 20 ]; do
        rm -f cpus
        run env FAKE_CPUS="$PWD/cpus" "$@"
        [ "$(cut -d : -f 1 cpus | sort -u | tr -d '\n')" != 012 ] || break
        tries=$((tries + 1))
    done
}

# cpus_of DEVICE: where its threads may run, a line for each different answer
cpus_of() { sed -n "s/^$1: //p" cpus | sort -u; }

export FECRUN_SYSFS=
on_all "$FECRUN" run p.yaml $fake --quiet --json -
is 0 "nothing is known of nodes"
all=$(cpus_of 0)
first=${all%% *} others=${all#* }
[ "$first" != "$all" ] || skip_all "there is but one CPU"
same "threads run anywhere" "$(cpus_of 1), $(cpus_of 2)" "$all, $all"
ok "and nothing is said of nodes" sh -c '! grep -E "\"(node|bound|runs_on_nodes)\"" out'
want=$(fields 'frames bit_errors frame_errors' <out)

# ---- Two nodes ----

node=sys/devices/system/node
mkdir -p sys/bus/pci/devices/0000:0a:00.0 sys/bus/pci/devices/0000:8b:00.0 $node/node0 $node/node1
echo 0-1 >$node/has_cpu
echo "$first" >$node/node0/cpulist
echo "$others" | tr ' ' , >$node/node1/cpulist
echo 1 >sys/bus/pci/devices/0000:0a:00.0/numa_node
echo 0 >sys/bus/pci/devices/0000:8b:00.0/numa_node
export FECRUN_SYSFS="$PWD/sys"

on_all "$FECRUN" run p.yaml $fake --quiet --json -
is 0 "two nodes"
same "a device on node 1: its threads are" "$(cpus_of 0)" "$others"
same "on node 0" "$(cpus_of 1)" "$first"
same "where it is not known" "$(cpus_of 2)" "$all"
prints '"runs_on_nodes":\[1,0,null\]' "the result file has the nodes"
prints '"who":"fake:0",[^}]*"node":1,"bound":true\},\{"who":"fake:1",[^}]*"node":0,"bound":true\},\{"who":"fake:2","frames":[0-9]+,"seconds":[0-9.e-]+\}' \
    "and each point, whose threads stayed there"
same "the counts are the same" "$(fields 'frames bit_errors frame_errors' <out)" "$want"
run "$FECRUN" explain p.yaml $fake
prints '^runs on fake:0 \(node 1\), fake:1 \(node 0\), fake:2$' "explain has them"
run "$FECRUN" explain p.yaml $fake --backend fake:1,0
prints '^runs on fake:1 \(node 0\), fake:0 \(node 1\)$' "of those that are named"

head -c 300000 /dev/zero >bits
pipeline 'source.file: {path: bits, kind: bits, dtype: u1, frame: 100}' 'fake.flip: {}' \
    'sink.file: {path: o}' >file.yaml
on_all "$FECRUN" run file.yaml $fake --backend fake:all --quiet --set batch=10
same "one file, too" "$(cpus_of 0), $(cpus_of 1), $(cpus_of 2)" "$others, $first, $all"

# ---- Within what the process may use ----

if command -v taskset >/dev/null 2>&1; then
    on_all taskset -c "$first" "$FECRUN" run p.yaml $fake --quiet --json -
    is 0 "a process that may use one node's CPUs"
    same "stays there" "$(cpus_of 0), $(cpus_of 1), $(cpus_of 2)" "$first, $first, $first"
    prints '"who":"fake:0",[^}]*"node":1,"bound":false\},\{"who":"fake:1",[^}]*"node":0,"bound":true' \
        "and that is told"
else
    skip 3 "taskset is not installed"
fi

# ---- What is left alone ----

run env FAKE_CPUS="$PWD/one" "$FECRUN" run p.yaml $fake --backend fake:0 --quiet
same "the threads of one device" "$(sed 's/^0: //' one | sort -u)" "$all"
echo nonsense >$node/node1/cpulist
on_all "$FECRUN" run p.yaml $fake --quiet --json -
is 0 "a node without CPUs that can be read"
same "binds nobody" "$(cpus_of 0)" "$all"
prints '"node":1,"bound":false' "and that is told"
echo -1 >sys/bus/pci/devices/0000:0a:00.0/numa_node
run "$FECRUN" explain p.yaml $fake
prints '^runs on fake:0, fake:1 \(node 0\), fake:2$' "a device of which the system knows no node"
echo 0 >$node/has_cpu
run "$FECRUN" explain p.yaml $fake
prints '^runs on fake:0, fake:1, fake:2$' "one node: nothing to say"

# ---- A provider whose struct ends too early ----

run "$FECRUN" list --plugin-dir "$FAKEDIR/old"
is 0 "a shorter struct of a provider"
prints 'not loaded: .*old.so: a device provider: a struct fecrun_provider has [0-9]+ bytes; at least' "is refused"
done_testing
