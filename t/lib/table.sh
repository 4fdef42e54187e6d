# SPDX-License-Identifier: BSD-2-Clause
# For tests that are tables: . "$top_srcdir/t/lib/table.sh", which brings t/lib/counts.sh.
#
# A table is a here-document. A row is a line: columns between bars. Blanks around bars do not count, empty lines
# and lines that begin with # are left out, and a line that ends in \ goes on in the next one, whose first blanks do not count.
. "$top_srcdir/t/lib/counts.sh"

tap_rows() {
    awk '
        line == "" && /^[ \t]*(#|$)/ { next }
        {
            sub(/^[ \t]+/, "")
            open = sub(/\\$/, "")
            line = line $0
            if (open)
                next
            gsub(/[ \t]*\|[ \t]*/, "|", line)
            sub(/[ \t]+$/, "", line)
            print line
            line = ""
        }
        END { if (line != "") print line }'
}

# each_row FUNCTION ARGUMENT...: calls FUNCTION ARGUMENT... COLUMN... for each row on standard input. Empty columns at
# the end of a row may be left out. A table without rows is a failure.
each_row() {
    tap_rows >table
    tap_last="each_row $*"
    [ -s table ] || tap_check 1 "a table has rows"
    while IFS= read -r tap_row <&3; do
        tap_call "$tap_row" "$@"
    done 3<table
}

# tap_call ROW FUNCTION ARGUMENT...
tap_call() {
    tap_columns=$1
    shift
    set -f
    IFS='|'
    # shellcheck disable=SC2086 # the bars split it
    set -- "$@" $tap_columns
    unset IFS
    set +f
    "$@" 3<&-
}

# each_line FILE FUNCTION ARGUMENT...: calls FUNCTION ARGUMENT... for each line of a CSV file; variables with the names
# of its header have the values of the line.
each_line() {
    tap_csv=$1
    shift
    IFS= read -r tap_names <"$tap_csv"
    tap_lines=0
    while IFS= read -r tap_row <&4; do
        [ "$tap_lines" != 0 ] || { tap_lines=1; continue; }
        tap_lines=$((tap_lines + 1))
        echo "$tap_row" >csv_line
        eval "IFS=, read -r $(echo "$tap_names" | tr , ' ')" <csv_line
        "$@" 4<&-
    done 4<"$tap_csv"
    [ "$tap_lines" -gt 1 ] || tap_check 1 "$tap_csv has lines"
}
