# SPDX-License-Identifier: BSD-2-Clause
# An installed tree, and a plugin and a program built outside of this one.
shell_tests += \
	%D%/hardening.t \
	%D%/install.t
EXTRA_DIST += %D%/outoftree
