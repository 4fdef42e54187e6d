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
	%D%/code/dvbs2.c \
	%D%/code/dvbs2_tables.c \
	%D%/code/identity.c \
	%D%/code/library.c %D%/code/library.h \
	%D%/code/nr.c \
	%D%/code/nr_bg1.inc \
	%D%/code/nr_bg2.inc \
	%D%/code/nr_tables.c \
	%D%/code/params.c %D%/code/params.h \
	%D%/code/read_alist.c \
	%D%/code/read_qc.c \
	%D%/code/read_text.c %D%/code/read_text.h \
	%D%/code/schedule.c \
	%D%/code/solve.c \
	%D%/code/solve_dense.c %D%/code/solve_dense.h \
	%D%/code/solve_peel.c %D%/code/solve_peel.h \
	%D%/code/steps.c %D%/code/steps.h \
	%D%/code/tables.h \
	%D%/code/wifi_tables.c \
	%D%/code/wifi_wimax.c \
	%D%/code/wimax_tables.c \
	%D%/cuda/class.c %D%/cuda/class.h \
	%D%/cuda/compiled.c %D%/cuda/compiled.h \
	%D%/cuda/encode.c %D%/cuda/encode.h \
	%D%/cuda/encode_device.h \
	%D%/cuda/encode_plan.c \
	%D%/cuda/frames.c %D%/cuda/frames.h \
	%D%/cuda/frames_device.h \
	%D%/cuda/general.c %D%/cuda/general.h \
	%D%/cuda/general_arith.h \
	%D%/cuda/general_backend.c \
	%D%/cuda/general_group.h \
	%D%/cuda/general_kernel.h \
	%D%/cuda/general_launch.h \
	%D%/cuda/general_plan.c \
	%D%/cuda/general_row.h \
	%D%/cuda/interleave_device.h \
	%D%/cuda/match_device.h \
	%D%/cuda/narrow.c %D%/cuda/narrow.h \
	%D%/cuda/narrow_device.h \
	%D%/cuda/rate.c %D%/cuda/rate.h \
	%D%/cuda/rate_device.h \
	%D%/cuda/received.c %D%/cuda/received.h \
	%D%/cuda/recorded.c %D%/cuda/recorded.h \
	%D%/cuda/recover_device.h \
	%D%/cuda/registers.c %D%/cuda/registers.h \
	%D%/cuda/registers_code.c %D%/cuda/registers_code.h \
	%D%/cuda/registers_flood.c \
	%D%/cuda/registers_form.c %D%/cuda/registers_form.h \
	%D%/cuda/registers_launch.c \
	%D%/cuda/registers_nr_source.c \
	%D%/cuda/registers_plan.c \
	%D%/cuda/registers_source.c %D%/cuda/registers_source.h \
	%D%/cuda/registers_work.h \
	%D%/cuda/shared.c %D%/cuda/shared.h \
	%D%/cuda/shared_plan.c \
	%D%/cuda/shared_source.c \
	%D%/cuda/shared_work.h \
	%D%/cuda/streams.c %D%/cuda/streams.h \
	%D%/cuda/text.h \
	%D%/cuda/which.c %D%/cuda/which.h \
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
	%D%/simd/fixed.c %D%/simd/fixed.h \
	%D%/simd/gain.h \
	%D%/simd/lanes.h \
	%D%/simd/order.c %D%/simd/order.h \
	%D%/simd/plan.c \
	%D%/simd/pools.h \
	%D%/simd/row.h \
	%D%/simd/simd.c %D%/simd/simd.h \
	%D%/simd/soft.c \
	%D%/simd/twins.h
%C%_libldpc_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_libldpc_la_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS)
%C%_libldpc_la_LIBADD = plugins/common/files/libfiles.la plugins/common/front/libfront.la plugins/common/rtc/librtc.la %D%/libldpc-generic.la \
	%D%/libldpc-avx2.la %D%/libldpc-avx512.la %D%/libldpc-vbmi.la

