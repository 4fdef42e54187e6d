# SPDX-License-Identifier: BSD-2-Clause
# Plugins that must be refused, or parts of them: bad/NAME.c becomes BADDIR/NAME.so, linked with the
# variable LIBS_NAME.
bad_plugins = \
	%D%/bad/bad_name.so \
	%D%/bad/check_code.so \
	%D%/bad/check_faulty.so \
	%D%/bad/check_habits.so \
	%D%/bad/check_rs.so \
	%D%/bad/check_slow.so \
	%D%/bad/check_sure.so \
	%D%/bad/dies.so \
	%D%/bad/early/blocks.so \
	%D%/bad/early/crashes.so \
	%D%/bad/early/exits.so \
	%D%/bad/early/prints.so \
	%D%/bad/early/stops.so \
	%D%/bad/early/unarmed.so \
	%D%/bad/hostile.so \
	%D%/bad/in_dependency.so \
	%D%/bad/late/exits.so \
	%D%/bad/late/hangs.so \
	%D%/bad/libdep.so \
	%D%/bad/no_backends.so \
	%D%/bad/no_symbol.so \
	%D%/bad/null_run.so \
	%D%/bad/old_abi.so \
	%D%/bad/probe_crash.so \
	%D%/bad/probe_exit.so \
	%D%/bad/probe_moody.so \
	%D%/bad/probe_refuse.so \
	%D%/bad/product.so \
	%D%/bad/reserved.so \
	%D%/bad/short_backend.so \
	%D%/bad/short_example.so \
	%D%/bad/short_form.so \
	%D%/bad/short_param.so \
	%D%/bad/short_plugin.so \
	%D%/bad/short_port.so \
	%D%/bad/short_stage.so \
	%D%/bad/undefined.so \
	%D%/bad/unknown_type.so
%D%/bad/in_dependency.so: %D%/bad/libdep.so
LIBS_product = -lm
LIBS_check_sure = -lm
LIBS_in_dependency = -L%D%/bad -l:libdep.so -Wl,-rpath,'$$ORIGIN'

# Plugins that work, for tests: a device made of host memory, ports, streams, stages that do nothing.
# Those in folders of their own are loaded only where a test names the folder.
fake_sources = \
	%D%/fake/cuda/row.c \
	%D%/fake/future.c \
	%D%/fake/long.c \
	%D%/fake/interface/interface.c \
	%D%/fake/null.c \
	%D%/fake/wide.c \
	%D%/fake/old/old.c \
	%D%/fake/ports.c \
	%D%/fake/spoil.c \
	%D%/fake/second/second.c
device_sources = \
	%D%/fake/device.c \
	%D%/fake/device/absorb.c \
	%D%/fake/device/bits.c \
	%D%/fake/device/bound.c \
	%D%/fake/device/choosy.c \
	%D%/fake/device/count.c \
	%D%/fake/device/ends.c \
	%D%/fake/device/instance.c \
	%D%/fake/device/llr.c \
	%D%/fake/device/provider.c \
	%D%/fake/device/stream.c \
	%D%/fake/device/window.c
fake_plugins = $(fake_sources:.c=.so) %D%/fake/device.so
fake_headers = %D%/fake/fake.h %D%/fake/device/device.h

# To be preloaded: a CUDA device that plans find; the n-th call of a function fails; what a power cut leaves.
preloads = %D%/fault/cuda.so %D%/fault/fault.so %D%/fault/power.so

EXTRA_DIST += $(preloads:.so=.c) $(bad_plugins:.so=.c) %D%/bad/stage.h $(fake_sources) $(device_sources) $(fake_headers)
check_DATA += $(bad_plugins) $(fake_plugins) $(preloads)
CLEANFILES += $(bad_plugins) $(fake_plugins) $(preloads)

# A plugin of one file; the device has several.
double_so = $(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) $(FAMILY_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) \
	$(CFLAGS) -fPIC -shared -o $@ $(filter %.c,$^) $(LIBS_$(*F))
%D%/%.so: %D%/%.c
	$(double_so)
%D%/fake/device.so: $(device_sources)
	$(double_so)
$(bad_plugins) $(fake_plugins): $(top_srcdir)/core/include/fecrun/plugin.h
$(bad_plugins) $(fake_plugins): $(srcdir)/%D%/bad/stage.h
$(fake_plugins): $(fake_headers)
