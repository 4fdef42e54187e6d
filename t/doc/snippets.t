#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Blocks of README.md and doc/*.md that people copy: pipelines pass `fecrun check`, stages and keys of others are
# read, commands of fecrun run (with few frames), C compiles. Python is that of python/tests/test_snippets.py. A block
# that is none of these has to be named below, so that a new one is not left out by mistake.
. "$top_srcdir/t/lib/tap.sh"
[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "documents are the same with a sanitizer"
without_cuda

# What is no code: outputs, formulas, layouts. FILE and the first words of the block.
cat >shown <<'END'
README.md Eb/N0 dB
commands.md wrong symbols
core.md registry_open()
core.md file --pipeline
core.md base
cuda.md batch: N frames
cuda.md viterbi.decode or a stage
doctor.md llr.quantize.out:
embedding.md source.memory.frame
journal.md J/pipeline.json:
journal.md fecrun: channel.awgn
journal.md J/a.jsonl:12
ldpc.md q_j =
new-code.md 24 12 20
new-code.md noinst_LTLIBRARIES
new-code.md pluginexec_LTLIBRARIES
pipeline.md cell,user
pipeline.md fecrun: warning
pipeline.md p.yaml:11
turbo.md L = ln
turbo.md sum of
END

# blocks FILE: writes NNN.KIND of it to blocks/. A blank line ends a block of pipelines, not one of other code.
blocks() {
    awk -v name="$(basename "$1")" '
        function kind(first) {
            sub(/^ +/, "", first)
            if (first ~ /^fecrun: 1/) return "yaml"
            if (first ~ /^- [a-z]+\.[a-z_]+/) return "stages"
            if (first ~ /^(sweep|blocks|let):/) return "keys"
            if (first ~ /^((\.\/bootstrap|(build\/)?fecrun(-check)?) |make|cd|cc|pip|apt-get|mpirun|sbatch|receiver|export|FECRUN_ISA=|CUDA_VISIBLE_DEVICES=|dpdk-test|pkg-config|t\/|compute-sanitizer|cmake)/) return "sh"
            if (first ~ /^(import|from) [a-z]/ || name ~ /^(python|quantum)\.md$/) return "py"
            if (name ~ /^(embedding|plugin-guide|libfec)\.md$/) return "c"
            return "other"
        }
        function close_block() {
            while (n && line[n] == "") n--
            if (n) {
                file = sprintf("blocks/%s.%04d.%s", name, start, kind(line[1]))
                printf "" >file
                for (i = 1; i <= n; i++) print line[i] >file
                close(file)
            }
            n = 0
        }
        /^(    |\t)/ && (blank || n) {
            text = substr($0, 5)
            if (n && blank && (kind(line[1]) !~ /^(c|py|other)$/ || kind(text) ~ /^(yaml|stages)$/)) close_block()
            if (!n) start = FNR
            line[++n] = text
            blank = 0
            next
        }
        /^[ \t]*$/ { if (n) line[++n] = ""; blank = 1; next }
        { close_block(); blank = 0 }
        END { close_block() }' "$1"
}
mkdir blocks
for file in "$top_srcdir"/README.md "$top_srcdir"/doc/*.md; do
    [ "$(basename "$file")" = recipes.md ] || blocks "$file" # which has a test of its own
done
of() { ls blocks | grep "\.$1\$"; }

# ---- Pipelines ----

# Files of the examples that a check looks at.
head -c 200000 /dev/zero >zeros
head -c 12750 zeros >blocks/words
cp blocks/words blocks/marks
cp "$top_srcdir/t/data/quantum/surface3.dem" blocks/surface.dem
for block in $(of yaml); do # a program's memory stands for a file here
    sed 's/source.memory: *{\(.*\)}/source.file: {path: soft.i8, kind: llr, \1}/; s/, llr_max: [0-9]*//
         s/sink.memory: *{/sink.file: {path: out.u1, /; s/, space: device//' blocks/$block >whole
    frame=$(sed -n 's/.*source.memory.* frame: \([0-9]*\).*/\1/p' blocks/$block)
    if [ "$frame" ]; then
        cp whole blocks/$block.yaml
        head -c "$frame" zeros >blocks/soft.i8
    else
        cp blocks/$block blocks/$block.yaml
        cp zeros blocks/soft.i8
    fi
    run "$FECRUN" check blocks/$block.yaml
    # A file of the reader's that only he has: what stands there was read until then.
    [ "$status" = 0 ] || grep -Eq 'source.file.path: .*shots\.npy: .*No such file' err
    tap_check $? "$block passes fecrun check"
done

# ---- Stages ----

# Some of a pipeline: every stage by itself is known, with its parameters and their values. What arrives is none of
# its business: refusals about frames and links do not count.
amiss='unknown stage|no such parameter|must be|unknown parameter|has no |expected|is no |not a |did you mean|YAML|mapping'
for block in $(of stages); do
    grep -v '^ *\.\.\.$' blocks/$block | sed 's/^ *- //; s/, \.\.\.}/}/' >stages
    bad=
    while read -r stage; do
        case $stage in
        source.*) printf 'fecrun: 1\npipeline:\n  - %s\n  - sink.null: {}\n' "$stage" ;;
        *) printf 'fecrun: 1\npipeline:\n  - source.random: {bits: 64}\n  - %s\n  - sink.null: {id: zz}\n' "$stage" |
            sed 's/from: [a-z.]*, *//; s/, *from: [a-z.]*//; s/{from: [a-z.]*}/{}/' ;;
        esac >stage.yaml
        run "$FECRUN" check stage.yaml
        case $stage in my.*) continue ;; esac # the reader's own
        ! grep -Ev 'feeds the next|bits a frame|input|must be given|is needed|is no stage of this file|that only the last stage can' err | grep -Eq "$amiss" || bad="$bad $(head -n 1 err)"
    done <stages
    [ -z "$bad" ]
    tap_check $? "$block: stages and parameters are there$bad"
