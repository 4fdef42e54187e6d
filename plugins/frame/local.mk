# SPDX-License-Identifier: BSD-2-Clause
# All of the plugin, also for the unit tests of its parts.
noinst_LTLIBRARIES += %D%/libframe.la
%C%_libframe_la_SOURCES = \
	%D%/forms.c \
	%D%/hard.c \
	%D%/interleave.c \
	%D%/join.c \
	%D%/known.c \
	%D%/plugin.c %D%/plugin.h \
	%D%/scramble.c \
	%D%/split.c \
	%D%/sync.c \
	%D%/code/codes.h \
	%D%/code/end.h \
	%D%/code/make.c \
	%D%/code/pieces.h \
	%D%/code/order.c %D%/code/order.h \
	%D%/code/read.c \
	%D%/code/sequence.c %D%/code/sequence.h \
	%D%/code/sync.c %D%/code/sync.h \
	%D%/code/word.c %D%/code/word.h \
	%D%/cuda/backend.c \
	%D%/cuda/create.h \
	%D%/cuda/launch.h \
	%D%/cuda/pieces.c %D%/cuda/pieces.h %D%/cuda/pieces_plan.h \
	%D%/cuda/plan.c %D%/cuda/plan.h \
	%D%/cuda/thread.h \
	%D%/ref/word.c \
	%D%/simd/sync.c %D%/simd/word.h
%C%_libframe_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_libframe_la_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS)
%C%_libframe_la_LIBADD = plugins/common/gpu/libgpu.la %D%/libframe-avx2.la %D%/libframe-avx512.la

# One object an instruction set, as in plugins/viterbi.
noinst_LTLIBRARIES += %D%/libframe-avx2.la %D%/libframe-avx512.la
%C%_libframe_avx2_la_SOURCES = %D%/simd/word_avx2.c
%C%_libframe_avx2_la_CPPFLAGS = $(SIMD_CPPFLAGS)
%C%_libframe_avx2_la_CFLAGS = $(SIMD_CFLAGS) $(VECTOR_CFLAGS) $(AVX2_CFLAGS)
%C%_libframe_avx512_la_SOURCES = %D%/simd/word_avx512.c
%C%_libframe_avx512_la_CPPFLAGS = $(SIMD_CPPFLAGS)
%C%_libframe_avx512_la_CFLAGS = $(SIMD_CFLAGS) $(VECTOR_CFLAGS) $(AVX512_CFLAGS)

frame_kernels = %D%/cuda/kernels.cu
EXTRA_DIST += $(frame_kernels)
if HAVE_CUDA
%C%_libframe_la_LIBADD += $(frame_kernels:.cu=.lo) $(CUDA_LIBS)
endif

pluginexec_LTLIBRARIES += %D%/frame.la
%C%_frame_la_SOURCES =
%C%_frame_la_LIBADD = %D%/libframe.la $(PLUGIN_LIBS)
%C%_frame_la_LDFLAGS = $(PLUGIN_LDFLAGS)

BUILT_PLUGINS += lib/fecrun/$(FECRUN_ABI)/frame.so
lib/fecrun/$(FECRUN_ABI)/frame.so: %D%/frame.la
	$(COPY_PLUGIN)
