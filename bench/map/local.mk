# SPDX-License-Identifier: BSD-2-Clause
# What decoders lose, over cells drawn at random: see `bench/map/map --help`. Not installed.
EXTRA_PROGRAMS += %D%/map
%C%_map_SOURCES = \
	%D%/cell.c %D%/cell.h \
	%D%/cell_ldpc.c \
	%D%/cell_polar.c \
	%D%/cell_turbo.c \
	%D%/cell_viterbi.c \
	%D%/main.c \
	%D%/map.h \
	%D%/measure.c \
	%D%/page.c \
	%D%/reasons.c \
	%D%/report.c \
	%D%/search.c %D%/search.h \
	%D%/stat.c %D%/stat.h \
	%D%/trial.c %D%/trial.h \
	%D%/yaml.c
%C%_map_CPPFLAGS = $(AM_CPPFLAGS) -DMAP_PLUGINS='"$(abs_top_builddir)/lib/fecrun/$(FECRUN_ABI)"'
%C%_map_LDADD = $(LDADD) $(LIBM)
EXTRA_DIST += %D%/reasons.txt
CLEANFILES += %D%/map$(EXEEXT)
include %D%/speed/local.mk
