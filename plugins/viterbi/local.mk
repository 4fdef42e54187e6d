# SPDX-License-Identifier: BSD-2-Clause
# All of the plugin, also for the unit tests of its parts.
noinst_LTLIBRARIES += %D%/libviterbi.la
%C%_libviterbi_la_SOURCES = \
	%D%/code_params.c %D%/code_params.h \
	%D%/conv_code.h \
	%D%/conv_cuda.h \
	%D%/conv_device.h \
	%D%/conv_encode.c %D%/conv_encode_cuda.c %D%/conv_encode_device.h \
	%D%/conv_gather_device.h \
	%D%/conv_grid.h \
	%D%/conv_puncture.c %D%/conv_puncture_cuda.c \
	%D%/conv_rate_match.c %D%/conv_rate_match_cuda.c \
	%D%/cuda_document.h \
	%D%/cuda_document_input.h \
	%D%/cuda_document_kernel.h \
	%D%/cuda_document_plan.c \
	%D%/cuda_document_steps.h \
	%D%/cuda_document_trace.h \
	%D%/cuda_fast.h \
	%D%/cuda_fast_codes.c \
	%D%/cuda_fast_plan.c \
	%D%/decode.h \
	%D%/decode_cuda.h \
	%D%/decode_geometry.h \
	%D%/decode_ref.c \
	%D%/decode_simd.c %D%/decode_simd.h \
	%D%/decode_simd_along.h \
	%D%/decode_simd_common.h \
	%D%/decode_simd_generic.c \
	%D%/decode_simd_k7.h \
	%D%/decode_simd_kernels.h \
	%D%/decode_simd_lanes.h \
	%D%/decode_simd_pack.h \
	%D%/decode_simd_run.c \
	%D%/decode_tiles.c \
	%D%/puncture.h \
	%D%/tables.c %D%/tables.h \
	%D%/trellis.c %D%/trellis.h \
	%D%/viterbi.c %D%/viterbi.h \
	%D%/viterbi_cuda.c %D%/viterbi_cuda.h \
	%D%/viterbi_decode.c \
	%D%/viterbi_document.c \
	%D%/viterbi_fast.c
%C%_libviterbi_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
%C%_libviterbi_la_LIBADD = %D%/libviterbi-avx2.la %D%/libviterbi-avx512.la

# CUDA kernels; what the C side of them does without CUDA: see <fecrun/sdk/cuda.h>.
viterbi_kernels = \
	%D%/conv_encode_kernels.cu \
	%D%/conv_gather_kernels.cu \
	%D%/cuda_document.cu \
	%D%/cuda_fast_k5.cu \
	%D%/cuda_fast_k7.cu \
	%D%/cuda_fast_k7_inverted.cu \
	%D%/cuda_fast_k7_third.cu \
	%D%/cuda_fast_k7_quarter.cu \
	%D%/cuda_fast_k9.cu \
	%D%/cuda_fast_k9_third.cu \
	%D%/cuda_fast_k9_quarter.cu
EXTRA_DIST += $(viterbi_kernels) %D%/cuda_fast.cuh %D%/cuda_fast_decode.cuh \
	%D%/cuda_fast_kernel.cuh %D%/cuda_fast_team.cuh %D%/cuda_fast_team_decode.cuh \
	%D%/cuda_fast_team_kernel.cuh %D%/cuda_fast_thread.cuh \
	%D%/cuda_fast_whole.cuh
if HAVE_CUDA
%C%_libviterbi_la_LIBADD += $(viterbi_kernels:.cu=.lo) $(CUDA_LIBS)
endif

# One object an instruction set, chosen at run time. Where the compiler cannot, the flags are empty
# (and HAVE_AVX2, HAVE_AVX512 are not defined): the file then says that it has no kernels.
noinst_LTLIBRARIES += %D%/libviterbi-avx2.la %D%/libviterbi-avx512.la
%C%_libviterbi_avx2_la_SOURCES = %D%/decode_simd_avx2.c
%C%_libviterbi_avx2_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
%C%_libviterbi_avx2_la_CFLAGS = $(AM_CFLAGS) $(AVX2_CFLAGS)
%C%_libviterbi_avx512_la_SOURCES = %D%/decode_simd_avx512.c
%C%_libviterbi_avx512_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
%C%_libviterbi_avx512_la_CFLAGS = $(AM_CFLAGS) $(AVX512_CFLAGS)

pluginexec_LTLIBRARIES += %D%/viterbi.la
%C%_viterbi_la_SOURCES =
%C%_viterbi_la_LIBADD = %D%/libviterbi.la $(PLUGIN_LIBS)
%C%_viterbi_la_LDFLAGS = $(PLUGIN_LDFLAGS)

BUILT_PLUGINS += lib/fecrun/1/viterbi.so
lib/fecrun/1/viterbi.so: %D%/viterbi.la
	$(COPY_PLUGIN)
