# SPDX-License-Identifier: BSD-2-Clause
# A stage in front of the one that absorbs it.
noinst_LTLIBRARIES += %D%/libfront.la
%C%_libfront_la_SOURCES = %D%/front.c %D%/front.h
%C%_libfront_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
