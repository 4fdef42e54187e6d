/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "short_form"
#define BAD_FORM_SIZE offsetof(struct fecrun_form, FECRUN_FORM_LAST)
#include "t/doubles/bad/stage.h"
