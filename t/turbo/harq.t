#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# turbo.rate_recover in pipelines: soft buffers through ports and files.
. "$top_srcdir/t/lib/harq.sh"

family=turbo word=324 rate='k: 104, fillers: 9, ncb: 300' known='0-8 108-116' second=700 unsent=40
other='s/k: 104/k: 112/' other_word=348
harq_ports
harq_files

# Two runs of one file, one transmission each: the same frames, and noise of its own each time.
pipeline 'source.random: {bits: 104}' 'turbo.encode: {}' 'turbo.rate_match: {e: 240}' \
    'modem.map: {scheme: qpsk}' 'channel.awgn: {esn0_db: -3}' 'modem.demap: {}' \
    'llr.quantize: {type: i8, scale: 8}' 'turbo.rate_recover: {id: r, k: 104, harq_out: sum.npy}' \
    'turbo.decode: {}' 'sink.errors: {}' >again.yaml
printf 'stop: {frames: 100}\n' >>again.yaml
once=$(run_fields frame_errors again.yaml)
twice=$(run_fields frame_errors again.yaml --set r.harq_in=sum.npy)
ok "the second transmission helps: $once and $twice frame errors" \
    [ "$once" -gt 80 -a "$twice" -lt 60 ]

harq_errors

# ---- blocks ----
cat >users.csv <<END
cell,user,count,bits,k,e
1,a,2,324,104,300
1,b,1,132,40,200
2,a,3,132,40,100
END
cat >users.yaml <<END
fecrun: 1
blocks: users.csv
pipeline:
  - source.random: {id: word}
  - turbo.rate_match: {}
  - channel.bsc: {p: 0.05}
  - llr.quantize: {scale: 4}
  - turbo.rate_recover: {}
  - sink.null: {}
stop: {frames: 30}
END
same "frames of different sizes" "$(run_fields frames users.yaml)" 30
harq_blocks 324 132

# ---- What it is for: the redundancy versions of LTE in turn ----
retries() { # RV...: wrong frames of 200 after these transmissions
    printf 'fecrun: 1\nseed: 3\nstop: {frames: 200}\npipeline:\n'
    printf '  - source.random: {bits: 1024}\n  - turbo.encode: {id: word}\n'
    last=
    for rv in "$@"; do
        printf '  - %s\n' "turbo.rate_match: {id: m$rv, from: word, e: 1536, rv: $rv}" \
            "modem.map: {id: map$rv, scheme: qpsk}" "channel.awgn: {id: noise$rv, esn0_db: -1}" \
            "modem.demap: {id: demap$rv}" "llr.quantize: {id: q$rv, type: i8, scale: 8}" \
            "turbo.rate_recover: {id: r$rv, k: 1024, rv: $rv${last:+, harq_in: r$last}}"
        last=$rv
    done
    printf '  - %s\n' "turbo.decode: {}" 'sink.errors: {}'
}
once=$(retries 0 | run_fields frame_errors -)
twice=$(retries 0 2 | run_fields frame_errors -)
four=$(retries 0 2 3 1 | run_fields frame_errors -)
echo "# wrong frames of 200 after one, two and four transmissions: $once $twice $four"
[ "$once" = 200 ] && [ "$twice" -lt 200 ] && [ "$four" = 0 ]
tap_check $? "each transmission adds to what the ones before it told"
done_testing