done

# ---- Keys ----

cat >base <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 40}
  - turbo.encode: {}
  - modem.map: {scheme: qpsk}
  - channel.awgn: {ebn0_db: 3}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 8}
  - turbo.decode: {}
  - sink.errors: {}
stop: {frames: 20}
END
for block in $(of keys); do
    { cat base; cat blocks/$block; } >keys.yaml
    if grep -q '^let' blocks/$block; then
        { echo 'fecrun: 1'; grep '^let' blocks/$block; sed '/^fecrun/d; s/{bits: 40}/{bits: $k}/; s/turbo.decode: {}/turbo.decode: {iterations: $turns}/' base
            grep '^sweep' blocks/$block; } >keys.yaml
    elif grep -q ' m: ' blocks/$block; then
        { echo 'fecrun: 1'; cat blocks/$block; printf '%s\n' 'pipeline: [source.random, bch.encode: {}, bch.decode: {}, sink.errors]'; } >keys.yaml
    elif grep -q '^blocks' blocks/$block; then
        { sed 's/{bits: 40}/{}/; s/- turbo.encode: {}/&\n  - turbo.rate_match: {k: 40}/; s/- turbo.decode/- turbo.rate_recover: {}\n  &/' base
            cat blocks/$block; } >keys.yaml
    fi
    run "$FECRUN" check keys.yaml
    is 0 "$block is read"
done

# ---- Commands ----

mkdir -p bin work/doc
ln -s "$(cd "$(dirname "$FECRUN")" && pwd)/fecrun" bin/fecrun
PATH=$PWD/bin:$PATH FECRUN_PLUGIN_PATH=$PLUGINS
export PATH FECRUN_PLUGIN_PATH
cp -r "$top_srcdir/conf" work/conf
ln -s "$(cd "$top_srcdir" && pwd)/t" work/t
chmod -R u+w work
cat >work/FILE <<'END'
fecrun: 1
pipeline: [source.random: {bits: 200}, conv.encode: {code: ieee80211}, modem.map: {scheme: bpsk},
    channel.awgn: {ebn0_db: 2}, modem.demap: {}, llr.quantize: {type: i8, scale: 8},
    viterbi.decode: {code: ieee80211}, sink.errors: {}]
