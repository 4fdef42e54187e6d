#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# keep.sh TARGETS CORPORA...: what fuzzing found becomes the project's own. Of the inputs of all CORPORA,
# which have a directory a target (campaign.sh), and of those in grown/ those few that together reach all
# that they reach are written to grown/, an archive a target. PLUGINS as for campaign.sh.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
targets=$(cd "$1" && pwd)
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$here/grown"

for name in ${NAMES:-alist blocks conf dem journal npy plan qc result samples set sigmf}; do
    mkdir -p "$work/$name" "$work/old"
    [ ! -f "$here/grown/$name.tar" ] || tar -xf "$here/grown/$name.tar" -C "$work/old"
    from="$work/old"
    for corpora; do [ ! -d "$corpora/$name" ] || from="$from $corpora/$name"; done
    "$targets/$name" -set_cover_merge=1 "$work/$name" $from >"$work/log" 2>&1 || { tail "$work/log"; exit 1; }
    # the short ones: all of them are replayed by each `make check`
    (cd "$work/$name" && ls -rS | tail -n +"$((${MOST:-250} + 1))" | xargs -r rm)
    tar --format=ustar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf "$here/grown/$name.tar" \
        -C "$work/$name" .
    echo "$name: $(ls "$work/$name" | wc -l) inputs, $(wc -c <"$here/grown/$name.tar") bytes"
    rm -rf "$work/old"
done
