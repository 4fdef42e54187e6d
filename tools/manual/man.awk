# SPDX-License-Identifier: BSD-2-Clause
# A document of doc/ as the body of a manual page: headings, paragraphs, code, lists, tables whose rows
# become a term (their first cell) and the rest.

function words(s,    link) {
    gsub(/\\/, "\\e", s)
    while (match(s, /\[[^]]*\]\([^)]*\)/)) {
        link = substr(s, RSTART + 1, RLENGTH - 1)
        sub(/\]\(.*/, "", link)
        s = substr(s, 1, RSTART - 1) link substr(s, RSTART + RLENGTH)
    }
    while (match(s, /`[^`]*`/))
        s = substr(s, 1, RSTART - 1) "\\fB" substr(s, RSTART + 1, RLENGTH - 2) "\\fR" substr(s, RSTART + RLENGTH)
    while (match(s, /\*\*[^*]*\*\*/))
        s = substr(s, 1, RSTART - 1) "\\fB" substr(s, RSTART + 2, RLENGTH - 4) "\\fR" substr(s, RSTART + RLENGTH)
    gsub(/-/, "\\-", s)
    return s ~ /^[.']/ ? "\\&" s : s
}
function to(next_state) { # "", "text", "code", "list"
    if (state == "code")
        print ".fi\n.RE"
    if (next_state == "code")
        print ".PP\n.RS 4\n.nf"
    state = next_state
}
function row(line,    cell, n, i, rest) {
    sub(/^\| */, "", line)
    sub(/ *\|$/, "", line)
    n = split(line, cell, / *\| */)
    if (line ~ /^[-| ]*$/ || cell[1] == "")
        return
    for (i = 2; i <= n; i++)
        rest = rest (rest == "" || cell[i] == "" ? "" : "; ") cell[i]
    print ".TP\n" words(cell[1]) "\n" words(rest)
}

/^# / { next }
/^##* / { to(""); sub(/^##* /, ""); print ".SH \"" toupper(words($0)) "\""; next }
/^\|/ { to(""); row($0); next }
/^    / && state != "list" {
    if (state != "code")
        to("code")
    else if (blank)
        print ""
    blank = 0
    sub(/^    /, "")
    gsub(/\\/, "\\e")
    gsub(/-/, "\\-")
    print /^[.']/ ? "\\&" $0 : $0
    next
}
/^$/ { blank = 1; if (state != "code") to(""); next }
/^- / { to("list"); sub(/^- /, ""); print ".IP \\(bu 3\n" words($0); blank = 0; next }
{
    sub(/^ +/, "")
    if (state == "" || state == "code") {
        to("text")
        print ".PP"
    }
    print words($0)
    blank = 0
}
END { to("") }