sweep: {channel.awgn.ebn0_db: [0, 1, 2]}
stop: {frames: 9000}
END
cp work/FILE work/FILE.yaml
cp work/FILE work/f.yaml
sed 's/\[0, 1, 2\]/[1]/' work/FILE >work/mine.yaml
sed 's/modem.map/conv.puncture: {pattern: ["110", "101"]}, &/; s/viterbi.decode/conv.depuncture: {}, &/' work/FILE >work/punctured.yaml
(cd work && fecrun run FILE --quiet --json a.json && fecrun run f.yaml --quiet --json b.json &&
    fecrun bench FILE.yaml --stage-only --batches 1 --json bench.json) >/dev/null 2>&1
head -c 41020 /dev/zero >work/llrs

# Commands of a block, one a line, with few frames and short times, and without what only a cluster or a device has.
commands() {
    sed -e ':a' -e '/\\$/{N; s/\\\n *//; ba' -e '}' "$1" | sed 's/  *# .*//; s/  *#$//' |
        sed 's/^receiver | \(.*\)/\1 <llrs/; s/^mpirun .* fecrun/fecrun/; s/^CUDA_VISIBLE_DEVICES= /env &/; s/^FECRUN_ISA=/env &/
             s,^build/fecrun,fecrun,; s/stop.frames=[0-9]*/stop.frames=20/; s/POINT:FRAME/0:1/; s,I/N,0/2,; s/2:8731/2:8/; s/DIR\.\.\./DIR/
             s/FILE.yaml \(.*conv.depuncture\)/punctured.yaml \1/
             s/--seconds 60/--seconds 0.2/'
}
# few COMMAND: with an end that comes soon
few() {
    case $1 in
    *--replay* | *--journal* | *stop.frames* | *pipe.yaml* | *noisy* | *recording* | *differ/*) echo "$1" ;;
    'fecrun run --preset'*) echo "$1 --sweep channel.awgn.esn0_db=20 --set stop.frames=4" ;;
    'fecrun run '* | 'env '*'fecrun run '* | 'fecrun compare '*) echo "$1 --set stop.frames=20" ;;
    'fecrun bench '*--latency*--seconds*) echo "$1" ;;
    'fecrun bench '*--latency*) echo "$1 --seconds 0.2" ;;
    *) echo "$1" ;;
    esac
}
for block in $(of sh); do
    commands blocks/$block >lines
    grep -E '^(fecrun|env .*fecrun) ' lines >fecrun_lines || :
    while read -r line; do
        case $line in
        *cuda:all* | *cuda:0,2* | *cuda:1*) continue ;; # several devices: tests of run/fleet have doubles of them
        *'sync receiver'*) continue ;; # t/tools/sync.t
        *'compare differ/'*) continue ;; # of frames that differ, which there are none: t/tools/compare.t
        *conf/mycode.yaml*) continue ;; # the reader's
        *new-plugin*) rm -rf work/mycode ;;
        esac
        few "$line" >command
        tap_last=$(cat command)
        status=0
        (cd work && timeout 300 sh ../command) >out 2>err </dev/null || status=$?
        case $line in *cuda*) [ "$status" = 0 ] || [ "$status" = 3 ] ;; *) [ "$status" = 0 ] ;; esac
        tap_check $? "$block: $line"
    done <fecrun_lines
done

# Commands of others: what they name in the tree is there.
for block in $(of sh); do
    commands blocks/$block | tr '&|;' '\n\n\n' | sed 's/^ *//' >lines
    sed -n 's,^\(build/\)*\./bootstrap \([a-z-]*\).*,\2,p' lines | while read -r word; do
        grep -Eq "(^|[ |])$word( *\||\))" "$top_srcdir/bootstrap" || echo "bootstrap $word"
    done >lost
    sed -n 's/.*TESTS=.\([^'\'']*\).*/\1/p' lines | tr ' ' '\n' | while read -r test; do
        [ -z "$test" ] || [ -e "$top_srcdir/$test" ] || [ -e "$top_srcdir/$test.c" ] || echo "$test"
    done >>lost
    [ ! -s lost ]
    tap_check $? "$block: commands of the tree are there $(paste -s -d ' ' lost)"
