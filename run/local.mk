# SPDX-License-Identifier: BSD-2-Clause
# Runs of pipeline files, on the core: file, schedule < session < fleet < sweep < api (t/core/layers.t).
noinst_LTLIBRARIES += %D%/librun.la
%C%_librun_la_SOURCES = \
	%D%/file/pipeline.c %D%/file/pipeline.h \
	%D%/file/pipeline_blocks.c \
	%D%/file/pipeline_impl.h \
	%D%/file/pipeline_let.c \
	%D%/file/pipeline_old.c \
	%D%/file/pipeline_option.c \
	%D%/file/pipeline_setting.c \
	%D%/file/pipeline_sweep.c \
	%D%/schedule/count.c %D%/schedule/counts.h \
	%D%/schedule/part.c \
	%D%/schedule/schedule.c %D%/schedule/schedule.h \
	%D%/schedule/stats.c %D%/schedule/stats.h \
	%D%/schedule/turn.c %D%/schedule/turn.h \
	%D%/session/budget.c \
	%D%/session/paths.c \
	%D%/session/serves.c \
	%D%/session/session.c %D%/session/session.h \
	%D%/sweep/find.c %D%/sweep/find.h \
	%D%/sweep/point.h \
	%D%/sweep/sweep.c %D%/sweep/sweep.h \
	%D%/fleet/capture.c %D%/fleet/capture.h \
	%D%/fleet/devices.c %D%/fleet/devices.h \
	%D%/fleet/fleet.c %D%/fleet/fleet.h \
	%D%/fleet/fleet_device.c \
	%D%/fleet/fleet_impl.h \
	%D%/fleet/lease.c %D%/fleet/lease.h \
	%D%/fleet/lease_impl.h \
	%D%/api/api.c \
	%D%/api/api_impl.h \
	%D%/api/check.c \
	%D%/api/list.c \
	%D%/api/prepared.c \
	%D%/api/set.c \
	%D%/api/stream.c
%C%_librun_la_LIBADD = core/libfecruncore.la

# Host API for other programs: what fecrun.h marks FECRUN_EXPORT, and of that only fecrun_*.
lib_LTLIBRARIES += %D%/libfecrun.la
%C%_libfecrun_la_SOURCES =
%C%_libfecrun_la_LIBADD = %D%/librun.la
%C%_libfecrun_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 $(NO_UNDEFINED) \
	-export-symbols-regex '^fecrun_'
