# SPDX-License-Identifier: BSD-2-Clause
# libfec's Viterbi functions on top of fecrun.h, for programs that are linked with it.
lib_LTLIBRARIES += %D%/libfecrun-fec.la
%C%_libfecrun_fec_la_SOURCES = \
	%D%/code.c %D%/code.h \
	%D%/decoder.c %D%/decoder.h \
	%D%/functions.c \
	%D%/pool.c %D%/pool.h \
	%D%/soft.c %D%/soft.h \
	%D%/soft_loops.h
%C%_libfecrun_fec_la_LIBADD = run/libfecrun.la %D%/libsoft-avx2.la
%C%_libfecrun_fec_la_LDFLAGS = -version-info 0:0:0 $(NO_UNDEFINED) \
	-export-symbols-regex '^(create|set|init|update|chainback|delete|decode)_viterbi|^fecrun_fec_message$$'
%C%_libfecrun_fec_la_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS)

noinst_LTLIBRARIES += %D%/libsoft-avx2.la
%C%_libsoft_avx2_la_SOURCES = %D%/soft_avx2.c
%C%_libsoft_avx2_la_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS) $(AVX2_CFLAGS)

fecrunheaderdir = $(includedir)/fecrun
fecrunheader_HEADERS = %D%/fec.h
nodist_pkgconfig_DATA += %D%/fecrun-fec.pc
