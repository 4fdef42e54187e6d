# SPDX-License-Identifier: BSD-2-Clause
# What tests share; programs that shell tests call.
EXTRA_PROGRAMS = %D%/json_lines %D%/many_runs
%C%_many_runs_LDADD = $(LDADD) $(DL_LIBS)
%C%_json_lines_LDADD = $(JANSSON_LIBS)
check_DATA += %D%/json_lines$(EXEEXT) %D%/many_runs$(EXEEXT)
CLEANFILES += %D%/json_lines$(EXEEXT) %D%/many_runs$(EXEEXT)
EXTRA_DIST += \
	%D%/corpus.h \
	%D%/counts.sh \
	%D%/cuda_emulate.h \
	%D%/cuda_frames.h \
	%D%/memory.h \
	%D%/tap.h \
	%D%/tap.sh \
	%D%/toy.h \
	%D%/yaml.h
