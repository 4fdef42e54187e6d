/* SPDX-License-Identifier: BSD-2-Clause */
/* Which codes the LDPC plugin's backends take, and what they say of others: takes() of each. */
#include "t/lib/tap.h"

#include <string.h>

#include "core/sdk/params.h"
#include "plugins/ldpc/cuda/general/plan.h"
#include "plugins/ldpc/encode.h"
#include "plugins/ldpc/plugin.h"

static int ask_form(const struct fecrun_backend *backend, const struct fecrun_form *form,
                    void *first, void *second, struct fecrun_error *err)
{
    void *const codes[] = {first, second};
    const struct fecrun_create args = {
        .size = sizeof args, .codes = codes, .n_codes = second ? 2 : 1, .form = form};

    *err = (struct fecrun_error){.size = sizeof *err};
    return backend->takes(&args, err);
}

static int ask(const struct fecrun_backend *backend, void *first, void *second,
               struct fecrun_error *err)
{
    return ask_form(backend, backend->forms[0], first, second, err);
}

static void taken(const struct fecrun_backend *backend, void *first, void *second, const char *what)
{
    struct fecrun_error err;

    ok(!ask(backend, first, second, &err), "%s takes %s", backend->name, what);
    is_str(err.text, "", "and says nothing");
}

static void refused(const struct fecrun_backend *backend, void *first, void *second,
                    const char *param, const char *what)
{
    struct fecrun_error err;

    ok(ask(backend, first, second, &err), "%s does not take %s: %s", backend->name, what, err.text);
    ok(err.text[0], "and says why");
    is_str(err.param, param, "and whose fault it is");
}

static void test_encoder(struct ldpc_code *nr, struct ldpc_code *wifi)
{
    struct ldpc_code hamming = {
        .family = LDPC_ALIST, .z = 1, .rows = 3, .cols = 7, .core_rows = 3, .k = 4, .n = 7};
    struct ldpc_encode a = {.code = nr}, b = {.code = wifi}, c = {.code = &hamming};

    taken(&ldpc_encode_cuda, &a, NULL, "a code of NR");
    taken(&ldpc_encode_cuda, &a, &b, "one of NR and one of Wi-Fi");
    refused(&ldpc_encode_cuda, &c, NULL, "", "a code without structure");
    refused(&ldpc_encode_cuda, &a, &c, "", "one as the second class");
}

static void test_decoders(struct ldpc_code *nr, struct ldpc_code *wifi)
{
    static const struct fecrun_backend *const backends[] = {&ldpc_decode_simd,
                                                            &ldpc_decode_cuda_general};
    struct ldpc_code huge = *wifi;
    struct ldpc_decode layered = {.code = nr,
                                  .rows = nr->rows,
                                  .iterations = 5,
                                  .alpha = 0.75,
                                  .llr_scale = 1,
                                  .bits = nr->k};
    struct ldpc_decode flooding = layered, spa = layered, large = layered, other = layered,
                       solve = layered;

    flooding.rule = LDPC_FLOODING;
    spa.algorithm = LDPC_SPA;
    large.alpha = 1.5;
    solve.solve = true;
    other.code = wifi;
    other.rows = wifi->rows;
    other.bits = wifi->k;
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
        taken(backends[i], &layered, NULL, "layered min-sum");
        taken(backends[i], &other, NULL, "a code that is not NR's");
        refused(backends[i], &flooding, NULL, "schedule", "flooding");
        refused(backends[i], &spa, NULL, "check_rule", "sum-product");
        refused(backends[i], &solve, NULL, "erasures", "erasures to be solved");
    }
    taken(&ldpc_decode_cuda, &spa, NULL, "sum-product, of NR");
    other.algorithm = LDPC_SPA;
    taken(&ldpc_decode_cuda, &other, &spa, "sum-product, of Wi-Fi and of NR");
    other.rule = LDPC_FLOODING;
    refused(&ldpc_decode_cuda, &other, NULL, "check_rule", "sum-product, flooding, of Wi-Fi");
    other.rule = LDPC_LAYERED;
    other.algorithm = LDPC_NMS;
    refused(&ldpc_decode_simd, &large, NULL, "alpha", "a factor above 1");
    taken(&ldpc_decode_cuda_general, &large, NULL, "a factor above 1");
    refused(&ldpc_decode_cuda_general, &layered, &flooding, "schedule", "flooding in one class");
    refused(&ldpc_decode_cuda_general, &layered, &other, "", "NR and others in one batch");
    other.code = &huge;
    huge.z = LDPC_GENERAL_MOST_Z;
    taken(&ldpc_decode_cuda_general, &other, NULL, "the largest z");
    huge.z++;
    refused(&ldpc_decode_cuda_general, &other, NULL, "", "a larger one");
}

/*
 * Each class of a batch has the kernel that it has alone, so that frames do not depend on their
 * neighbours; but the general one takes all or none.
 */
