/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/params.h>

#include "plugins/ldpc/code/params.h"

static const char *const families[] = {
    [LDPC_NR] = "nr",       [LDPC_WIFI] = "wifi", [LDPC_WIMAX] = "wimax", [LDPC_DVBS2] = "dvbs2",
    [LDPC_ALIST] = "alist", [LDPC_QC] = "qc",     [LDPC_CCSDS] = "ccsds", NULL,
};

enum { NORMAL, SHORT };

static const char *const frames[] = {[NORMAL] = "normal", [SHORT] = "short", NULL};

const struct fecrun_param ldpc_code_param[LDPC_N_CODE_PARAMS] = {
    [LDPC_P_CODE] =
        {.size = sizeof(struct fecrun_param),
         .name = "code",
         .type = FECRUN_VALUE_CHOICE,
         .flags = FECRUN_PARAM_REQUIRED | FECRUN_PARAM_SHARED,
         .choices = families,
         .help = "the code: 5G NR, IEEE 802.11, IEEE 802.16e, DVB-S2, CCSDS, or a file: MacKay's "
                 "alist, or qc, shifts of circulants as AFF3CT reads them"},
    [LDPC_P_BG] = {.size = sizeof(struct fecrun_param),
                   .name = "bg",
                   .type = FECRUN_VALUE_INT,
                   .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED,
                   .unless = "code",
                   .imin = 1,
                   .imax = 2,
                   .help = "nr: base graph; default of bg, z, fillers: from seg.split"},
    [LDPC_P_Z] =
        {.size = sizeof(struct fecrun_param),
         .name = "z",
         .type = FECRUN_VALUE_INT,
         .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED,
         .unless = "code",
         .imin = 2,
         .imax = 384,
         .help = "nr: lifting size Zc, one of the 51 of TS 38.212; K = 22 z or 10 z, N = 66 z or "
                 "50 z"},
    [LDPC_P_FILLERS] =
        {.size = sizeof(struct fecrun_param),
         .name = "fillers",
         .type = FECRUN_VALUE_INT,
         .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED,
         .unless = "code",
         .unit = "bits",
         .imin = 0,
         .imax = 20 * 384 - 1,
         .default_text = "0",
         .help =
             "nr: the last ones of the K bits, zeros that are not sent; K - fillers bits go in"},
    [LDPC_P_N] = {.size = sizeof(struct fecrun_param),
                  .name = "n",
                  .type = FECRUN_VALUE_INT,
                  .flags = FECRUN_PARAM_SHARED,
                  .unless = "code",
                  .unit = "bits",
                  .imin = 128,
                  .imax = 32768,
                  .help =
                      "wifi: 648, 1296 or 1944; wimax: 576 to 2304 in steps of 96; ccsds: 128, 512 "
                      "(telecommand), 8176 (C2), 1280, 5120, 20480 (AR4JA 4/5), 1536, 6144, 24576 "
                      "(2/3), 2048, 8192, 32768 (1/2)"},
    [LDPC_P_FRAME] = {.size = sizeof(struct fecrun_param),
                      .name = "frame",
                      .type = FECRUN_VALUE_CHOICE,
                      .flags = FECRUN_PARAM_SHARED,
                      .unless = "code",
                      .choices = frames,
                      .help = "dvbs2: 64800 or 16200 bits"},
    [LDPC_P_RATE] =
        {.size = sizeof(struct fecrun_param),
         .name = "rate",
         .type = FECRUN_VALUE_STRING,
         .flags = FECRUN_PARAM_SHARED,
         .unless = "code",
         .help = "wifi: 1/2, 2/3, 3/4, 5/6; wimax: 1/2, 2/3A, 2/3B, 3/4A, 3/4B, 5/6; dvbs2: 1/4 to "
                 "9/10, for short frames the nominal one"},
    [LDPC_P_PATH] = {.size = sizeof(struct fecrun_param),
                     .name = "path",
                     .type = FECRUN_VALUE_PATH,
                     .flags = FECRUN_PARAM_SHARED,
                     .unless = "code",
                     .help = "alist, qc: the file"},
};

#define HAS(p) (1u << (p))

