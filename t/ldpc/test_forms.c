/* SPDX-License-Identifier: BSD-2-Clause */
/* Which codes the kernels in shared memory of ldpc.decode's backend `cuda` take, and the forms chosen for them. */
#include "plugins/ldpc/cuda/shared/plan.h"
#include "t/ldpc/codes.h"

/* Of a decoder, which is freed: a form that a device can have, for few frames and many. */
static void has_form(struct ldpc_code *code, enum ldpc_rule rule, const char *what)
{
    static const struct fecrun_cuda_limits limits = {
        .processors = 132, .shared = 228 << 10, .shared_block = 227 << 10, .capability = 90};
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_decode d = {.code = code, .rule = rule};
    bool good = code != NULL;

    d.rows = good ? code->rows : 0;
    d.schedule = good ? ldpc_schedule_new(code, d.rows, false, &err) : NULL;
    for (uint64_t frames = 1; d.schedule && frames < 1 << 20; frames *= 32) {
        struct ldpc_shared_form f;
        struct ldpc_shared_plan plan;

        good = good && !ldpc_shared_choose_form(&f, &d, FECRUN_F32, FECRUN_U8, &limits, frames) &&
               f.blocks * (ldpc_shared_bytes(&f) + 1024) <= limits.shared &&
               ldpc_shared_bytes(&f) <= limits.shared_block && f.threads % 32 == 0 &&
               f.threads >= f.rows * f.slots &&
               ldpc_shared_codewords(&f) <= LDPC_SHARED_CODEWORDS &&
               !ldpc_shared_plan(&plan, &d, &f, &err);
        if (good && f.parts == 1 && plan.form.words != f.words)
            good = false;
        if (good)
            ldpc_shared_plan_free(&plan);
    }
    ok(good && d.schedule, "a form for %s", what);
    ldpc_schedule_free(d.schedule);
    ldpc_code_free(code);
}

static void test_forms(void)
{
    struct fecrun_error err = {.size = sizeof err};

    has_form(ldpc_code_dvbs2(false, "1/2", &err), LDPC_LAYERED, "DVB-S2, normal frames, 1/2");
    has_form(ldpc_code_dvbs2(false, "9/10", &err), LDPC_LAYERED, "DVB-S2, normal frames, 9/10");
    has_form(ldpc_code_dvbs2(true, "1/2", &err), LDPC_FLOODING, "DVB-S2, short frames, flooding");
    has_form(ldpc_code_nr(1, 384, 0, &err), LDPC_FLOODING, "NR, z = 384, flooding");
    has_form(ldpc_code_nr(2, 2, 0, &err), LDPC_LAYERED, "NR, z = 2");
}

static void is_unfit(struct ldpc_decode *d, const char *what)
{
    const char *problem = ldpc_shared_unfit(d);

    ok(problem && strstr(problem, what), "unfit: %s", problem ? problem : what);
}

static void test_unfit(void)
{
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *dvb = ldpc_code_dvbs2(false, "1/2", &err);
    struct ldpc_decode d = {.code = dvb}, spa = {.code = dvb, .algorithm = LDPC_SPA};
    struct ldpc_decode solve = {.code = dvb, .solve = true};
    struct ldpc_decode flooding = {.code = dvb, .rule = LDPC_FLOODING};

    if (!dvb)
        bail("%s", err.text);
    d.rows = spa.rows = solve.rows = flooding.rows = dvb->rows;
    ok(!ldpc_shared_unfit(&d), "fit: DVB-S2");
    is_unfit(&spa, "not sum-product");
    is_unfit(&solve, "erasures");
    is_unfit(&flooding, "shared memory");
    ldpc_code_free(dvb);
}

int main(void)
{
    test_forms();
    test_unfit();
    return done_testing();
}
