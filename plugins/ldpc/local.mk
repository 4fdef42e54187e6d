# SPDX-License-Identifier: BSD-2-Clause
# All of the plugin, also for the unit tests of its parts.
noinst_LTLIBRARIES += %D%/libldpc.la
%C%_libldpc_la_SOURCES = \
	%D%/alphas.c %D%/alphas.h \
	%D%/decode.c %D%/decode.h \
	%D%/encode.c %D%/encode.h \
	%D%/plugin.c %D%/plugin.h \
	%D%/rate_match.c \
	%D%/rate_recover.c \
	%D%/code/alpha.c \
	%D%/code/build.h \
	%D%/code/code.c %D%/code/code.h \
	%D%/code/identity.c \
	%D%/code/library.c %D%/code/library.h \
	%D%/code/params.c %D%/code/params.h \
	%D%/code/split.c %D%/code/split.h \
	%D%/code/schedule.c \
	%D%/code/steps.c %D%/code/steps.h \
	%D%/code/read/alist.c \
	%D%/code/read/lines.c %D%/code/read/lines.h \
	%D%/code/read/qc.c \
	%D%/code/solve/dense.c %D%/code/solve/dense.h \
	%D%/code/solve/peel.c %D%/code/solve/peel.h \
	%D%/code/solve/solve.c \
	%D%/code/standard/ccsds.c \
	%D%/code/standard/ccsds_tables.c \
	%D%/code/standard/circulant.c \
	%D%/code/standard/circulant.h \
	%D%/code/standard/dvbs2.c \
	%D%/code/standard/dvbs2_tables.c \
	%D%/code/standard/nr.c \
	%D%/code/standard/nr_bg1.inc \
	%D%/code/standard/nr_bg2.inc \
	%D%/code/standard/nr_tables.c \
	%D%/code/standard/tables.h \
	%D%/code/standard/wifi_tables.c \
	%D%/code/standard/wifi_wimax.c \
	%D%/code/standard/wimax_tables.c \
	%D%/cuda/choose.c %D%/cuda/choose.h \
	%D%/cuda/classes.c %D%/cuda/classes.h \
	%D%/cuda/compiled.c %D%/cuda/compiled.h \
	%D%/cuda/decode.c \
	%D%/cuda/device.c %D%/cuda/device.h \
	%D%/cuda/recorded.c %D%/cuda/recorded.h \
	%D%/cuda/soft.c %D%/cuda/soft.h \
	%D%/cuda/soft_work.h \
	%D%/cuda/source_text.h \
	%D%/cuda/streams.c %D%/cuda/streams.h \
	%D%/cuda/takes.c %D%/cuda/takes.h \
	%D%/cuda/encode/backend.c \
	%D%/cuda/encode/block.h \
	%D%/cuda/encode/launch.h \
	%D%/cuda/encode/plan.c \
	%D%/cuda/general/arith.h \
	%D%/cuda/general/backend.c \
	%D%/cuda/general/block.h \
	%D%/cuda/general/group.h \
	%D%/cuda/general/launch.c %D%/cuda/general/launch.h \
	%D%/cuda/general/plan.c %D%/cuda/general/plan.h \
	%D%/cuda/general/row.h \
	%D%/cuda/quantize/block.h \
	%D%/cuda/quantize/launch.c %D%/cuda/quantize/launch.h \
	%D%/cuda/rate/backend.c \
	%D%/cuda/rate/encoder.c %D%/cuda/rate/encoder.h \
	%D%/cuda/rate/interleave.h \
	%D%/cuda/rate/launch.h \
	%D%/cuda/rate/match.h \
	%D%/cuda/rate/recover.h \
	%D%/cuda/rate/thread.h \
	%D%/cuda/registers/build.c %D%/cuda/registers/build.h \
	%D%/cuda/registers/fit.c \
	%D%/cuda/registers/flood.c \
	%D%/cuda/registers/form.c %D%/cuda/registers/form.h \
	%D%/cuda/registers/nr_source.c \
	%D%/cuda/registers/plan.c %D%/cuda/registers/plan.h \
	%D%/cuda/registers/row_text.c %D%/cuda/registers/row_text.h \
	%D%/cuda/registers/source.c %D%/cuda/registers/source.h \
	%D%/cuda/registers/work.c %D%/cuda/registers/work.h \
	%D%/cuda/shared/launch.c \
	%D%/cuda/shared/plan.c %D%/cuda/shared/plan.h \
	%D%/cuda/shared/source.c \
	%D%/cuda/shared/work.h \
	%D%/encode/dvbs2.c \
	%D%/encode/general.c \
	%D%/encode/lifted.c \
	%D%/encode/small.c \
	%D%/encode/words.h \
	%D%/rate/params.h \
	%D%/rate/rate.c %D%/rate/rate.h \
	%D%/rate/runs.h \
	%D%/ref/decode.c \
	%D%/ref/erasures.c %D%/ref/erasures.h \
	%D%/simd/along.h \
	%D%/simd/double_edges.h \
	%D%/simd/explain.c \
	%D%/simd/fixed.c %D%/simd/fixed.h \
	%D%/simd/gain.c \
	%D%/simd/gain.h \
	%D%/simd/lanes.h \
	%D%/simd/order.c %D%/simd/order.h \
	%D%/simd/pack.c \
	%D%/simd/packed.h \
	%D%/simd/plan.c \
	%D%/simd/pools.h \
	%D%/simd/row.h \
	%D%/simd/rule.h \
	%D%/simd/simd.c %D%/simd/simd.h \
	%D%/simd/soft.c \
	%D%/syndrome/dem.c %D%/syndrome/dem.h \
	%D%/syndrome/detectors.c \
	%D%/syndrome/exact.h \
	%D%/syndrome/matrix.c \
	%D%/syndrome/observables.c \
	%D%/syndrome/osd.c \
	%D%/syndrome/priors.c \
	%D%/syndrome/ref.c \
	%D%/syndrome/relay.c \
	%D%/syndrome/stage.c \
	%D%/syndrome/syndrome.h \
	%D%/syndrome/simd/alone.h \
	%D%/syndrome/simd/backend.c \
	%D%/syndrome/simd/bits.h \
	%D%/syndrome/simd/exact.h \
	%D%/syndrome/simd/lanes.h \
	%D%/syndrome/simd/order.h \
	%D%/syndrome/simd/osd.h \
	%D%/syndrome/simd/plan.c \
	%D%/syndrome/simd/plan_alone.c \
	%D%/syndrome/simd/simd.h