/* Parameters that a family has beside `code`, and those that it cannot do without. */
static const struct wants {
    uint32_t all, needed;
} wants[] = {
    [LDPC_NR] = {HAS(LDPC_P_BG) | HAS(LDPC_P_Z) | HAS(LDPC_P_FILLERS),
                 HAS(LDPC_P_BG) | HAS(LDPC_P_Z)},
    [LDPC_WIFI] = {HAS(LDPC_P_N) | HAS(LDPC_P_RATE), HAS(LDPC_P_N) | HAS(LDPC_P_RATE)},
    [LDPC_WIMAX] = {HAS(LDPC_P_N) | HAS(LDPC_P_RATE), HAS(LDPC_P_N) | HAS(LDPC_P_RATE)},
    [LDPC_DVBS2] = {HAS(LDPC_P_FRAME) | HAS(LDPC_P_RATE), HAS(LDPC_P_FRAME) | HAS(LDPC_P_RATE)},
    [LDPC_ALIST] = {HAS(LDPC_P_PATH), HAS(LDPC_P_PATH)},
    [LDPC_QC] = {HAS(LDPC_P_PATH), HAS(LDPC_P_PATH)},
    [LDPC_CCSDS] = {HAS(LDPC_P_N), HAS(LDPC_P_N)},
};

/* Names of the parameters of the set, "bg, z, fillers". */
static void list_names(uint32_t set, char *text, size_t size)
{
    size_t used = 0;

    for (unsigned p = 0; p < LDPC_N_CODE_PARAMS && used < size; p++)
        if (set & HAS(p))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     ldpc_code_param[p].name);
}

static int check_given(const struct fecrun_values *values, enum ldpc_family family,
                       struct fecrun_error *err)
{
    char list[64] = "";

    list_names(wants[family].all, list, sizeof list);
    for (unsigned p = LDPC_P_CODE + 1; p < LDPC_N_CODE_PARAMS; p++) {
        const struct fecrun_value *value = fecrun_value(values, p);
        bool written = value->given && !(value->given == 1 && ldpc_code_param[p].default_text);

        if (written && !(wants[family].all & HAS(p)))
            return fecrun_fail(err, ldpc_code_param[p].name, "code: %s has no %s; it has %s",
                               families[family], ldpc_code_param[p].name, list);
        if (!written && wants[family].needed & HAS(p))
            return fecrun_fail(err, ldpc_code_param[p].name, "missing: code: %s needs it (%s)",
                               families[family], ldpc_code_param[p].help);
    }
    return 0;
}

static uint32_t number(const struct fecrun_values *values, size_t p)
{
    return (uint32_t)fecrun_value(values, p)->i;
}

static const char *text(const struct fecrun_values *values, size_t p)
{
    return fecrun_value(values, p)->s;
}

struct ldpc_code *ldpc_read_code(const struct fecrun_values *values, struct fecrun_error *err)
{
    enum ldpc_family family = (enum ldpc_family)number(values, LDPC_P_CODE);

    if (check_given(values, family, err))
        return NULL;
    switch (family) {
    case LDPC_NR:
        return ldpc_code_nr(number(values, LDPC_P_BG), number(values, LDPC_P_Z),
                            number(values, LDPC_P_FILLERS), err);
    case LDPC_WIFI:
        return ldpc_code_wifi(number(values, LDPC_P_N), text(values, LDPC_P_RATE), err);
    case LDPC_WIMAX:
        return ldpc_code_wimax(number(values, LDPC_P_N), text(values, LDPC_P_RATE), err);
    case LDPC_DVBS2:
        return ldpc_code_dvbs2(number(values, LDPC_P_FRAME) == SHORT, text(values, LDPC_P_RATE),
                               err);
    case LDPC_CCSDS:
        return ldpc_code_ccsds(number(values, LDPC_P_N), err);
    case LDPC_ALIST:
        return ldpc_code_alist(text(values, LDPC_P_PATH), err);
    case LDPC_QC:
        return ldpc_code_qc(text(values, LDPC_P_PATH), err);
    }
    fecrun_fail(err, "code", "is unknown");
    return NULL;
}
