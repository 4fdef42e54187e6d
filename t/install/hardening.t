#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What configure says of hardening holds for the program, the library and each plugin: addresses of
# functions are known before main() and read-only from then on, sizes of copies are checked.
. "$top_srcdir/t/lib/tap.sh"

command -v readelf >/dev/null 2>&1 || skip_all "no readelf"
said=$(sed -n "s/^HARDENING_LDFLAGS = *//p" "$top_builddir/Makefile")
[ -n "$said" ] || skip_all "configured with --disable-hardening or a sanitizer, or without -z now"

for file in "$FECRUN" "$FECRUN_CHECK" "$top_builddir"/run/.libs/libfecrun.so "$PLUGINS"/*.so; do
    name=$(basename "$file")
    readelf -d -l -W "$file" >out 2>err
    prints 'GNU_RELRO' "$name: RELRO"
    prints '\(FLAGS\).* BIND_NOW|\(FLAGS_1\).* NOW' "$name: bound before it runs"
done
readelf -h "$FECRUN" >out 2>err
prints 'Type: *DYN' "the program is position independent"
case $(sed -n "s/^HARDENING_CFLAGS = *//p" "$top_builddir/Makefile") in
*FORTIFY_SOURCE*)
    readelf -s -W "$FECRUN" >out 2>err
    prints ' __[a-z]*printf_chk' "calls of libc are checked ones" ;;
*)  skip 1 "the compiler has _FORTIFY_SOURCE of its own" ;;
esac

done_testing
