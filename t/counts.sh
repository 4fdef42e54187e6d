# SPDX-License-Identifier: BSD-2-Clause
# For tests in sh that look at the counts of runs: . "$top_srcdir/t/counts.sh"

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

checks=0
failures=0

# check DESCRIPTION COMMAND...: a point of the test, passed if the command succeeds.
check() {
    description=$1
    shift
    checks=$((checks + 1))
    if "$@"; then
        echo "ok $checks - $description"
    else
        echo "not ok $checks - $description"
        failures=$((failures + 1))
    fi
}

# same DESCRIPTION GOT WANT
same() {
    check "$1" [ "$2" = "$3" ]
    [ "$2" = "$3" ] || printf '%s\n' "got: $2" "want: $3" | sed 's/^/# /'
}

done_testing() {
    echo "1..$checks"
    [ "$failures" = 0 ]
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

# counts ARGUMENT...: "frames bits bit_errors frame_errors" of each point of `fecrun run ARGUMENT...`
# (- is a pipeline on standard input). A run that fails gives its status instead.
counts() {
    run_fields "frames bits bit_errors frame_errors" "$@"
}

# run_fields NAMES ARGUMENT...
run_fields() {
    names=$1
    shift
    "$FECRUN" run --quiet --json "$work/counts.json" "$@" >"$work/counts.out" || {
        echo "status $?"
        return
    }
    fields $names <"$work/counts.json"
}
