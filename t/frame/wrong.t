#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Receivers of conf/ with a recording that was inverted, shifted by an item, or swapped in pairs: a run says that nothing fits.
# Where a code or a sync word undoes it, the messages are those of the recording as it was. Zeros, part of a frame and nothing
# at all are reported, too.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

mkdir conf t
cp "$CONF"/*.yaml conf
chmod u+w conf/*
ln -s "$T_DATA" t/data

# changed FILE HOW: bytes of a recording; of i4 halves of a byte
bytes() { sed 's/^/\\/' | tr -d '\n' >octal && printf "$(cat octal)"; } # shellcheck disable=SC2059 # octal numbers alone
changed() {
    od -An -v -tu1 -w1 "$1" | awk -v how="$2" -v four="$(case $1 in *.i4) echo 1 ;; esac)" '
        function put(x) { printf "%03o\n", x }
        function minus(x, n) { return x == n / 2 ? n / 2 - 1 : (n - x) % n }
        { b[NR] = $1 + 0 }
        END {
            for (i = 1; i <= NR; i++)
                if (how == "shifted") put(b[i % NR + 1])
                else if (how == "inverted") put(four ? 16 * minus(int(b[i] / 16), 16) + minus(b[i] % 16, 16) : minus(b[i], 256))
                else if (four) put(16 * (b[i] % 16) + int(b[i] / 16))
                else put(b[i % 2 ? i + 1 : i - 1])
        }' | bytes
}
# receives FILE HOW: what is said, and what comes out
receives() {
    recording=$(sed -n 's/.*source.file:.*path: \([^,]*\),.*/\1/p' "conf/$1.yaml")
    changed "conf/$recording" "$2" >recording
    run "$FECRUN" run --quiet "conf/$1.yaml" --set source.file.path="$PWD/recording"
    is 0 "$1 $2"
}
# said FILE HOW...
said() {
    file=$1
    shift
    for how in "$@"; do
        receives "$file" "$how"
        says 'warning: source.file: (not in step|all frames failed)' "is said"
    done
}
# undone FILE HOW...: the messages are those of the file as it was, which ends where the changed one ends
undone() {
    file=$1
    shift
    "$FECRUN" run --quiet "conf/$file.yaml" >right
    for how in "$@"; do
        receives "$file" "$how"
        ok "is undone" sh -c '[ -s right ] && n=$(($(wc -c <right) * 2 / 3)) && cmp -n $n out right'
        ok "and nothing is said of it" sh -c '! grep -E "not in step|all frames failed" err'
    done
}

for file in dvb-s dvb-s2 dvb-t dab-fic galileo-inav galileo-fnav gsm-afs gsm-xcch ft8 lte-pbch nr-pbch wifi-ppdu; do
    said $file inverted shifted swapped
done
said ccsds-telemetry shifted swapped
undone ccsds-telemetry inverted
said gps-cnav shifted swapped
undone gps-cnav inverted
said m17-lsf inverted swapped
undone m17-lsf shifted
said m17-stream inverted swapped
undone m17-stream shifted
said nr-dci-blind shifted swapped

for file in dvb-s dvb-s2 dvb-t dab-fic galileo-inav galileo-fnav gsm-afs gsm-xcch ft8 lte-pbch nr-pbch ccsds-telemetry gps-cnav \
    m17-lsf m17-stream nr-dci-blind wifi-ppdu; do
    head -c 20000 /dev/zero | head -c "$(wc -c <"conf/$(sed -n 's/.*source.file:.*path: \([^,]*\),.*/\1/p' conf/$file.yaml)")" >zeros
    run "$FECRUN" run --quiet conf/$file.yaml --set source.file.path="$PWD/zeros"
    is 0 "$file: zeros"
    says 'warning: source.file: (all frames failed|the first [0-9]+ items are all 0)' "are reported"
    head -c 100 "conf/$(sed -n 's/.*source.file:.*path: \([^,]*\),.*/\1/p' conf/$file.yaml)" >half
    run "$FECRUN" run --quiet conf/$file.yaml --set source.file.path="$PWD/half"
    says 'all frames failed, 1 of them|half: truncated or oversized: the file ends at byte 100, inside the frame' \
        "$file: half a frame"
    : >empty
    run "$FECRUN" run --quiet conf/$file.yaml --set source.file.path="$PWD/empty"
    says 'the recording is empty|1 items are all of .*empty' "$file: an empty file"
done
done_testing
