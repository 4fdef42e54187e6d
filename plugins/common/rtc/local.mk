# SPDX-License-Identifier: BSD-2-Clause
# Kernels compiled at run time, and the cache of them.
noinst_LTLIBRARIES += %D%/librtc.la
%C%_librtc_la_SOURCES = \
	%D%/cache.c %D%/cache.h \
	%D%/compiled.c %D%/compiled.h \
	%D%/nvrtc.c %D%/nvrtc.h
%C%_librtc_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_librtc_la_CFLAGS = $(AM_CFLAGS)
%C%_librtc_la_LIBADD = $(DL_LIBS)

# The files as entries of a table of struct rtc_header.
write_kernel_texts = $(AM_V_GEN)$(MKDIR_P) $(@D) && for file in $(1); do \
	    echo "$$file" | sed 's,core/sdk,fecrun/sdk,; s,core/include/,,; s/.*/{"&",/'; \
	    sed 's/[\\"]/\\&/g; s/^/"/; s/$$/\\n"/' "$(srcdir)/$$file"; \
	    echo '},'; \
	done >$@.tmp && mv -f $@.tmp $@
