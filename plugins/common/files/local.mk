# SPDX-License-Identifier: BSD-2-Clause
# Files of samples, for all plugins that read or write them.
noinst_LTLIBRARIES += %D%/libfiles.la
%C%_libfiles_la_SOURCES = \
	%D%/block.c \
	%D%/columns.c \
	%D%/file.h \
	%D%/harq.c %D%/harq.h \
	%D%/infile.c \
	%D%/npy.c %D%/npy.h \
	%D%/outfile.c \
	%D%/readers.c %D%/readers.h
%C%_libfiles_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_libfiles_la_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS)
