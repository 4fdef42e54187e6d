#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What the programs say of themselves, as manual pages and a page for each stage:
#
#     manual.sh BIN_DIR SOURCE_DIR OUT_DIR
set -eu
bin=$1 source=$2 out=$3
unset FECRUN_PLUGIN_PATH
mkdir -p "$out/stages"
version=$("$bin/fecrun" --version | sed 's/ (.*//')

escaped() { sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'"'"']\)/\\\&\1/'; }

# head NAME SECTION WORDS
head_of() {
    printf '.\\" Made from the output of --help and from doc/.\n'
    printf '.TH %s %s "" "%s" "fecrun"\n.SH NAME\n%s \\- %s\n' \
        "$(echo "$1" | tr '[:lower:]' '[:upper:]' | escaped)" "$2" "$version" "$(echo "$1" | escaped)" "$3"
}

# Lines of --help: "  --name VALUE   words" begins an option, deeper ones go on with it.
options() {
    awk '
        /^  -/ {
            sub(/^ +/, "")
            at = match($0, /  +/)
            if (!at && match($0, /^-[a-z-]+ [A-Z=:]+ [a-z]/)) { # a long name: one space only
                at = RLENGTH - 1
                RLENGTH = 1
            }
            print ".TP\n.B " (at ? substr($0, 1, at - 1) : $0)
            if (at)
                print words(substr($0, at + RLENGTH))
            next
        }
        /^      +/ { sub(/^ +/, ""); print words($0) }
        function words(text) { return text ~ /^[.]/ ? "\\&" text : text }' | sed 's/-/\\-/g'
}

verbs=$("$bin/fecrun" --help | awk '/^$/ { part++ } part == 1 && NF { print $1 }')

{
    head_of fecrun 1 "decoders of turbo, LDPC, convolutional and polar codes in pipelines"
    cat <<'END'
.SH SYNOPSIS
.B fecrun
.I VERB
[\fIargument\fR] [\fIoption\fR...]
.SH DESCRIPTION
Runs pipelines of stages that are written in YAML (\fBfecrun\-pipeline\fR(5)): one decoder on received
data, or a whole simulated link. The verbs and their options:
END
    for verb in $verbs; do
        "$bin/fecrun" "$verb" --help >"$out/help"
        echo ".SS \"$(sed -n '1s/^usage: //; 1s/ \[options\]$//p' "$out/help" | escaped)\""
        sed -n 2p "$out/help" | sed 's/^ *//' | escaped
        options <"$out/help"
    done
    cat <<'END'
.SH EXIT STATUS
.TP
0
done
.TP
1
failed while running, or stopped by a signal
.TP
2
the command line or the pipeline is wrong
.TP
3
a backend, plugin or device that was asked for by name is not available here
.TP
4
\fBcompare\fR found a difference that it was told not to accept, or a result that is not complete
.SH ENVIRONMENT
.TP
.B FECRUN_PLUGIN_PATH
directories of plugins, searched before the installed one, with colons between them
.TP
.B FECRUN_ISA
generic, avx2 or avx512: not more than this instruction set
.TP
.B FECRUN_SYSFS
empty: threads of several devices are not bound to the nodes near them; a directory: instead of /sys
.SH SEE ALSO
\fBfecrun\-pipeline\fR(5), \fBfecrun\-check\fR(1); the documents that are installed with the program, of
which \fIstages/\fR has a page for each stage.
END
} >"$out/fecrun.1"

{
    head_of fecrun-check 1 "tests of plugins for fecrun"
    "$bin/fecrun-check" --help >"$out/help"
    echo ".SH SYNOPSIS"
    sed -n '1s/^usage: //p' "$out/help" | escaped
    echo ".SH DESCRIPTION"
    awk 'NR > 2 && /^  -/ { exit } NR > 2' "$out/help" | sed '/^$/d' | escaped
    echo ".SH OPTIONS"
    sed '/^[A-Z_]*=/d' "$out/help" | options
    echo ".SH ENVIRONMENT"
    sed -n 's/^\([A-Z_]*=[^ ]*\) *\(.*\)/.TP\n.B \1\n\2/p' "$out/help" | sed 's/-/\\-/g'
    printf '.SH SEE ALSO\n\\fBfecrun\\fR(1)\n'
} >"$out/fecrun-check.1"

{
    head_of fecrun-pipeline 5 "pipeline files of fecrun"
    echo ".SH DESCRIPTION"
    awk -f "$source/tools/manual/man.awk" "$source/doc/pipeline.md"
    printf '.SH SEE ALSO\n\\fBfecrun\\fR(1)\n'
} >"$out/fecrun-pipeline.5"

# What is available is a matter of the machine, not of the stage.
for stage in $("$bin/fecrun" list | sed -n '/^stages/,/^devices/s/^  \([a-z]*\.[a-z_]*\) .*/\1/p'); do
    "$bin/fecrun" describe "$stage" |
        awk 'NR == 1 { print "# " $1 "\n" }
             { sub(/ \(not available: .*\)$/, ""); print $0 == "" ? "" : "    " $0 }' >"$out/stages/$stage.md"
done

rm -f "$out/help"
