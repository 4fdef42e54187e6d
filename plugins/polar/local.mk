# SPDX-License-Identifier: BSD-2-Clause
# All of the plugin, also for the unit tests of its parts.
noinst_LTLIBRARIES += %D%/libpolar.la
%C%_libpolar_la_SOURCES = \
	%D%/code/code.c %D%/code/code.h \
	%D%/code/crc.h \
	%D%/code/ensemble.c %D%/code/ensemble.h \
	%D%/code/nr.c %D%/code/nr.h \
	%D%/code/nr_tables.c \
	%D%/code/order.c %D%/code/order.h \
	%D%/code/order_file.c \
	%D%/code/params.c %D%/code/params.h \
	%D%/code/program.c %D%/code/program.h \
	%D%/code/small.c %D%/code/small.h \
	%D%/code/words.c %D%/code/words.h \
	%D%/cuda/decode.c \
	%D%/cuda/device.h \
	%D%/cuda/frames.c %D%/cuda/frames.h \
	%D%/cuda/nodes.h \
	%D%/cuda/ragged.c %D%/cuda/ragged.h \
	%D%/cuda/tables.c %D%/cuda/tables.h \
	%D%/cuda/bp/backend.c \
	%D%/cuda/bp/launch.c %D%/cuda/bp/launch.h \
	%D%/cuda/bp/plan.c %D%/cuda/bp/plan.h \
	%D%/cuda/bp/ragged.c %D%/cuda/bp/ragged.h \
	%D%/cuda/encode/backend.c \
	%D%/cuda/encode/block.h \
	%D%/cuda/encode/launch.h \
	%D%/cuda/encode/tables.c \
	%D%/cuda/list/plan.c %D%/cuda/list/plan.h \
	%D%/cuda/list/ragged.h \
	%D%/cuda/rate/backend.c \
	%D%/cuda/rate/launch.h \
	%D%/cuda/rate/tables.c \
	%D%/cuda/rate/thread.h \
	%D%/cuda/sc/plan.c %D%/cuda/sc/plan.h \
	%D%/decode.c %D%/decode.h \
	%D%/encode.c \
	%D%/metric.c \
	%D%/plugin.c %D%/plugin.h \
	%D%/rate/params.c %D%/rate/params.h \
	%D%/rate/rate.c %D%/rate/rate.h \
	%D%/rate_match.c \
	%D%/rate_recover.c %D%/rate_recover.h \
	%D%/ref/bp.c \
	%D%/ref/decode.c \
	%D%/ref/ensemble.c \
	%D%/ref/list.c \
	%D%/ref/ref.h \
	%D%/ref/sc.c \
	%D%/ref/small.c \
	%D%/simd/alone.c \
	%D%/simd/bits.c \
	%D%/simd/bp.c \
	%D%/simd/explain.c \
	%D%/simd/frame/frame.h \
	%D%/simd/frame/list.h \
	%D%/simd/frame/list_avx2.h \
	%D%/simd/frame/list_avx512.h \
	%D%/simd/frame/list_free.h \
	%D%/simd/frame/list_move_avx2.h \
	%D%/simd/frame/list_move_avx512.h \
	%D%/simd/frame/list_shared.h \
	%D%/simd/frame/lists.h \
	%D%/simd/frame/sc.h \
	%D%/simd/frame/sort_avx2.h \
	%D%/simd/frame/sort_avx512.h \
	%D%/simd/generic.c \
	%D%/simd/kernel.h \
	%D%/simd/kernel_load.h \
	%D%/simd/kernel_bp.h \
	%D%/simd/kernel_list.h \
	%D%/simd/kernel_sc.h \
	%D%/simd/kernel_small.h \
	%D%/simd/rank_avx512.h \
	%D%/simd/simd.c %D%/simd/simd.h \
	%D%/simd/small.c \
	%D%/simd/words.h
%C%_libpolar_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_libpolar_la_LIBADD = plugins/common/crc/libcrc.la plugins/common/gpu/libgpu.la plugins/common/recover/librecover.la %D%/libpolar-avx2.la %D%/libpolar-avx512.la

# One object an instruction set, as in plugins/viterbi.
noinst_LTLIBRARIES += %D%/libpolar-avx2.la %D%/libpolar-avx512.la
%C%_libpolar_avx2_la_SOURCES = %D%/simd/avx2.c %D%/simd/frame/avx2.c
%C%_libpolar_avx2_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_libpolar_avx2_la_CFLAGS = $(SIMD_CFLAGS) $(AVX2_CFLAGS)
%C%_libpolar_avx512_la_SOURCES = %D%/simd/avx512.c %D%/simd/frame/avx512.c
%C%_libpolar_avx512_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_libpolar_avx512_la_CFLAGS = $(SIMD_CFLAGS) $(VBMI_CFLAGS)

# CUDA kernels; what the C side of them does without CUDA: see <fecrun/sdk/cuda.h>.
polar_kernels = \
	%D%/cuda/bp/any/kernels.cu \
	%D%/cuda/bp/half/kernels.cu \
	%D%/cuda/encode/kernels.cu \
	%D%/cuda/list/kernels.cu \
	%D%/cuda/rate/kernels.cu \
	%D%/cuda/sc/kernels.cu
EXTRA_DIST += $(polar_kernels) \
	%D%/cuda/halves.cuh \
	%D%/cuda/output.cuh \
	%D%/cuda/bp/any/phases.cuh \
	%D%/cuda/bp/any/ragged.cuh \
	%D%/cuda/bp/any/run.cuh \
	%D%/cuda/bp/half/phases.cuh \
	%D%/cuda/bp/half/run.cuh \
	%D%/cuda/bp/half/words.cuh \
	%D%/cuda/list/finish.cuh \
	%D%/cuda/list/fork.cuh \
	%D%/cuda/list/lane.cuh \
	%D%/cuda/list/leaf.cuh \
	%D%/cuda/list/llr.cuh \
	%D%/cuda/list/ragged.cuh \
	%D%/cuda/list/run.cuh \
	%D%/cuda/list/step.cuh \
	%D%/cuda/list/weak.cuh \
	%D%/cuda/sc/block.cuh \
	%D%/cuda/sc/input.cuh \
	%D%/cuda/sc/leaf.cuh \
	%D%/cuda/sc/output.cuh \
	%D%/cuda/sc/stages.cuh
if HAVE_CUDA
%C%_libpolar_la_LIBADD += $(polar_kernels:.cu=.lo) $(CUDA_LIBS)
# One instruction a check node from 8.6 on, in place of three.
%D%/cuda/bp/half/kernels.lo %D%/cuda/list/kernels.lo %D%/cuda/sc/kernels.lo: CUDA_MORE_FLAGS = $(CUDA_86_FLAGS)
endif

pluginexec_LTLIBRARIES += %D%/polar.la
%C%_polar_la_SOURCES =
%C%_polar_la_LIBADD = %D%/libpolar.la $(PLUGIN_LIBS)
%C%_polar_la_LDFLAGS = $(PLUGIN_LDFLAGS)

BUILT_PLUGINS += lib/fecrun/$(FECRUN_ABI)/polar.so
lib/fecrun/$(FECRUN_ABI)/polar.so: %D%/polar.la
	$(COPY_PLUGIN)
