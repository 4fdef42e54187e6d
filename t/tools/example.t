#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fecrun example: a line for each installed file of conf/, and copies of them.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

run "$FECRUN" example
is 0 "example"
sed -n 's/^\([a-z0-9-]*\): [^ ].*/\1/p' out | sort >listed
sed '/^# Those that read/,$d' "$top_srcdir/conf/local.mk" | sed -n 's/^.*%D%\/\(.*\)\.yaml.*/\1/p' | sort >installed
ok "lists all $(wc -l <installed) of them, with some words" cmp listed installed
prints '^ldpc-nr: One 5G NR code block, as long as they get' "what a file says of itself"
run env COLUMNS=60 "$FECRUN" example
ok "within the terminal" awk 'length > 60 { exit 1 }' out
for name in $(cat installed); do
    "$FECRUN" example "$name" --quiet && cmp "$name.yaml" "$CONF/$name.yaml" || echo "$name"
done >wrong 2>&1
ok "copies are the files: $(head -n 1 wrong)" [ ! -s wrong ]
rm quickstart.yaml
run "$FECRUN" example quickstart
is 0 "example quickstart"
prints '^quickstart\.yaml$' "says what it has written"
run "$FECRUN" run quickstart.yaml --set stop.frames=10
is 0 "which runs"
echo mine >quickstart.yaml
refuses 2 'example: quickstart.yaml: exists already' example quickstart
ok "a file that is there stays as it is" [ "$(cat quickstart.yaml)" = mine ]
rm -f recording.sigmf-meta
run "$FECRUN" example recording.sigmf-meta
is 0 "a file that an example reads"
ok "... is copied under its name" cmp recording.sigmf-meta "$CONF/recording.sigmf-meta"
refuses 2 'example: no example .quikstart. \(did you mean quickstart\?\); fecrun example lists them' example quikstart
refuses 2 'example: one argument only' example quickstart hard
refuses 2 'no example .\.\./x' example ../x
done_testing