%C%_libldpc_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_libldpc_la_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS)
%C%_libldpc_la_LIBADD = plugins/common/recover/librecover.la plugins/common/absorbed/libabsorbed.la plugins/common/gpu/libgpu.la plugins/common/rtc/librtc.la %D%/libldpc-generic.la \
	%D%/libldpc-avx2.la %D%/libldpc-avx512.la %D%/libldpc-vbmi.la

# CUDA kernels; what the C side of them does without CUDA: see <fecrun/sdk/cuda.h>.
ldpc_register_kernels = \
	%D%/cuda/registers/kernels/bg1_9.cu \
	%D%/cuda/registers/kernels/bg1_18.cu \
	%D%/cuda/registers/kernels/bg1_24.cu \
	%D%/cuda/registers/kernels/bg1_34.cu \
	%D%/cuda/registers/kernels/bg1_46_256.cu \
	%D%/cuda/registers/kernels/bg1_46_352.cu \
	%D%/cuda/registers/kernels/bg1_46_384.cu \
	%D%/cuda/registers/kernels/bg1_fixed_18.cu \
	%D%/cuda/registers/kernels/bg1_fixed_34.cu \
	%D%/cuda/registers/kernels/bg1_fixed_46.cu \
	%D%/cuda/registers/kernels/bg1_halved_18.cu \
	%D%/cuda/registers/kernels/bg1_halved_46.cu \
	%D%/cuda/registers/kernels/bg2_20.cu \
	%D%/cuda/registers/kernels/bg2_42.cu \
	%D%/cuda/registers/kernels/bg2_fixed.cu \
	%D%/cuda/registers/kernels/bg2_halved.cu
ldpc_kernels = \
	%D%/cuda/encode/kernels.cu \
	%D%/cuda/general/kernels/half.cu \
	%D%/cuda/general/kernels/i16.cu \
	%D%/cuda/quantize/kernels.cu \
	%D%/cuda/rate/kernels.cu \
	%D%/cuda/sorted.cu \
	$(ldpc_register_kernels)
EXTRA_DIST += $(ldpc_kernels) \
	%D%/cuda/general/kernel.cuh \
	%D%/cuda/registers/flood.cuh \
	%D%/cuda/registers/graph.cuh \
	%D%/cuda/registers/kernel.cuh \
	%D%/cuda/registers/lanes.cuh \
	%D%/cuda/registers/minima.cuh \
	%D%/cuda/registers/nr.cuh \
	%D%/cuda/registers/place.cuh \
	%D%/cuda/registers/ptx.cuh \
	%D%/cuda/registers/read.cuh \
	%D%/cuda/registers/row.cuh \
	%D%/cuda/registers/soft.cuh \
	%D%/cuda/registers/soft_number.cuh \
	%D%/cuda/registers/write.cuh \
	%D%/cuda/shared/kernel.cuh \
	%D%/cuda/shared/ptx.cuh \
	%D%/cuda/shared/row.cuh
