# SPDX-License-Identifier: BSD-2-Clause
# What tests share; programs that shell tests call.
EXTRA_PROGRAMS += %D%/faults %D%/json_lines %D%/many_runs
%C%_faults_LDADD =
%C%_many_runs_LDADD = $(LDADD) $(DL_LIBS)
%C%_json_lines_LDADD = $(JANSSON_LIBS)
lib_programs = %D%/faults$(EXEEXT) %D%/json_lines$(EXEEXT) %D%/many_runs$(EXEEXT)
check_DATA += $(lib_programs)
CLEANFILES += $(lib_programs)
EXTRA_DIST += \
	%D%/corpus.h \
	%D%/counts.sh \
	%D%/curves.sh \
	%D%/ends.sh \
	%D%/errors.sh \
	%D%/faults.sh \
	%D%/harq.sh \
	%D%/cubin.h \
	%D%/cuda_emulate.h \
	%D%/cuda_frames.h %D%/cuda_rows.h \
	%D%/kills.sh \
	%D%/memory.h \
	%D%/overlap.awk \
	%D%/lease_sim.h \
	%D%/mpi.sh \
	%D%/skips.sh \
	%D%/slurm.sh \
	%D%/sweep.h \
	%D%/table.sh \
	%D%/tap.h \
	%D%/tap.sh \
	%D%/toy.h \
	%D%/vectors.sh \
	%D%/yaml.h
