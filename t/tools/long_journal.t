#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Two hundred kills of four shards, a full disk and a cut file: the counts are those of one thread.
. "$top_srcdir/t/lib/counts.sh"
. "$top_srcdir/t/lib/kills.sh"
without_cuda

viterbi_link 'scale: 4' '1, 3, 3.5, 4, 4.5' 'frame_errors: 1500' >v.yaml
all='frames bits bit_errors frame_errors ber_lo ber_hi stop'
want=$(run_fields "$all" v.yaml --threads 1)

# points that a rule has ended
complete() { "$FECRUN" merge kill --quiet --json - 2>/dev/null | grep -c '"stop":"frame_errors"'; }
kill_shards 100 v.yaml kill 1000
echo "# after 100 kills: $(complete) of 5 points complete, $(cat kill/*.jsonl | grep -c first) ranges"
fill_disk v.yaml kill
ok "on a full disk each ends with status 1" [ "$(sort -u full.status)" = 1 ]
cut_journal kill
kill_shards 100 v.yaml kill 1000
lines=$(cat kill/*.jsonl | wc -l)
files=$(ls kill/*.jsonl | wc -l)
echo "# after 200 kills: $files files, $lines lines, $(complete) of 5 points complete, $(cat kill/*.jsonl | grep -c first) ranges"
end_shards v.yaml kill
ok "left alone they end well" [ "$ended" = 0 ]
"$FECRUN" merge kill --quiet --json out 2>err
same "with the counts of one thread" "$(fields "$all" <out)" "$want"
ok "and nothing was said of it" [ ! -s err ]
done_testing
