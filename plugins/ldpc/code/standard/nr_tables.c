/* SPDX-License-Identifier: BSD-2-Clause */
/* TS 38.212 Tables 5.3.2-1 to 5.3.2-3, shifts as they stand there: take them modulo z. */
#include "plugins/ldpc/code/standard/tables.h"

const struct ldpc_lifting ldpc_nr_lifting[LDPC_NR_LIFTINGS] = {
    {2, 0}, {3, 1}, {4, 0}, {5, 2}, {6, 1}, {7, 3}, {8, 0}, {9, 4}, {10, 2}, {11, 5}, {12, 1},
    {13, 6}, {14, 3}, {15, 7}, {16, 0}, {18, 4}, {20, 2}, {22, 5}, {24, 1}, {26, 6}, {28, 3},
    {30, 7}, {32, 0}, {36, 4}, {40, 2}, {44, 5}, {48, 1}, {52, 6}, {56, 3}, {60, 7}, {64, 0},
    {72, 4}, {80, 2}, {88, 5}, {96, 1}, {104, 6}, {112, 3}, {120, 7}, {128, 0}, {144, 4}, {160, 2},
    {176, 5}, {192, 1}, {208, 6}, {224, 3}, {240, 7}, {256, 0}, {288, 4}, {320, 2}, {352, 5},
    {384, 1},
};

const struct ldpc_nr_entry ldpc_nr_bg1[LDPC_NR_BG1_ENTRIES] = {
#include "plugins/ldpc/code/standard/nr_bg1.inc"
};

const struct ldpc_nr_entry ldpc_nr_bg2[LDPC_NR_BG2_ENTRIES] = {
#include "plugins/ldpc/code/standard/nr_bg2.inc"
};
