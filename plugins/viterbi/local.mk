# SPDX-License-Identifier: BSD-2-Clause
# All of the plugin, also for the unit tests of its parts.
noinst_LTLIBRARIES += %D%/libviterbi.la
%C%_libviterbi_la_SOURCES = \
	%D%/decode.c %D%/decode.h \
	%D%/encode.c \
	%D%/plugin.c %D%/plugin.h \
	%D%/puncture.c \
	%D%/rate_match.c \
	%D%/code/conv.h \
	%D%/code/levels.h \
	%D%/code/params.c %D%/code/params.h \
	%D%/code/puncture.h \
	%D%/code/tables.c %D%/code/tables.h \
	%D%/code/tiles.c %D%/code/tiles.h \
	%D%/code/tiles_device.h \
	%D%/code/trellis.c %D%/code/trellis.h \
	%D%/code/views.c %D%/code/views.h \
	%D%/cuda/conv.h \
	%D%/cuda/conv_grid.h \
	%D%/cuda/encode.c \
	%D%/cuda/encode_device.h \
	%D%/cuda/gather_device.h \
	%D%/cuda/general.c %D%/cuda/general.h \
	%D%/cuda/general_input.h \
	%D%/cuda/general_kernel.h \
	%D%/cuda/general_plan.c \
	%D%/cuda/general_steps.h \
	%D%/cuda/general_trace.h \
	%D%/cuda/gpu.c %D%/cuda/gpu.h \
	%D%/cuda/input.h \
	%D%/cuda/puncture.c \
	%D%/cuda/rate_match.c \
	%D%/cuda/registers.c %D%/cuda/registers.h \
	%D%/cuda/registers_codes.c \
	%D%/cuda/registers_frames_plan.c \
	%D%/cuda/registers_plan.c \
	%D%/cuda/registers_wrap.c %D%/cuda/registers_wrap.h \
	%D%/cuda/registers_wrap_plan.c \
	%D%/ref/decode.c \
	%D%/simd/along.h \
	%D%/simd/common.h \
	%D%/simd/generic.c \
	%D%/simd/k7.h \
	%D%/simd/kernels.h \
	%D%/simd/lanes.h \
	%D%/simd/pack.h \
	%D%/simd/place.h \
	%D%/simd/run.c \
	%D%/simd/simd.c %D%/simd/simd.h \
	%D%/simd/turn.h \
	%D%/simd/turning.c %D%/simd/turning.h
%C%_libviterbi_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_libviterbi_la_LIBADD = %D%/libviterbi-avx2.la %D%/libviterbi-avx512.la

# CUDA kernels; what the C side of them does without CUDA: see <fecrun/sdk/cuda.h>.
viterbi_kernels = \
	%D%/cuda/encode_kernels.cu \
	%D%/cuda/gather_kernels.cu \
	%D%/cuda/general.cu \
	%D%/cuda/registers_k5.cu \
	%D%/cuda/registers_k7.cu \
	%D%/cuda/registers_k7_fine.cu \
	%D%/cuda/registers_k7_float.cu \
	%D%/cuda/registers_k7_inverted.cu \
	%D%/cuda/registers_k7_quarter.cu \
	%D%/cuda/registers_k7_third.cu \
	%D%/cuda/registers_k9.cu \
	%D%/cuda/registers_k9_other.cu \
	%D%/cuda/registers_k9_quarter.cu \
	%D%/cuda/registers_k9_third.cu \
	%D%/cuda/registers_wrap_k7.cu \
	%D%/cuda/registers_wrap_k7_low.cu
EXTRA_DIST += $(viterbi_kernels) \
	%D%/cuda/registers.cuh \
	%D%/cuda/registers_decode.cuh \
	%D%/cuda/registers_float.cuh \
	%D%/cuda/registers_float_run.cuh \
	%D%/cuda/registers_frames.cuh \
	%D%/cuda/registers_kernel.cuh \
	%D%/cuda/registers_lean.cuh \
	%D%/cuda/registers_mend.cuh \
	%D%/cuda/registers_prove.cuh \
	%D%/cuda/registers_team.cuh \
	%D%/cuda/registers_team_decode.cuh \
	%D%/cuda/registers_team_kernel.cuh \
	%D%/cuda/registers_team_lean.cuh \
	%D%/cuda/registers_team_trace.cuh \
	%D%/cuda/registers_thread.cuh \
	%D%/cuda/registers_trace.cuh \
	%D%/cuda/registers_whole.cuh \
	%D%/cuda/registers_wrap.cuh \
	%D%/cuda/registers_wrap_kernel.cuh
if HAVE_CUDA
%C%_libviterbi_la_LIBADD += $(viterbi_kernels:.cu=.lo) $(CUDA_LIBS)
endif

# One object an instruction set, chosen at run time. Where the compiler cannot, the flags are empty
# (and HAVE_AVX2, HAVE_AVX512 are not defined): the file then says that it has no kernels.
noinst_LTLIBRARIES += %D%/libviterbi-avx2.la %D%/libviterbi-avx512.la
%C%_libviterbi_avx2_la_SOURCES = %D%/simd/avx2.c
%C%_libviterbi_avx2_la_CPPFLAGS = $(SIMD_CPPFLAGS)
%C%_libviterbi_avx2_la_CFLAGS = $(SIMD_CFLAGS) $(AVX2_CFLAGS)
%C%_libviterbi_avx512_la_SOURCES = %D%/simd/avx512.c
%C%_libviterbi_avx512_la_CPPFLAGS = $(SIMD_CPPFLAGS)
%C%_libviterbi_avx512_la_CFLAGS = $(SIMD_CFLAGS) $(AVX512_CFLAGS)

pluginexec_LTLIBRARIES += %D%/viterbi.la
%C%_viterbi_la_SOURCES =
%C%_viterbi_la_LIBADD = %D%/libviterbi.la $(PLUGIN_LIBS)
%C%_viterbi_la_LDFLAGS = $(PLUGIN_LDFLAGS)

BUILT_PLUGINS += lib/fecrun/$(FECRUN_ABI)/viterbi.so
lib/fecrun/$(FECRUN_ABI)/viterbi.so: %D%/viterbi.la
	$(COPY_PLUGIN)
