/* SPDX-License-Identifier: BSD-2-Clause */
/* A form that asks for something that this host does not know. */
#define BAD_NAME "reserved"
#define BAD_RESERVED 1
#include "t/doubles/bad/stage.h"
