# SPDX-License-Identifier: BSD-2-Clause
# What the documents tell people to type.
shell_tests += %D%/links.t %D%/readme.t %D%/recipes.t %D%/snippets.t