static void test_kernels(struct ldpc_code *wifi)
{
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *dvb = ldpc_code_dvbs2(true, "1/2", &err);
    struct ldpc_decode a = {.code = wifi, .rows = wifi->rows, .iterations = 5, .alpha = 0.75},
                       b = a, flooding = a, solve = a, dense = a;
    struct ldpc_code heavy = {.family = LDPC_ALIST,
                              .z = 1,
                              .rows = 1,
                              .cols = 33,
                              .core_rows = 1,
                              .row_first = (uint32_t[]){0, 33},
                              .k = 32,
                              .n = 33};

    if (!dvb)
        bail("%s", err.text);
    b.code = dvb;
    b.rows = dvb->rows;
    a.schedule = ldpc_schedule_new(wifi, 0, false, &err);
    b.schedule = ldpc_schedule_new(dvb, 0, false, &err);
    if (!a.schedule || !b.schedule)
        bail("%s", err.text);
    dense.schedule = flooding.schedule = solve.schedule = a.schedule;
    taken(&ldpc_decode_cuda, &a, &a, "Wi-Fi twice");
    taken(&ldpc_decode_cuda, &b, &b, "DVB-S2 twice");
    taken(&ldpc_decode_cuda, &a, &b, "Wi-Fi and DVB-S2 in one batch");
    taken(&ldpc_decode_cuda_general, &a, &b, "both in one batch");
    dense.code = &heavy;
    dense.rows = 1;
    taken(&ldpc_decode_cuda, &dense, NULL, "a check of 33 bits");
    refused(&ldpc_decode_cuda, &b, &dense, "", "it in a batch with DVB-S2");
    flooding.rule = LDPC_FLOODING;
    solve.rule = LDPC_FLOODING;
    solve.solve = true;
    refused(&ldpc_decode_cuda, &flooding, &solve, "erasures", "erasures to be solved in one class");
    ldpc_schedule_free(a.schedule);
    ldpc_schedule_free(b.schedule);
    ldpc_code_free(dvb);
}

/* LLRs out: all backends take layered min-sum and any two codes; flooding is that of the kernels of `cuda`. */
static void test_soft(struct ldpc_code *wifi)
{
    static const struct fecrun_backend *const backends[] = {&ldpc_decode_simd, &ldpc_decode_cuda,
                                                            &ldpc_decode_cuda_general};
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *dvb = ldpc_code_dvbs2(true, "1/2", &err);
    struct ldpc_decode a = {.code = wifi,
                            .rows = wifi->rows,
                            .iterations = 5,
                            .alpha = 0.75,
                            .llr_scale = 1,
                            .bits = wifi->k},
                       b = a, flooding = a;

    if (!dvb)
        bail("%s", err.text);
    b.code = dvb;
    b.rows = dvb->rows;
    a.schedule = ldpc_schedule_new(wifi, 0, false, &err);
    b.schedule = ldpc_schedule_new(dvb, 0, false, &err);
    if (!a.schedule || !b.schedule)
        bail("%s", err.text);
    flooding.schedule = a.schedule;
    flooding.rule = LDPC_FLOODING;
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
        const struct fecrun_form *form = NULL;

        for (size_t f = 0; backends[i]->forms[f] && !form; f++)
            form = ldpc_form_is_soft(backends[i]->forms[f]) ? backends[i]->forms[f] : NULL;
        ok(form && form->in[0].type == FECRUN_I8 && form->out[LDPC_OUT_CODE_LLR].type == FECRUN_F32,
           "%s has LLRs out of i8", backends[i]->name);
        ok(!ask_form(backends[i], form, &a, NULL, &err), "and takes layered min-sum: %s", err.text);
        if (backends[i] == &ldpc_decode_cuda) {
            ok(!ask_form(backends[i], form, &flooding, NULL, &err), "and flooding: %s", err.text);
        } else {
            ok(ask_form(backends[i], form, &flooding, NULL, &err), "but no flooding: %s", err.text);
            is_str(err.param, "schedule", "whose fault it is");
        }
        if (form->flags & FECRUN_FORM_RAGGED)
            ok(!ask_form(backends[i], form, &a, &b, &err), "two codes in one batch: %s", err.text);
    }
    ldpc_schedule_free(a.schedule);
    ldpc_schedule_free(b.schedule);
    ldpc_code_free(dvb);
}

int main(void)
{
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *nr = ldpc_code_nr(2, 16, 0, &err), *wifi = ldpc_code_wifi(648, "1/2", &err);

    if (!nr || !wifi)
        bail("%s", err.text);
    test_encoder(nr, wifi);
    test_decoders(nr, wifi);
    test_kernels(wifi);
    test_soft(wifi);
    ldpc_code_free(nr);
    ldpc_code_free(wifi);
    return done_testing();
}
