#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `fecrun plot`: what of result files is drawn, with which labels; errors. Pictures themselves are looked
# at by people; here gnuplot has to take the commands, where it is installed.
. "$top_srcdir/t/lib/tap.sh"

point() { # SCALE EBN0 FER LO HI BER
    printf '{"type":"point","set":{"llr.quantize.scale":%s,"channel.awgn.ebn0_db":%s},"ebn0_db":%s,"esn0_db":%s,"ber":%s,"fer":%s,"fer_lo":%s,"fer_hi":%s}\n' \
        "$1" "$2" "$2" "$(awk "BEGIN { print $2 - 3.0103 }")" "$6" "$3" "$4" "$5"
}
{
    echo '{"type":"run","pipeline":[{"modem.map":{"scheme":"bpsk"}}]}'
    point 1 3 0.1 0.08 0.12 1e-3
    point 1 2 0.5 0.4 0.6 1e-2
    point 8 2 0.25 0.2 0.3 5e-3
    point 8 3 0.0 0.0 0.004 0.0
    echo '{"type":"end","status":0}'
} >curves.json
sed 's/channel.awgn.ebn0_db/channel.awgn.esn0_db/g; s/"llr.quantize.scale":[18],//; 3,4d' curves.json >other.json
cat >bars.json <<'END'
{"type":"bench","stage":"viterbi.decode","backend":"cuda","batch":1,"device_gbps":0.5,"end_to_end_gbps":0.25,"latency_us":{"p50":50,"p99":60}}
{"type":"bench","stage":"viterbi.decode","backend":"cuda","batch":64,"device_gbps":20,"end_to_end_gbps":null,"latency_us":null}
END

# script FILE... [OPTION...]: gnuplot's commands in gp
script() { run "$FECRUN" plot "$@" --gp gp; }
has() { ok "$1" grep -Fq -e "$2" gp; }

script curves.json
is 0 "commands alone need no gnuplot"
ok "and nothing is drawn" [ ! -s out ]
has "a curve for each other value of the sweep" "title 'llr.quantize.scale = 1'"
has "the second one" "title 'llr.quantize.scale = 8'"
has "the axis" "set xlabel 'Eb/N0, dB'"
ok "points in the order of the axis" \
    [ "$(sed -n '/^\$s0/,/^EOD/p' gp | awk 'NF == 4 { printf "%s ", $1 }')" = "2 3 " ]
has "with their intervals" "2 5.000000e-01 4.000000e-01 6.000000e-01"
has "no errors: the upper end alone" "3 4.000000e-03"
has "which the axis has room for" "set yrange [0.001:1]"
script curves.json --ber --guides
has "bit errors: the interval of their frames" "2 1.000000e-02 8.000000e-03 1.200000e-02"
# C = R = 1/2 bit in a real dimension: 2 R Eb/N0 = 2^(2 R) - 1, so 0 dB
has "the Shannon limit of rate 1/2 in real samples: 0 dB" "Shannon limit, 0.5 bit a use' at first -0.0000"
has "and BPSK without a code" "BPSK without a code"
script curves.json other.json
has "several files: labels begin with theirs" "title 'curves: llr.quantize.scale = 1'"
has "one without another sweep has only that" "title 'other'"
script bars.json
has "bars: what they share is the title" "title 'viterbi.decode cuda'"
has "and the rest their names" '20 NaN NaN NaN "batch 64"'
cp curves.json "it's.json"
sed -i 's/"llr.quantize.scale":[18],//; 3,4d' "it's.json"
script "it's.json"
has "quotes in names" "title 'it''s'"

refuses 2 'a.gif: must end in .svg, .png, .pdf or .tex' plot curves.json -o a.gif
refuses 2 'cannot read none: No such file' plot none
refuses 2 'results of run and of bench do not go into one picture' plot bars.json curves.json
echo 'fecrun: 1' >bad.json
refuses 2 'bad.json:1: is no result file' plot bad.json
echo '{"type":"run"}' >bad.json
refuses 2 'bad.json: has nothing to draw' plot bad.json
echo '{"type":"point","set":{"a.b":3},"ber":0.1,"fer":0.1,"fer_lo":0.1,"fer_hi":0.2}' >bad.json
refuses 2 'bad.json: its axis is a.b, that of the others Eb/N0, dB' plot curves.json bad.json
echo '{"type":"point","set":{},"fer":null}' >bad.json
refuses 2 'bad.json: a point has no error rate' plot bad.json
refuses 2 'run: --guides belongs to plot' run --guides x.yaml
refuses 2 'needs RESULT.json' plot
PATH=/nowhere run "$FECRUN" plot curves.json
is 3 "without gnuplot: status 3"
says 'there is no gnuplot' "and why"

run "$FECRUN" plot curves.json -o a.tex
is 0 "pgfplots' text"
ok "with the data" grep -q '^2 5.000000e-01 1.000000e-01 1.000000e-01$' a.tex
ok "and what has no errors as a comment" grep -q '^% no errors at 3: below 4.000e-03$' a.tex

if command -v gnuplot >/dev/null 2>&1; then
    run "$FECRUN" plot curves.json --ber --guides -o a.svg
    is 0 "gnuplot takes the curves"
    ok "the picture is there" grep -q '</svg>' a.svg
    run "$FECRUN" plot bars.json -o b.svg
    is 0 "and the bars"
    echo old >c.svg
    mkdir bin
    printf '#!/bin/sh\nexit 1\n' >bin/gnuplot
    chmod +x bin/gnuplot
    PATH=$PWD/bin:$PATH run "$FECRUN" plot curves.json -o c.svg
    is 1 "a gnuplot that fails"
    ok "leaves the old picture and nothing else" [ "$(cat c.svg)" = old -a -z "$(ls | grep tmp)" ]
    run "$FECRUN" plot curves.json
    ok "on a terminal: text" grep -q 'llr.quantize.scale = 8' out
else
    skip 6 "no gnuplot"
fi
done_testing
