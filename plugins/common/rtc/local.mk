# SPDX-License-Identifier: BSD-2-Clause
# Kernels compiled at run time, and the cache of them.
noinst_LTLIBRARIES += %D%/librtc.la
%C%_librtc_la_SOURCES = \
	%D%/cache.c %D%/cache.h \
	%D%/nvrtc.c %D%/nvrtc.h
%C%_librtc_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_librtc_la_CFLAGS = $(AM_CFLAGS)
%C%_librtc_la_LIBADD = $(DL_LIBS)