# CUDA kernels; what the C side of them does without CUDA: see <fecrun/sdk/cuda.h>.
ldpc_kernels = \
	%D%/cuda/encode_kernels.cu \
	%D%/cuda/general_half.cu \
	%D%/cuda/general_i16.cu \
	%D%/cuda/narrow_kernels.cu \
	%D%/cuda/rate_kernels.cu \
	%D%/cuda/registers_bg1_9.cu \
	%D%/cuda/registers_bg1_18.cu \
	%D%/cuda/registers_bg1_24.cu \
	%D%/cuda/registers_bg1_34.cu \
	%D%/cuda/registers_bg1_46_256.cu \
	%D%/cuda/registers_bg1_46_352.cu \
	%D%/cuda/registers_bg1_46_384.cu \
	%D%/cuda/registers_bg1_fixed_18.cu \
	%D%/cuda/registers_bg1_fixed_34.cu \
	%D%/cuda/registers_bg1_fixed_46.cu \
	%D%/cuda/registers_bg1_halved_18.cu \
	%D%/cuda/registers_bg1_halved_46.cu \
	%D%/cuda/registers_bg2_20.cu \
	%D%/cuda/registers_bg2_42.cu \
	%D%/cuda/registers_bg2_fixed.cu \
	%D%/cuda/registers_bg2_halved.cu
EXTRA_DIST += $(ldpc_kernels) \
	%D%/cuda/general.cuh \
	%D%/cuda/registers_flood.cuh \
	%D%/cuda/registers_graph.cuh \
	%D%/cuda/registers_kernel.cuh \
	%D%/cuda/registers_minima.cuh \
	%D%/cuda/registers_nr.cuh \
	%D%/cuda/registers_place.cuh \
	%D%/cuda/registers_ptx.cuh \
	%D%/cuda/registers_read.cuh \
	%D%/cuda/registers_row.cuh \
	%D%/cuda/registers_write.cuh \
	%D%/cuda/shared_kernel.cuh \
	%D%/cuda/shared_ptx.cuh \
	%D%/cuda/shared_row.cuh
if HAVE_CUDA
%C%_libldpc_la_LIBADD += $(ldpc_kernels:.cu=.lo) $(CUDA_LIBS)
endif

# What kernels that are compiled at run time include, as strings in the plugin.
ldpc_kernel_texts = \
	plugins/ldpc/alphas.h \
	plugins/ldpc/cuda/registers_flood.cuh \
	plugins/ldpc/cuda/registers_graph.cuh \
	plugins/ldpc/cuda/registers_kernel.cuh \
	plugins/ldpc/cuda/registers_minima.cuh \
	plugins/ldpc/cuda/registers_place.cuh \
	plugins/ldpc/cuda/registers_ptx.cuh \
	plugins/ldpc/cuda/registers_read.cuh \
	plugins/ldpc/cuda/registers_row.cuh \
	plugins/ldpc/cuda/registers_work.h \
	plugins/ldpc/cuda/registers_write.cuh \
	plugins/ldpc/cuda/shared_kernel.cuh \
	plugins/ldpc/cuda/shared_ptx.cuh \
	plugins/ldpc/cuda/shared_row.cuh \
	plugins/ldpc/cuda/shared_work.h \
	core/include/fecrun/plugin.h \
	core/sdk/device.h
BUILT_SOURCES += include/ldpc_kernel_texts.h
CLEANFILES += include/ldpc_kernel_texts.h
ldpc_compiled_object = %D%/cuda/libldpc_la-compiled.lo # by name it would be another rule to make it
$(ldpc_compiled_object): include/ldpc_kernel_texts.h
include/ldpc_kernel_texts.h: $(ldpc_kernel_texts)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && for file in $(ldpc_kernel_texts); do \
	    echo "$$file" | sed 's,core/sdk,fecrun/sdk,; s,core/include/,,; s/.*/{"&",/'; \
	    sed 's/[\\"]/\\&/g; s/^/"/; s/$$/\\n"/' "$(srcdir)/$$file"; \
	    echo '},'; \
	done >$@.tmp && mv -f $@.tmp $@

# One object an instruction set, as in plugins/viterbi; Makefile.am lists them.
%C%_libldpc_generic_la_SOURCES = %D%/simd/generic.c
%C%_libldpc_generic_la_CPPFLAGS = $(SIMD_CPPFLAGS)
%C%_libldpc_generic_la_CFLAGS = $(SIMD_CFLAGS)
%C%_libldpc_avx2_la_SOURCES = %D%/simd/avx2.c
%C%_libldpc_avx2_la_CPPFLAGS = $(SIMD_CPPFLAGS)
%C%_libldpc_avx2_la_CFLAGS = $(WIDE_CFLAGS) $(AVX2_CFLAGS)
%C%_libldpc_avx512_la_SOURCES = %D%/simd/avx512.c
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
