# SPDX-License-Identifier: BSD-2-Clause
# libFuzzer targets (--enable-fuzzers, CC=clang): fuzz/NAME.c is the target, replay_NAME, a test of every
# build, gives it the files of corpus/NAME.
fuzz_programs = \
	%D%/alist \
	%D%/blocks \
	%D%/conf \
	%D%/dem \
	%D%/journal \
	%D%/npy \
	%D%/plan \
	%D%/qc \
	%D%/result \
	%D%/samples \
	%D%/set \
	%D%/sigmf
if ENABLE_FUZZERS
noinst_PROGRAMS += $(fuzz_programs)
endif
%C%_alist_LDFLAGS = $(FUZZ_LDFLAGS)
%C%_blocks_LDFLAGS = $(FUZZ_LDFLAGS)
%C%_conf_LDFLAGS = $(FUZZ_LDFLAGS)
%C%_dem_LDFLAGS = $(FUZZ_LDFLAGS)
%C%_journal_LDFLAGS = $(FUZZ_LDFLAGS)
%C%_result_LDFLAGS = $(FUZZ_LDFLAGS)
%C%_sigmf_LDFLAGS = $(FUZZ_LDFLAGS)
%C%_npy_LDFLAGS = $(FUZZ_LDFLAGS)
%C%_plan_LDFLAGS = $(FUZZ_LDFLAGS)
%C%_qc_LDFLAGS = $(FUZZ_LDFLAGS)
%C%_samples_LDFLAGS = $(FUZZ_LDFLAGS)
%C%_set_LDFLAGS = $(FUZZ_LDFLAGS)
%C%_alist_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_dem_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_journal_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_blocks_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_plan_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_samples_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_set_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_sigmf_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_result_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_npy_LDADD = plugins/common/files/libfiles.la $(LDADD)
%C%_qc_LDADD = plugins/ldpc/libldpc.la $(LDADD)

check_PROGRAMS += \
	%D%/replay_alist \
	%D%/replay_blocks \
	%D%/replay_conf \
	%D%/replay_dem \
	%D%/replay_journal \
	%D%/replay_npy \
	%D%/replay_plan \
	%D%/replay_qc \
	%D%/replay_result \
	%D%/replay_samples \
	%D%/replay_set \
	%D%/replay_sigmf \
	%D%/test_drawn
%C%_replay_alist_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_replay_dem_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_replay_journal_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_replay_blocks_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_replay_plan_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_replay_samples_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_replay_set_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_replay_sigmf_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_replay_result_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_replay_npy_LDADD = plugins/common/files/libfiles.la $(LDADD)
%C%_replay_qc_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_drawn_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
EXTRA_DIST += $(fuzz_programs:=.c) %D%/campaign.sh %D%/corpus %D%/files.h %D%/grown %D%/keep.sh %D%/ldpc.h %D%/pipeline.h
