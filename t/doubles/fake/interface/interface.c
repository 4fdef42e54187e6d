/* SPDX-License-Identifier: BSD-2-Clause */
/* A backend for interface 6 of fake devices; they have 7. */
#define BAD_NAME "interface"
#define BAD_PROBE NULL
#define BAD_PROVIDER "fake"
#include "t/doubles/bad/stage.h"
