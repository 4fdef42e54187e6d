#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Counts of the pipelines of conf/ are those of golden.txt: on every machine, with each instruction
# set, batch size and number of threads. To write golden.txt anew: see there.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

mkdir conf t
cp "$CONF"/*.yaml "$CONF"/*.sigmf-meta conf
chmod u+w conf/*
ln -s "$T_DATA" t/data
for file in dvb-stream-make dvb-stream-truth recording-make; do
    run "$FECRUN" run --quiet conf/$file.yaml
done

# pipe.yaml's input, as conf.t has it.
llrs=t/data/noisy/conv_k7_r12_llr.npy
tail -c "+$(($(od -An -j8 -N2 -tu2 $llrs) + 11))" $llrs >llrs

# count FILE OPTION...: a line a point, and the bit errors of each user if there are any; or what
# came out of pipe.yaml.
count() {
    file=conf/$1
    shift
    status=0
    "$FECRUN" run --quiet --json result "$file" "$@" <llrs >piped 2>err || status=$?
    if [ $status != 0 ]; then
        echo "status $status: $(cat err)"
    elif [ -s piped ]; then
        cksum <piped
    else
        fields "frames bits bit_errors frame_errors failed undetected iterations_mean iterations_max" \
            <result
        sed -n 's/.*"users"://p' result | tr ',' '\n' | sed -n 's/^"bit_errors"://p' | tr '\n' ' ' |
            sed 's/ $/\n/'
    fi
}

# Lines that begin with a space belong to the run before them.
golden=$top_srcdir/t/core/golden.txt
sed '/^#/d; /^ /d; /^$/d' "$golden" >runs

if [ "$FECRUN_GOLDEN" = write ]; then
    { sed -n '/^#/p' "$golden"
        while read -r line; do
            printf '\n%s\n' "$line"
            count $line | sed 's/^/ /'
        done <runs; } >new
    cat new >"$golden"
fi

for path in conf/*.yaml; do
    case $path in
    *-make.yaml | *-truth.yaml) ;;
    *) ok "$path is in golden.txt" grep -q "^${path#conf/}" runs ;;
    esac
done

combine() { # ISA OPTION...
    isa=$1
    shift
    while read -r line; do
        want=$(awk -v run="$line" '/^ / { if (on) print substr($0, 2); next } { on = $0 == run }' \
            "$golden")
        got=$(FECRUN_ISA=$isa count $line "$@")
        same "$line${isa:+, $isa}${1:+, $*}" "$got" "$want"
    done <runs
}
combine ''
# Any two values of two settings meet once; with `part` 1 (t/core/long_golden.t) all three of three do. A
# sanitizer, which makes a run ten times as long, has each value once: it is there for memory, and the counts were
# those of golden.txt without it.
part=${part:-3}
b=0
for batch in 1 7 64 65 1000; do
    for t in 0 1 2; do
        for i in 0 1 2; do
            [ "$part" = 1 ] || [ $(((b + t + i) % 3)) = 0 ] || continue
            [ "${FECRUN_SANITIZER:-no}" = no ] || [ $t = $((b % 3)) ] || continue
            combine "$(echo generic avx2 avx512 | cut -d ' ' -f $((i + 1)))" --set batch=$batch \
                --threads "$(echo 1 2 5 | cut -d ' ' -f $((t + 1)))"
        done
    done
    b=$((b + 1))
done

# Where nothing is wrong nothing could differ; frames of other people's tests are right.
ok "nearly all have frame errors" [ "$(awk '/^ / && NF == 8 && $4 == 0' "$golden" | wc -l)" -le 1 ]
done_testing
