# SPDX-License-Identifier: BSD-2-Clause
# What stages of block codes check alike.
EXTRA_DIST += %D%/checks.h
