# SPDX-License-Identifier: BSD-2-Clause
# Plugins in a child process first: for fecrun and fecrun-check.
noinst_LTLIBRARIES += %D%/libquarantine.la
%C%_libquarantine_la_SOURCES = \
	%D%/ask.c \
	%D%/elf.c %D%/elf.h \
	%D%/forked.c %D%/forked.h \
	%D%/load.c %D%/quarantine.h \
	%D%/same.c %D%/same.h
