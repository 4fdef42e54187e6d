# SPDX-License-Identifier: BSD-2-Clause
# Four shards of one journal, killed over and over: for tests that have counts.sh already.

# A number below 1000.
random() { od -An -N2 -tu2 /dev/urandom | awk '{ print $1 % 1000 }'; }

# start_shards FILE DIR ORDER ARGUMENT...: sets pids.
start_shards() {
    file=$1 dir=$2 order=$3
    shift 3
    pids=
    for i in $order; do
        "$FECRUN" run "$file" --journal "$dir" --shard "$i/4" --threads 1 --quiet "$@" 2>err.$i &
        pids="$pids $!"
    done
}

# kill_shards TIMES FILE DIR MOST: in both orders in turn, each time after up to MOST milliseconds (1000 at most).
kill_shards() {
    killed=0
    while [ $killed -lt "$1" ]; do
        order="0 1 2 3"
        [ $((killed % 2)) = 0 ] || order="3 2 1 0"
        start_shards "$2" "$3" "$order" --backend ref
        sleep "0.$(printf %03d "$(($(random) * $4 / 1000))")"
        kill -9 $pids 2>/dev/null
        wait $pids 2>/dev/null
        killed=$((killed + 1))
    done
}

# fill_disk FILE DIR: all four, on a disk that is full after 512 bytes of each file, and so fail.
fill_disk() {
    (
        ulimit -f 1
        trap '' XFSZ
        start_shards "$1" "$2" "0 1 2 3" --backend ref
        for pid in $pids; do
            wait "$pid"
            echo $?
        done >full.status
    )
}

# cut_journal DIR: the first file, in the middle of its last line.
cut_journal() {
    last=$(ls "$1"/*.jsonl | head -n 1)
    size=$(wc -c <"$last")
    head -c $((size - 40)) "$last" >cut
    cat cut >"$last"
}

# end_shards FILE DIR: leaves them alone; ended is the last status that was not 0.
end_shards() {
    start_shards "$1" "$2" "0 1 2 3"
    ended=0
    for pid in $pids; do
        wait "$pid" || ended=$?
    done
}