if HAVE_CUDA
%C%_libldpc_la_LIBADD += $(ldpc_kernels:.cu=.lo) $(CUDA_LIBS)
# Devices that are newer than the build compile these when they are used.
$(ldpc_register_kernels:.cu=.lo): CUDA_ARCH_FLAGS = $(CUDA_MACHINE_FLAGS)
endif

# What kernels that are compiled at run time include, as strings in the plugin.
ldpc_kernel_texts = \
	plugins/ldpc/alphas.h \
	plugins/ldpc/cuda/registers/flood.cuh \
	plugins/ldpc/cuda/registers/graph.cuh \
	plugins/ldpc/cuda/registers/kernel.cuh \
	plugins/ldpc/cuda/registers/lanes.cuh \
	plugins/ldpc/cuda/registers/minima.cuh \
	plugins/ldpc/cuda/registers/place.cuh \
	plugins/ldpc/cuda/registers/ptx.cuh \
	plugins/ldpc/cuda/registers/read.cuh \
	plugins/ldpc/cuda/registers/row.cuh \
	plugins/ldpc/cuda/registers/soft.cuh \
	plugins/ldpc/cuda/registers/soft_number.cuh \
	plugins/ldpc/cuda/registers/work.h \
	plugins/ldpc/cuda/registers/write.cuh \
	plugins/ldpc/cuda/shared/kernel.cuh \
	plugins/ldpc/cuda/shared/ptx.cuh \
	plugins/ldpc/cuda/shared/row.cuh \
	plugins/ldpc/cuda/shared/work.h \
	plugins/ldpc/cuda/soft_work.h \
	core/include/fecrun/plugin.h \
	core/sdk/device.h
BUILT_SOURCES += include/ldpc_kernel_texts.h
CLEANFILES += include/ldpc_kernel_texts.h
ldpc_compiled_object = %D%/cuda/libldpc_la-compiled.lo # by name it would be another rule to make it
$(ldpc_compiled_object): include/ldpc_kernel_texts.h
include/ldpc_kernel_texts.h: $(ldpc_kernel_texts)
	$(call write_kernel_texts,$(ldpc_kernel_texts))

# One object an instruction set, as in plugins/viterbi; Makefile.am lists them.
%C%_libldpc_generic_la_SOURCES = %D%/simd/generic.c %D%/syndrome/simd/generic.c
%C%_libldpc_generic_la_CPPFLAGS = $(SIMD_CPPFLAGS)
%C%_libldpc_generic_la_CFLAGS = $(LARGE_CFLAGS)
%C%_libldpc_avx2_la_SOURCES = %D%/simd/avx2.c %D%/syndrome/simd/avx2.c
%C%_libldpc_avx2_la_CPPFLAGS = $(SIMD_CPPFLAGS)
%C%_libldpc_avx2_la_CFLAGS = $(WIDE_CFLAGS) $(AVX2_CFLAGS)
%C%_libldpc_avx512_la_SOURCES = %D%/simd/avx512.c %D%/syndrome/simd/avx512.c
%C%_libldpc_avx512_la_CPPFLAGS = $(SIMD_CPPFLAGS)
%C%_libldpc_avx512_la_CFLAGS = $(WIDE_CFLAGS) $(AVX512_CFLAGS)
%C%_libldpc_vbmi_la_SOURCES = %D%/simd/avx512.c
%C%_libldpc_vbmi_la_CPPFLAGS = $(SIMD_CPPFLAGS) -DLDPC_VBMI
%C%_libldpc_vbmi_la_CFLAGS = $(WIDE_CFLAGS) $(VBMI_CFLAGS)

pluginexec_LTLIBRARIES += %D%/ldpc.la
%C%_ldpc_la_SOURCES =
%C%_ldpc_la_LIBADD = %D%/libldpc.la $(PLUGIN_LIBS)
%C%_ldpc_la_LDFLAGS = $(PLUGIN_LDFLAGS)

BUILT_PLUGINS += lib/fecrun/$(FECRUN_ABI)/ldpc.so
lib/fecrun/$(FECRUN_ABI)/ldpc.so: %D%/ldpc.la
	$(COPY_PLUGIN)
