#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ldpc.rate_match and ldpc.rate_recover in pipelines: soft buffers through ports and files, blocks.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# ---- Known answers ----

# Words of other implementations (t/data/README.md); frames of packed bits are whole bytes.
vectors=0
while IFS=, read -r bg z fillers bits n frames msg cw rm e rv qm ncb; do
    [ -n "$rm" ] && [ "$bg" != bg ] || continue
    vectors=$((vectors + 1))
    code="bg: $bg, z: $z, fillers: $fillers"
    pipeline "source.file: {path: $T_DATA/nr_ldpc/$cw, kind: bits, dtype: packed, frame: $n}" \
        "ldpc.rate_match: {$code, e: $e, rv: $rv, qm: $qm, ncb: $ncb}" \
        'sink.file: {path: sent, dtype: packed}' >p.yaml
    run "$FECRUN" run p.yaml --quiet
    ok "$rm from the word" cmp sent "$T_DATA/nr_ldpc/$rm"
    pipeline "source.file: {path: $T_DATA/nr_ldpc/$msg, kind: bits, dtype: packed, frame: $bits}" \
        "ldpc.encode: {code: nr, $code}" \
        "ldpc.rate_match: {$code, e: $e, rv: $rv, qm: $qm, ncb: $ncb}" \
        'sink.file: {path: sent, dtype: packed}' >p.yaml
    run "$FECRUN" run p.yaml --quiet
    ok "$rm from the message" cmp sent "$T_DATA/nr_ldpc/$rm"
done <"$T_DATA/nr_ldpc/index.csv"
ok "$vectors vectors" [ $vectors = 22 ]

# Rate matching takes any bits of a code word's length, so no encoder is needed.
nr='bg: 2, z: 7, fillers: 30, ncb: 301'
send() { # RV E OPTION...: a transmission of `word` up to r$RV
    printf '  - %s\n' "ldpc.rate_match: {id: m$1, from: word, $nr, e: $2, rv: $1, qm: 2}" \
        "modem.map: {id: map$1, scheme: qpsk}" "channel.awgn: {id: noise$1, esn0_db: 1}" \
        "modem.demap: {id: demap$1}" "llr.quantize: {id: q$1, type: i8, scale: 8, max: 40}" \
        "ldpc.rate_recover: {id: r$1, $nr, rv: $1, qm: 2${3:+, $3}}"
}
file() { # SINK TRANSMISSION...: a pipeline file
    printf 'fecrun: 1\nseed: 9\nbatch: 7\nstop: {frames: 40}\npipeline:\n'
    printf '  - source.random: {id: word, bits: 350}\n'
    printf '%s\n' "$2" ${3:+"$3"}
    printf '  - %s\n' "$1"
}
to() { echo "sink.file: {path: $1, dtype: i2}"; }

# ---- Through ports ----

file "$(to first.npy)" "$(send 0 200)" >first.yaml
file "$(to second.npy)" "$(send 2 600)" >second.yaml
file "$(to both.npy)" "$(send 0 200)" "$(send 2 600 'harq_in: r0')" >both.yaml
for name in first second both; do
    run "$FECRUN" run $name.yaml --quiet
    is 0 "$name"
done

# sums A B C: is C the sum of A and B within +-127, but 127 at the fillers?
sums() {
    for name in "$@"; do
        tail -c +129 "$name" | od -An -v -td2 -w2 >"$name.txt"
    done
    paste "$1.txt" "$2.txt" "$3.txt" | awk '
        { s = $1 + $2; s = s > 127 ? 127 : s < -127 ? -127 : s; i = (NR - 1) % 350 }
        i >= 26 && i < 56 { s = 127 }
        s != $3 { bad = 1 }
        s == 0 { unsent++ }
        s != $1 && s != $2 && s != 127 && s != -127 { added++ }
        END { exit bad || NR != 350 * 40 || unsent < 40 * 49 || added < 1000 }'
}
ok "LLRs of two transmissions are added up" sums first.npy second.npy both.npy
for options in '--set batch=1' '--set batch=40 --threads 1' '--set in_flight=9'; do
    run "$FECRUN" run both.yaml --quiet $options --set sink.file.path=again.npy
    ok "the same: $options" cmp both.npy again.npy
done
run "$FECRUN" explain both.yaml
prints 'in   350 LLRs as i8, .*to .harq_in. from r0' "explain shows the port"
prints 'in   350 bits .*from word' "and the input from elsewhere"
prints 'out  350 LLRs as i8, .LLR. <= 127' "fillers have the largest value"

# ---- Through files ----