done

# ---- C ----

cat >before.h <<'END'
#include <fecrun/fecrun.h>
#include <fecrun/plugin.h>
#include <fecrun/sdk/stage.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
END
cat >inside.h <<'END'
extern const char *text; extern struct fecrun_prepare_options options;
extern int8_t llrs[4096]; extern uint8_t bits_[4096], symbols[9], data[9]; extern size_t frames, items; extern int end;
extern void *vp; extern unsigned nbits, endstate; extern const uint64_t times;
int report(const char *); void receive(void *); void use(const void *, uint64_t); void ask_again(void);
int decode_viterbi27_many(void *, unsigned char *, unsigned char *, unsigned, unsigned, int);
struct mycode_code { uint64_t times; };
END
for block in $(of c); do
    sed 's/, \.\.\.)/)/; s/^ *\.\.\.$//' blocks/$block >text
    if grep -Eq '^FECRUN_(INT|FLOAT|PARAM|EXAMPLE|OLD|BACKEND)' text; then
        grep -v '\.old_names = *$\|= \.\.\.' text | sed 's/^\(.*)\).*$/\1/' >entries
        awk -v n=0 '{ type = /EXAMPLE/ ? "fecrun_example" : /OLD_CHOICE/ ? "fecrun_old_choice" : "fecrun_param"
            printf "const struct %s *const entry%d[] = {%s, 0};\n", type, n++, $0 }' entries >body
        { cat before.h; cat body; } >block.c
    else
        { cat before.h inside.h
            echo 'int block(struct fecrun_prepared *prepared, struct fecrun_session *session, struct fecrun_message message, uint8_t *bits,'
            echo '    const struct fecrun_call *call, const struct fecrun_view *const in_[], struct fecrun_view *const out_[], struct fecrun_error *err, struct fecrun_list *list);'
            echo 'int block(struct fecrun_prepared *prepared, struct fecrun_session *session, struct fecrun_message message, uint8_t *bits,'
            echo '    const struct fecrun_call *call, const struct fecrun_view *const in_[], struct fecrun_view *const out_[], struct fecrun_error *err, struct fecrun_list *list) {'
            if grep -q 'fecrun_frame_copy\|channel_bits\|->items' text; then
                echo 'const struct fecrun_frame **in = (void *)in_; struct fecrun_frame **out = (void *)out_;'
            else
                echo 'const struct fecrun_view *const *in = in_; struct fecrun_view *const *out = out_;'
            fi
            echo '{'
            cat text
            awk '{ n += gsub(/{/, "{") - gsub(/}/, "}") } END { while (n-- > 0) print "}" }' text
            echo '} return 0; }'; } >block.c
    fi
    tap_last="$CC -fsyntax-only"
    status=0
    $CC -std=c11 -Werror=implicit-function-declaration -Werror=incompatible-pointer-types -Werror=int-conversion -I"$top_srcdir/core/include" -I"$top_builddir/include" \
        -fsyntax-only block.c >out 2>err || status=$?
    is 0 "$block compiles"
done

# ---- The others ----

for block in $(of other); do
    name=${block%%.md.*}.md
    known=no
    while read -r file words; do
        [ "$file" != "$name" ] || ! head -n 1 blocks/$block | sed 's/^ *//; s/  */ /g' | grep -Fq -e "$words" || known=yes
    done <shown
    [ $known = yes ]
    tap_check $? "$block shows something"
done
ok "there are many blocks" [ "$(ls blocks | wc -l)" -gt 100 ]
done_testing
