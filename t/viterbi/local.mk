# SPDX-License-Identifier: BSD-2-Clause
# Convolutional codes.
check_PROGRAMS += \
	%D%/test_compiled \
	%D%/test_conv_blocks \
	%D%/test_conv_cuda \
	%D%/test_core \
	%D%/test_frame \
	%D%/test_general \
	%D%/test_ml \
	%D%/test_range \
	%D%/test_several \
	%D%/test_soft
%C%_test_compiled_LDADD = plugins/viterbi/libviterbi.la $(LDADD)
%C%_test_conv_blocks_LDADD = $(LDADD)
%C%_test_conv_cuda_LDADD = plugins/viterbi/libviterbi.la $(LDADD)
%C%_test_core_LDADD = plugins/viterbi/libviterbi.la $(LDADD)
%C%_test_frame_LDADD = plugins/viterbi/libviterbi.la $(LDADD)
%C%_test_general_LDADD = plugins/viterbi/libviterbi.la $(LDADD)
%C%_test_ml_LDADD = plugins/viterbi/libviterbi.la $(LDADD)
%C%_test_range_LDADD = plugins/viterbi/libviterbi.la $(LDADD)
%C%_test_several_LDADD = plugins/viterbi/libviterbi.la $(LDADD)
%C%_test_soft_LDADD = plugins/viterbi/libviterbi.la $(LDADD) $(LIBM)
shell_tests += \
	%D%/conv_cuda.t \
	%D%/cuda.t \
	%D%/ends.t \
	%D%/errors.t \
	%D%/match.t \
	%D%/soft.t \
	%D%/vectors.t
long_tests += \
	%D%/long_curves.t \
	%D%/long_stream.t
EXTRA_DIST += \
	%D%/registers.cuh \
	%D%/registers_teams.cuh \
	%D%/strain.h \
	%D%/viterbi.h

# The threads of the CUDA decoders in registers, compiled for the CPU: nothing is unrolled, and -O1 will do.
if HAVE_CUDA
check_PROGRAMS += \
	%D%/test_frames \
	%D%/test_registers \
	%D%/test_registers_old \
	%D%/test_registers_slot \
	%D%/test_wrap
endif
%C%_test_frames_SOURCES =
%C%_test_frames_LDADD = %D%/test_frames.lo plugins/viterbi/libviterbi.la $(LDADD)
%C%_test_registers_SOURCES =
%C%_test_registers_LDADD = %D%/test_registers.lo plugins/viterbi/libviterbi.la $(LDADD)
%C%_test_registers_old_SOURCES =
%C%_test_registers_old_LDADD = %D%/test_registers_old.lo plugins/viterbi/libviterbi.la $(LDADD)
%C%_test_registers_slot_SOURCES =
%C%_test_registers_slot_LDADD = %D%/test_registers_slot.lo plugins/viterbi/libviterbi.la $(LDADD)
%C%_test_wrap_SOURCES =
%C%_test_wrap_LDADD = %D%/test_wrap.lo plugins/viterbi/libviterbi.la $(LDADD)
viterbi_threads = %D%/test_frames.lo %D%/test_registers.lo %D%/test_registers_old.lo %D%/test_registers_slot.lo %D%/test_wrap.lo
EXTRA_DIST += %D%/test_frames.cu %D%/test_registers.cu %D%/test_registers_old.cu %D%/test_registers_slot.cu %D%/test_wrap.cu
MOSTLYCLEANFILES += $(viterbi_threads) $(viterbi_threads:.lo=.o)
$(viterbi_threads): %.lo: %.cu
	$(AM_V_GEN)$(MKDIR_P) $(@D)
	$(AM_V_at)$(LIBTOOL) $(AM_V_lt) --tag=CC $(AM_LIBTOOLFLAGS) $(LIBTOOLFLAGS) --mode=compile \
	    $(filter-out -O%,$(NVCC_COMPILE)) -O1 -Wno-unknown-pragmas \
	    -MD -MT $@ -MF $(@:.lo=.cu.d) -c -o $@ $<