file "$(to first2.npy)" "$(send 0 200 'harq_out: soft.npy')" >one.yaml
# What the second run receives is a file, too: in a run that reads a soft buffer channels draw other
# values than through ports.
file "sink.file: {path: received.npy}" "$(send 2 600 | sed '/rate_recover/d')" >received.yaml
run "$FECRUN" run received.yaml --quiet --set stop.frames=41
is 0 "what the second run receives"
pipeline 'source.file: {path: received.npy, kind: llr, llr_scale: 8}' \
    "ldpc.rate_recover: {id: r2, $nr, rv: 2, qm: 2, harq_in: soft.npy, harq_out: soft2.npy}" \
    "$(to both2.npy)" >two.yaml
printf 'batch: 7\nstop: {frames: 40}\n' >>two.yaml
for options in '--set batch=1' '--set batch=40' '--set in_flight=9 --threads 3'; do
    rm -f ./*2.npy soft*.npy
    run "$FECRUN" run one.yaml --quiet $options
    is 0 "writing a soft buffer: $options"
    ok "what goes on is the same" cmp first.npy first2.npy
    run "$FECRUN" run two.yaml --quiet $options
    is 0 "adding to it, and writing what came out"
    ok "as through ports" cmp both.npy both2.npy
    [ -f want.npy ] || cp soft2.npy want.npy
    ok "the same file" cmp soft2.npy want.npy
done
ok "a row a frame, of the LLRs' type" grep -aq "'descr': '|i1'.*'shape': (40, 350)" soft.npy
tail -c +129 soft.npy | od -An -v -td1 -w350 >soft.txt
ok "fillers are 0 there" awk '{ for (i = 27; i <= 56; i++) bad += $i != 0 }
    END { exit bad || NR != 40 }' soft.txt
cp soft.npy inout.npy
run "$FECRUN" run two.yaml --quiet --set r2.harq_in=inout.npy --set r2.harq_out=inout.npy
ok "a file can replace itself" cmp inout.npy soft2.npy
# Types are widened, not cut.
file "sink.null: {}" "$(send 0 200)" | sed 's/type: i8, scale: 8, max: 40/type: i16, scale: 8/
    s/rv: 0, qm: 2}$/&/; s/\(rate_recover.*\)}/\1, harq_in: soft.npy, harq_out: wide.npy}/' >wide.yaml
run "$FECRUN" run wide.yaml --quiet
is 0 "i8 in the file, i16 at the input"
ok "gives i16" grep -aq "'descr': '<i2'.*'shape': (40, 350)" wide.npy
run "$FECRUN" explain two.yaml
prints '^r2: ref on host' "explain: a stage with files"

# Three runs of one file, one transmission each: the same frames, and noise of its own each time.
again='bg: 2, z: 16'
pipeline 'source.random: {bits: 160}' "ldpc.encode: {code: nr, $again}" \
    "ldpc.rate_match: {$again, e: 480, rv: 0}" 'modem.map: {scheme: qpsk}' \
    'channel.awgn: {esn0_db: -4}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 8}' \
    "ldpc.rate_recover: {id: r, $again, harq_out: sum.npy}" "ldpc.decode: {code: nr, $again}" \
    'sink.errors: {}' >again.yaml
printf 'stop: {frames: 100}\n' >>again.yaml
first=$(run_fields frame_errors again.yaml)
second=$(run_fields frame_errors again.yaml --set r.harq_in=sum.npy)
third=$(run_fields frame_errors again.yaml --set r.harq_in=sum.npy)
ok "each transmission helps: $first, $second, $third frame errors" \
    [ "$first" -gt 80 -a "$second" -lt 70 -a "$third" -lt 10 ]

# ---- Errors ----

refuses 2 'set r2.harq_in=r1: r1 is neither a stage in front of this one nor a file' \
    check two.yaml --set r2.harq_in=r1
sed 's/harq_in: r0/harq_in: r1/' both.yaml >kind.yaml
refuses 2 'kind.yaml:18:92: r2.harq_in: r1 is neither a stage in front of this one nor a file' \
    check kind.yaml
refuses 2 'r2.harq_in=first.yaml: .*first.yaml holds no .npy array of LLRs' \
    check two.yaml --set r2.harq_in=first.yaml
sed 's/z: 7/z: 8/; s/bits: 350/bits: 400/' two.yaml >shape.yaml
refuses 2 'r2.harq_in: .*soft.npy has 350 LLRs a frame; the word has 400' check shape.yaml
refuses 1 'r2.harq_in: .*soft.npy has only 40 frames, but frame 40 ' \
    run two.yaml --quiet --set stop.frames=41
ok "what was there stays" cmp soft2.npy want.npy
ok "and no temporary file" [ -z "$(find . -name '*.tmp')" ]
refuses 1 'r0.harq_out=.*nowhere/soft.npy: ' run one.yaml --set r0.harq_out=nowhere/soft.npy
refuses 2 'r0.harq_out=-: standard output is raw' check one.yaml --set r0.harq_out=-
refuses 2 'r2.harq_out=-: standard output is raw' check both.yaml --set r2.harq_out=-
{ sed 's/sink.file.*/sink.null: {}/' one.yaml; echo 'sweep: {noise0.esn0_db: [1, 2]}'; } >sweep.yaml
refuses 2 'sweep.yaml:12:.* r0: cannot be part of a sweep' check sweep.yaml
sed 's/harq_in: r0/harq_in: m0/' both.yaml >kind.yaml
refuses 2 'kind.yaml:.* r2: input .harq_in. takes LLRs, but m0 gives bits' check kind.yaml
sed 's/harq_in: r0/harq_in: q0/' both.yaml >size.yaml
refuses 2 'size.yaml:.* r2.harq_in: has 200 LLRs a frame; the code word has 350' check size.yaml
refuses 2 'r2.harq_in: has 4 units per natural LLR and the input 8' \
    check both.yaml --set q0.scale=4
{ cat both.yaml; echo 'sweep: {r2.harq_in: [r0, q0]}'; } >sweep.yaml
refuses 2 'sweep.yaml:20:.* r2.harq_in links stages and cannot change' check sweep.yaml
truncate -s -1 soft.npy
refuses 2 'r2.harq_in: .*soft.npy: truncated .npy file: it ends at byte 14127' check two.yaml

