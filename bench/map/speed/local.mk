# SPDX-License-Identifier: BSD-2-Clause
# How fast devices are, over cells drawn at random: see `bench/map/speed/speed --help`. Not installed.
EXTRA_PROGRAMS += %D%/speed
%C%_speed_SOURCES = \
	bench/map/cell.c bench/map/cell.h \
	bench/map/cell_ldpc.c \
	bench/map/cell_polar.c \
	bench/map/cell_turbo.c \
	bench/map/cell_viterbi.c \
	%D%/draw.c \
	%D%/main.c \
	%D%/measure.c \
	%D%/report.c \
	%D%/speed.h \
	bench/map/trial.c bench/map/trial.h \
	bench/map/yaml.c \
	tools/fecrun/signals.c tools/fecrun/signals.h
%C%_speed_CPPFLAGS = $(AM_CPPFLAGS) -DMAP_PLUGINS='"$(abs_top_builddir)/lib/fecrun/$(FECRUN_ABI)"'
%C%_speed_LDADD = tools/fecrun/libreports.la $(LDADD) $(JANSSON_LIBS) $(LIBM)
CLEANFILES += %D%/speed$(EXEEXT)
