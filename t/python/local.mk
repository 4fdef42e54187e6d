# SPDX-License-Identifier: BSD-2-Clause
# The Python package.
shell_tests += %D%/python.t
