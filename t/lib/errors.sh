# SPDX-License-Identifier: BSD-2-Clause
# What fecrun says of a pipeline, as tables (t/lib/table.sh): . "$top_srcdir/t/lib/errors.sh"
#
# PIPELINE is a function that prints a pipeline file. Its arguments are the columns of a row except the last one, which
# is what fecrun says.
. "$top_srcdir/t/lib/table.sh"

# refused STATUS PIPELINE <<TABLE: rows VALUE... | MESSAGE. `fecrun check p.yaml` ends with STATUS and says MESSAGE, word
# for word, and nothing else. A message that begins with a line's number is of p.yaml.
refused() { each_row tap_refused "$@"; }

tap_refused() {
    tap_told "$2"
    case $tap_message in
    [0-9]*) tap_message=p.yaml:$tap_message ;;
    esac
    run "$FECRUN" check p.yaml --quiet
    same "$1: $tap_message" "$status: $(cat err)" "$1: fecrun: $tap_message"
}

# warned PIPELINE <<TABLE: rows VALUE... | WARNING, of p.yaml. `fecrun check p.yaml` ends with 0 and says WARNING, word
# for word, and nothing else; `none` is nothing.
warned() { each_row tap_warned "$@"; }

tap_warned() {
    tap_told "$1"
    run "$FECRUN" check p.yaml
    tap_what="warning: $tap_message; $(echo "$tap_values" | tr "|" ,)"
    [ "$tap_message" != none ] || tap_message=
    same "$tap_what" "$status: $(cat err)" "0: ${tap_message:+fecrun: warning: p.yaml:$tap_message}"
}

# explained PIPELINE <<TABLE: rows VALUE... | PATTERN. A line that `fecrun explain p.yaml` prints matches (grep -E).
explained() { each_row tap_explained "$@"; }

tap_explained() {
    tap_told "$1"
    run "$FECRUN" explain p.yaml
    prints "$tap_message" "explain: $tap_message; $(echo "$tap_values" | tr "|" ,)"
}

# tap_told PIPELINE: makes p.yaml of the row, tap_values and tap_message.
tap_told() {
    tap_message=${tap_row##*|}
    tap_values=${tap_row%|*}
    tap_call "$tap_values" "$1" >p.yaml
}
