#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Ten gigabytes of LLRs through a shell pipe, in bounded memory (FECRUN_LONG_BYTES: another size).
. "$top_srcdir/t/lib/tap.sh"
without_cuda

[ -r /proc/self/status ] || skip_all "no /proc"
[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "a sanitizer needs memory of its own"
bytes=${FECRUN_LONG_BYTES:-10000000002}

cat >noise.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 4096, stream: true}
  - conv.encode: {code: ieee80211, termination: continuous}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 4}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 2, max: 10}
  - sink.file: {path: noise, format: raw}
stop: {frames: 1000}
END
cat >decode.yaml <<END
fecrun: 1
pipeline:
  - source.file: {path: "-", kind: llr, dtype: i1, frame: 0, llr_max: 10}
  - viterbi.decode: {code: ieee80211, termination: continuous}
  - sink.file: {path: "-", dtype: packed}
END
run "$FECRUN" run noise.yaml --quiet
is 0 "noisy LLRs: $(wc -c <noise) bytes"
mkfifo in
"$FECRUN" run decode.yaml --json r.json --quiet <in 2>err | wc -c >size &
while cat noise; do :; done 2>/dev/null | head -c "$bytes" >in &
peak=0 tap_last='fecrun run decode.yaml'
sleep 1
pid=
for dir in /proc/[0-9]*; do
    [ "$(readlink "$dir/cwd" 2>/dev/null)" = "$T" ] &&
        grep -q "^$FECRUN" "$dir/cmdline" 2>/dev/null && pid=${dir#/proc/}
done
ok "it runs" [ -n "$pid" ]
while kill -0 "${pid:-none}" 2>/dev/null; do
    now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status" 2>/dev/null)
    [ "${now:-0}" -le $peak ] || peak=$now
    sleep 0.2
done
wait
ok "no message" [ ! -s err ]
prints_in() { grep -q "$1" r.json; }
ok "all bits" prints_in "\"bits\":$((bytes / 2)),"
ok "ends at the end" prints_in '"stop":"end"'
ok "all bits came out" [ "$(cat size)" -eq $(((bytes / 2 + 7) / 8)) ]
echo "# $(sed -n 's/.*"seconds":\([0-9.]*\).*/\1/p' r.json) s, peak of resident memory: $peak KiB"
ok "in less than 200 MB: $((peak / 1000)) MB" [ $peak -gt 0 ] && [ $peak -lt 200000 ]
done_testing
