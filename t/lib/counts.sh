# SPDX-License-Identifier: BSD-2-Clause
# For shell tests that look at what runs count: . "$top_srcdir/t/lib/counts.sh", which brings t/lib/tap.sh.
. "$top_srcdir/t/lib/tap.sh"

# same WHAT GOT WANT
same() {
    tap_last="(see got and want)"
    [ "$2" = "$3" ]
    tap_check $? "$1"
    [ "$2" = "$3" ] || printf '%s\n' "got: $2" "want: $3" | sed 's/^/# /'
}

# pipeline STAGE...: a pipeline file.
pipeline() {
    printf 'fecrun: 1\npipeline:\n'
    printf '  - %s\n' "$@"
}

# fields NAME...: those of each point, a line a point, from result lines in JSON.
fields() {
    awk -v names="$*" '
        index($0, "\"type\":\"point\"") {
            n = split(names, name, " ")
            for (i = 1; i <= n; i++) {
                key = "\"" name[i] "\":"
                match($0, key "(\"[^\"]*\"|[^,}]*)")
                value = substr($0, RSTART + length(key), RLENGTH - length(key))
                gsub("\"", "", value)
                printf "%s%s", value, i < n ? " " : "\n"
            }
        }'
}

# run_fields NAMES ARGUMENT...: those fields of each point of `fecrun run ARGUMENT...`, where - as a
# file is a pipeline on standard input. A run that fails gives its status instead.
run_fields() {
    tap_names=$1
    shift
    tap_last="fecrun run $*"
    status=0
    "$FECRUN" run --quiet --json out "$@" 2>err || status=$?
    if [ "$status" = 0 ]; then
        fields "$tap_names" <out
    else
        echo "status $status: $(cat err)"
    fi
}

counts() { run_fields "frames bits bit_errors frame_errors" "$@"; }
