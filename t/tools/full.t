#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A disk that is full after any number of bytes, as a limit of the size of files (ulimit -f, blocks of 512 bytes): each
# verb that writes files ends with status 0 and complete files, or with status 1 and a message, and files are as before.
. "$top_srcdir/t/lib/tap.sh"

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "a sanitizer has files of its own"
without_cuda
cat >sweep.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 40}
  - conv.encode: {code: ieee80211}
  - channel.bsc: {p: 0.05}
  - viterbi.decode: {}
  - sink.errors: {}
sweep: {channel.bsc.p: "0.01:0.01:0.08"}
stop: {frames: 40}
END
cat >bits.yaml <<'END'
fecrun: 1
pipeline: [source.random: {bits: 400}, sink.file: {path: bits.npy}]
stop: {frames: 8}
END
sed 's/path: bits.npy/path: bits.raw, dtype: u1/' bits.yaml >raw.yaml
"$FECRUN" run sweep.yaml --quiet --json sweep.json
"$FECRUN" run sweep.yaml --quiet --journal journal
"$FECRUN" merge journal --quiet --csv merged.csv

# Without times.
plain() {
    sed -E 's/"(seconds|info_mbps)":[^,}]*/#/g' "$1" | awk -F, '
        FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "seconds" || $i == "info_mbps") time[i] = 1 }
        { for (i in time) if (FNR > 1) $i = "#" } 1'
}
same() { plain "$1" >a && plain "$2" >b && cmp -s a b; }

# limited BLOCKS COMMAND...: its message goes through a pipe, which has no limit
limited() {
    blocks=$1
    shift
    {
        status=0
        (trap '' XFSZ && ulimit -f "$blocks" && exec "$@") 2>&1 >/dev/null </dev/null || status=$?
        echo $status >status
    } | cat >message
    status=$(cat status)
}

# judge FILES: what is wrong after a run on old files
judge() {
    case $status in
    0 | 1) ;;
    *)  echo "$blocks blocks: status $status" ;;
    esac
    [ "$status" = 0 ] || [ -s message ] || echo "$blocks blocks: no message"
    for file in $1; do
        [ "$status" = 1 ] || same "$file" "whole/$file" || echo "$blocks blocks: status 0 and another $file"
        [ "$status" = 0 ] || [ "$(head -c 4 "$file" | tr -d '\0')" = old ] || same "$file" "whole/$file" ||
            echo "$blocks blocks: status 1 and a torn $file"
    done
    ls | grep '\.tmp$'
}

# full FILES COMMAND...: with room for 0 and more blocks, until there is enough
full() {
    files=$1
    shift
    tap_last=$*
    rm -rf whole
    mkdir whole
    "$@" >/dev/null 2>&1 </dev/null
    mv $files whole
    : >err
    refused=
    for n in 0 1 2 3 4 6 8 12 16 24 32 64 128 256; do
        for file in $files; do echo old >"$file"; done
        limited $n "$@"
        judge "$files" >>err
        [ "$status" = 0 ] || refused="$refused $n"
        rm -f $files *.partial
        [ "$status" = 1 ] || break
    done
    [ ! -s err ] && [ "$status" = 0 ] && [ -n "$refused" ]
    tap_check $? "$2: $files: refused with room for$refused blocks"
}
full sweep.out "$FECRUN" run sweep.yaml --quiet --json sweep.out
full "sweep.out sweep.csv" "$FECRUN" run sweep.yaml --quiet --json sweep.out --csv sweep.csv
full bits.npy "$FECRUN" run bits.yaml --quiet
full bits.raw "$FECRUN" run raw.yaml --quiet
full merge.csv "$FECRUN" merge journal --quiet --csv merge.csv
full merge.out "$FECRUN" merge journal --quiet --json merge.out
full compare.out "$FECRUN" compare sweep.json sweep.json --quiet --json compare.out
full list.out "$FECRUN" list --quiet --json list.out
full explain.out "$FECRUN" explain sweep.yaml --json explain.out
full plot.tex "$FECRUN" plot sweep.json -o plot.tex
if command -v gnuplot >/dev/null; then
    full plot.svg "$FECRUN" plot sweep.json -o plot.svg
    full "plot.png plot.gp" "$FECRUN" plot sweep.json -o plot.png --gp plot.gp
else
    lacks plot 2 "no gnuplot"
fi

# A directory that a command makes goes with its files.
limited 4 "$FECRUN" new-plugin mycode
[ "$status" = 1 ] && [ -s message ] && [ ! -e mycode ]
tap_check $? "new-plugin: status 1, and nothing stays"

# What a journal has is never lost, and a start with room completes it.
refused=0 wrong=0
for n in 0 1 2 3 5 7 9 100; do
    limited $n "$FECRUN" run sweep.yaml --quiet --journal full
    case $status in
    0) ;;
    1)  refused=$((refused + 1))
        [ -s message ] || wrong=$((wrong + 1)) ;;
    *)  wrong=$((wrong + 1)) ;;
    esac
    ! ls -A full | grep -q tmp || wrong=$((wrong + 1))
done
tap_last="journal: $refused refused, $wrong wrong, then $status"
[ $refused -ge 4 ] && [ $wrong = 0 ] && [ "$status" = 0 ]
tap_check $? "a journal: $refused starts of 8 refused, the last one completes it"
"$FECRUN" merge full --quiet --csv full.csv
ok "with the counts of one that had room" sh -c 'cut -d, -f1-9 full.csv >a && cut -d, -f1-9 merged.csv | cmp - a'

done_testing
