# SPDX-License-Identifier: BSD-2-Clause
# All of the plugin, also for the unit tests of its parts.
noinst_LTLIBRARIES += %D%/libturbo.la
%C%_libturbo_la_SOURCES = \
	%D%/code/apriori.h \
	%D%/code/crc.h \
	%D%/code/interleaver.c %D%/code/interleaver.h \
	%D%/code/params.c %D%/code/params.h \
	%D%/code/qpp.c %D%/code/qpp.h \
	%D%/code/subblock.h \
	%D%/code/trellis.h \
	%D%/cuda/decode.c \
	%D%/cuda/document.c %D%/cuda/document.h %D%/cuda/document_device.h \
	%D%/cuda/encode.c %D%/cuda/encode.h %D%/cuda/encode_device.h \
	%D%/cuda/frames.c %D%/cuda/frames.h %D%/cuda/frames_device.h \
	%D%/cuda/rate.c %D%/cuda/rate.h %D%/cuda/rate_device.h \
	%D%/cuda/received.c %D%/cuda/received.h \
	%D%/cuda/single.h %D%/cuda/windows.h %D%/cuda/windows_launch.c %D%/cuda/windows_plan.c \
	%D%/decode.c %D%/decode.h \
	%D%/encode.c %D%/encode.h \
	%D%/plugin.c %D%/plugin.h \
	%D%/rate/params.h \
	%D%/rate/rate.c %D%/rate/rate.h \
	%D%/rate_match.c \
	%D%/rate_recover.c \
	%D%/ref/decode.c \
	%D%/simd/decode.c \
	%D%/simd/frames.h \
	%D%/simd/gain.c \
	%D%/simd/generic.c %D%/simd/generic.h %D%/simd/generic_words.c \
	%D%/simd/kernel.h \
	%D%/simd/rows.c \
	%D%/simd/simd.c %D%/simd/simd.h \
	%D%/simd/soft.c
%C%_libturbo_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_libturbo_la_LIBADD = plugins/common/files/libfiles.la plugins/common/absorbed/libabsorbed.la %D%/libturbo-avx2.la %D%/libturbo-avx512.la

# CUDA kernels; what the C side of them does without CUDA: see <fecrun/sdk/cuda.h>.
turbo_kernels = \
	%D%/cuda/document_kernels.cu \
	%D%/cuda/encode_kernels.cu \
	%D%/cuda/rate_kernels.cu \
	%D%/cuda/single.cu %D%/cuda/single_narrow.cu \
	%D%/cuda/windows_all.cu \
	%D%/cuda/windows_crc.cu \
	%D%/cuda/windows_deal.cu \
	%D%/cuda/windows_llr.cu \
	%D%/cuda/windows_log_all.cu \
	%D%/cuda/windows_log_crc.cu \
	%D%/cuda/windows_log_llr.cu \
	%D%/cuda/windows_log_soft.cu \
	%D%/cuda/windows_slim.cu %D%/cuda/windows_slimmest.cu \
	%D%/cuda/windows_soft.cu \
	%D%/cuda/windows_wide.cu
EXTRA_DIST += $(turbo_kernels) \
	%D%/cuda/single.cuh %D%/cuda/single_frame.cuh \
	%D%/cuda/windows_frame.cuh \
	%D%/cuda/windows_half.cuh \
	%D%/cuda/windows_kernel.cuh \
	%D%/cuda/windows_logmap.cuh \
	%D%/cuda/windows_maxlog.cuh \
	%D%/cuda/windows_packed.cuh \
	%D%/cuda/windows_share.cuh \
	%D%/cuda/windows_slim.cuh \
	%D%/cuda/windows_trellis.cuh
if HAVE_CUDA
%C%_libturbo_la_LIBADD += $(turbo_kernels:.cu=.lo) $(CUDA_LIBS)
endif

# One object an instruction set, as in plugins/viterbi.
noinst_LTLIBRARIES += %D%/libturbo-avx2.la %D%/libturbo-avx512.la
%C%_libturbo_avx2_la_SOURCES = %D%/simd/avx2.c %D%/simd/avx2.h %D%/simd/avx2_words.c
%C%_libturbo_avx2_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_libturbo_avx2_la_CFLAGS = $(SIMD_CFLAGS) $(AVX2_CFLAGS)
%C%_libturbo_avx512_la_SOURCES = \
	%D%/simd/avx512.c %D%/simd/avx512.h %D%/simd/avx512_words.c
%C%_libturbo_avx512_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_libturbo_avx512_la_CFLAGS = $(SIMD_CFLAGS) $(VBMI_CFLAGS)

pluginexec_LTLIBRARIES += %D%/turbo.la
%C%_turbo_la_SOURCES =
%C%_turbo_la_LIBADD = %D%/libturbo.la $(PLUGIN_LIBS)
%C%_turbo_la_LDFLAGS = $(PLUGIN_LDFLAGS)

BUILT_PLUGINS += lib/fecrun/$(FECRUN_ABI)/turbo.so
lib/fecrun/$(FECRUN_ABI)/turbo.so: %D%/turbo.la
	$(COPY_PLUGIN)