# ---- blocks ----

cat >users.csv <<END
cell,user,count,bits,bg,z,fillers,e,rv,qm
1,a,2,1056,1,16,0,600,0,2
1,b,1,500,2,10,7,400,2,4
2,a,3,500,2,10,7,1400,3,1
END
cat >users.yaml <<END
fecrun: 1
blocks: users.csv
pipeline:
  - source.random: {id: word}
  - ldpc.rate_match: {}
  - channel.bsc: {p: 0.05}
  - llr.quantize: {scale: 4}
  - ldpc.rate_recover: {}
  - sink.null: {}
stop: {frames: 30}
END
same "frames of different sizes" "$(run_fields frames users.yaml)" 30

# users PATTERN EDIT: what is wrong with the CSV after the edit
users() {
    sed "$2" users.csv >bad.csv
    sed 's/users.csv/bad.csv/' users.yaml >bad.yaml
    refuses 2 "^fecrun: $1" check bad.yaml
}
users 'bad.csv:1:27: blocks: no stage .* size parameter .filers. .did you mean fillers' \
    's/fillers/filers/'
users 'bad.csv:1:35: blocks: no stage .* size parameter .size.; there are bits, bg,' 's/,e,/,size,/'
users 'bad.csv:3:13: ldpc.rate_match.z: 17 is none .* 16 and 18' 's/2,10,7,400/2,17,7,400/'
users 'bad.csv:3:11: ldpc.rate_match.bg: must be an integer from 1 to 2, is .3.' \
    's/2,10,7,400/3,10,7,400/'
users 'bad.csv:3:18: ldpc.rate_match.e: must be an integer from 1 to 268435456 bits, is .0.' \
    's/,400,/,0,/'
users 'bad.csv:3:18: ldpc.rate_match.e: is 402, which is no multiple of qm = 4' 's/,400,/,402,/'
users 'bad.csv:3:22: ldpc.rate_match.rv: must be an integer from 0 to 3, is .4.' \
    's/400,2,4/400,4,4/'
users 'bad.csv:3:24: ldpc.rate_match.qm: is 3; 1 .no interleaving., 2, 4, 6 or 8' \
    's/400,2,4/400,2,3/'
users 'bad.csv:3:16: ldpc.rate_match.fillers: is 80; .* at most 79' 's/10,7,400/10,80,400/'
users 'bad.csv:3:24: blocks.qm: must be an integer, is .x.' 's/400,2,4/400,2,x/'
users 'bad.csv:3:1: ldpc.rate_match: the input has 510 bits .* z = 10 has 500' 's/b,1,500/b,1,510/'
users 'bad.csv:3:1: blocks.qm: the row has 9 columns' 's/,400,2,4/,400,2/'
users 'bad.yaml:5:5: ldpc.rate_match.e: must be given' 's/,[^,]*\(,[^,]*,[^,]*\)$/\1/'

# Soft buffers in a file are rows of one length.
sed 's/rate_recover: {}/rate_recover: {harq_out: users.npy}/' users.yaml >soft.yaml
refuses 1 'ldpc.rate_recover.harq_out: the words have 1056 and 500 LLRs' run soft.yaml
sed 2d users.csv >same.csv
sed 's/users.csv/same.csv/' soft.yaml >same.yaml
run "$FECRUN" run same.yaml --quiet
is 0 "blocks with words of one length"
ok "write them all" grep -aq "'shape': (30, 500)" users.npy
done_testing
