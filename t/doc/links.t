#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Links of the documents lead to files and headings that are there; README.md is short; doc/README.md has every page.
. "$top_srcdir/t/lib/tap.sh"

# Prints `A PATH#ANCHOR` for each heading, as GitHub names them, and `L FILE:LINE PATH ANCHOR` for each relative link
# (ANCHOR may be `-`). Indented code, fenced code and code spans have neither.
cat >scan.awk <<'END'
function anchor_of(text) {
    while (match(text, /\]\([^()]*\)/)) # a link in a heading: its text
        text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
    text = tolower(text)
    gsub(/[^a-z0-9_ \200-\377-]/, "", text)
    gsub(/ /, "-", text)
    return text
}

# DIR/TARGET without `.` and `..`
function path_of(dir, target, parts, n, i, depth, kept, path) {
    n = split(dir "/" target, parts, "/")
    depth = 0
    for (i = 1; i <= n; i++) {
        if (parts[i] == ".." && depth)
            depth--
        else if (parts[i] != "." && parts[i] != "")
            kept[++depth] = parts[i]
    }
    path = depth ? kept[1] : "."
    for (i = 2; i <= depth; i++)
        path = path "/" kept[i]
    return path
}

function link(target, place, name) {
    sub(/[ \t].*/, "", target) # a title
    if (target ~ /^[a-z]+:/)
        return
    place = index(target, "#")
    name = place ? substr(target, place + 1) : "-"
    if (place)
        target = substr(target, 1, place - 1)
    print "L", FILENAME ":" FNR, target == "" ? FILENAME : path_of(dir, target), name
}

FNR == 1 {
    dir = FILENAME
    if (!sub(/\/[^\/]*$/, "", dir))
        dir = "."
    fenced = code = 0
    blank = 1
}

/^ *```/ { fenced = !fenced; next }
fenced { next }

{
    code = /^(    |\t)/ && (blank || code)
    blank = /^[ \t]*$/
    if (code)
        next
}

/^#+ / {
    text = $0
    sub(/^#+ +/, "", text)
    text = anchor_of(text)
    n = seen[FILENAME, text]++
    print "A", FILENAME "#" text (n ? "-" n : "")
}

{
    gsub(/`[^`]*`/, "")
    if (/\]\($/)
        print "L", FILENAME ":" FNR, "(the-line-ends-in-the-link)", "-"
    while (match($0, /\]\([^()]*\)|(src|href)="[^"]*"/)) {
        found = substr($0, RSTART, RLENGTH)
        $0 = substr($0, RSTART + RLENGTH)
        sub(/^\]\(|^[a-z]*="/, "", found)
        link(substr(found, 1, length(found) - 1))
    }
    if (match($0, /^ ? ? ?\[[^\]]*\]: +/))
        link(substr($0, RLENGTH + 1))
}
END

# broken_links DIR FILE...: a line for each broken link in these files, which are named from DIR.
broken_links() {
    root=$1
    shift
    (cd "$root" && awk -f "$T/scan.awk" "$@") >scanned
    sed -n 's/^A //p' scanned >anchors
    sed -n 's/^L //p' scanned | while read -r from path anchor; do
        if [ ! -e "$root/$path" ]; then
            echo "$from: no file $path"
        elif [ "$anchor" != - ] && ! grep -Fqx -e "$path#$anchor" anchors; then
            echo "$from: no heading #$anchor in $path"
        fi
    done
}

mkdir -p small/doc
cat >small/README.md <<'END'
# A title: `x`, [y](doc/a.md)
[good](doc/a.md#one--two) ![good](doc/a.svg) [good](https://a.example/b) `[code](none)` <img src="doc/a.svg">
[bad](doc/b.md) <img src="doc/b.svg"> [bad](doc/a.md#three) [good](#a-title-x-y) [bad](#a-title)

    [code](none)
END
cat >small/doc/a.md <<'END'
## One & two
[good](../README.md) [bad](README.md) [good](#one--two-1) [bad](#one--two-2)
## One & two
END
: >small/doc/a.svg
broken_links small README.md doc/a.md >out
cat >wanted <<'END'
README.md:3: no file doc/b.md
README.md:3: no file doc/b.svg
README.md:3: no heading #three in doc/a.md
README.md:3: no heading #a-title in README.md
doc/a.md:2: no file doc/README.md
doc/a.md:2: no heading #one--two-2 in doc/a.md
END
ok "broken links are found" cmp out wanted

documents=$(cd "$top_srcdir" && echo README.md CONTRIBUTING.md SECURITY.md doc/*.md bench/*.md bench/results/*.md \
    bench/notebook/*.md python/README.md t/README.md)
broken_links "$top_srcdir" $documents >out
ok "no link of the documents is broken" [ ! -s out ]
ok "the documents have links" [ "$(grep -c '^L' scanned)" -gt 100 ]

wc "$top_srcdir/README.md" >out
ok "README.md has at most 110 lines" [ "$(wc -l <"$top_srcdir/README.md")" -le 110 ]
ok "README.md has at most 7168 bytes" [ "$(wc -c <"$top_srcdir/README.md")" -le 7168 ]
awk -F'[|]' '/^\|/ { for (i = 2; i < NF; i++) if (length($i) > 62) print FILENAME ":" FNR ": " $i }' \
    "$top_srcdir/README.md" >out
ok "cells of its tables have at most 60 characters" [ ! -s out ]

(cd "$top_srcdir" && ls doc/*.md) | sort >pages
sed -n 's/^L doc.README\.md:[0-9]* \([^ ]*\) .*/\1/p' scanned | sort -u >index
grep -v '^doc/README.md$' pages | comm -23 - index >out
ok "doc/README.md has every page" [ ! -s out ]
sed -n '/^doc_DATA/,/[^\\]$/s/^[[:blank:]]*\(doc.[^ ]*\.md\).*/\1/p' "$top_srcdir/Makefile.am" | sort >installed
comm -3 pages installed >out
ok "every page is installed" [ ! -s out ]
done_testing
