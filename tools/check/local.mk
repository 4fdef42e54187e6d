# SPDX-License-Identifier: BSD-2-Clause
bin_PROGRAMS += fecrun-check
fecrun_check_SOURCES = \
	%D%/absorb.c \
	%D%/backend.c \
	%D%/bench.c \
	%D%/case.c \
	%D%/check.h \
	%D%/check_impl.h \
	%D%/child.c \
	%D%/classes.c \
	%D%/compare.c \
	%D%/deadline.c \
	%D%/encoded.c \
	%D%/fresh.c \
	%D%/fresh.h \
	%D%/fuzz.c \
	%D%/heap.c \
	%D%/input.c \
	%D%/instance.c \
	%D%/main.c \
	%D%/marks.c \
	%D%/memory.c \
	%D%/meta.c \
	%D%/mixed.c \
	%D%/more.c \
	%D%/options.c \
	%D%/pairs.c \
	%D%/plan.c \
	%D%/point.c \
	%D%/ragged.c \
	%D%/ragged.h \
	%D%/random.c \
	%D%/run.c \
	%D%/spoil.c \
	%D%/stage.c \
	%D%/tap.c \
	%D%/trial.c \
	%D%/trial.h \
	%D%/trial_text.c \
	%D%/truth.c \
	%D%/turns.c \
	%D%/turns.h \
	%D%/types.c \
	%D%/variant.c
fecrun_check_LDADD = tools/quarantine/libquarantine.la $(LDADD)
