/* SPDX-License-Identifier: BSD-2-Clause */
/* sdk/stage.h, sdk/carve.h and sdk/simd.h. */
#include "t/lib/tap.h"

#include <fecrun/sdk/carve.h>
#include <fecrun/sdk/simd.h>
#include <fecrun/sdk/stage.h>
#include <fecrun/sim.h>

static const struct fecrun_port *const *const ports = FECRUN_ONE_PORT("in", FECRUN_KIND_LLR,
                                                                      "of any scale");

static void test_stage(void)
{
    const struct fecrun_frame in = {.size = sizeof in,
                                    .kind = FECRUN_KIND_LLR,
                                    .type = FECRUN_I8,
                                    .items = 24,
                                    .info_bits = 8,
                                    .llr_scale = 4,
                                    .llr_max = 31};
    struct fecrun_frame out = {.size = sizeof out};
    struct fecrun_error error = {.size = sizeof error};
    struct fecrun_plan result = {.size = sizeof result};
    struct fecrun_frame_info info = {.flags = FECRUN_FRAME_COUNTED, .iterations = 3};
    int code = 0, *made;
    void *codes[] = {&code}, *instance = NULL;
    const struct fecrun_create create = {.size = sizeof create, .codes = codes, .n_codes = 1};

    ok(!strcmp(ports[0]->name, "in") && ports[0]->kinds == FECRUN_KIND_LLR && !ports[1] &&
           ports[0]->size == sizeof(struct fecrun_port),
       "a table of one port");
    made = fecrun_code(&result, sizeof *made, &error);
    ok(made && made == result.code && *made == 0 && !error.text[0], "a code object is cleared");
    free(result.code);
    ok(!fecrun_no_instance(&create, &instance, &error) && instance == &code, "no instance");
    fecrun_no_destroy(instance);
    fecrun_frame_bits(&out, &in, 8);
    ok(out.size == sizeof out && out.kind == FECRUN_KIND_BITS && out.type == FECRUN_U8 &&
           out.items == 8 && out.info_bits == 8 && out.llr_scale == 0 && out.llr_max == 0,
       "a frame of bits");
    fecrun_frame_checked(&info, 0);
    ok(info.flags == (FECRUN_FRAME_COUNTED | FECRUN_FRAME_CHECKED | FECRUN_FRAME_FAILED),
       "a bad frame");
    fecrun_frame_checked(&info, 1);
    ok(info.flags == (FECRUN_FRAME_COUNTED | FECRUN_FRAME_CHECKED) && info.iterations == 3,
       "a later decoder's verdict replaces it");
    fecrun_frame_checked_too(&info, 1);
    ok(info.flags == (FECRUN_FRAME_COUNTED | FECRUN_FRAME_CHECKED) && info.iterations == 3,
       "a check that holds");
    fecrun_frame_checked_too(&info, 0);
    ok(info.flags == (FECRUN_FRAME_COUNTED | FECRUN_FRAME_CHECKED | FECRUN_FRAME_FAILED),
       "one that does not");
    fecrun_frame_checked_too(&info, 1);
    ok(info.flags == (FECRUN_FRAME_COUNTED | FECRUN_FRAME_CHECKED | FECRUN_FRAME_FAILED),
       "a frame that has failed stays so");
}

static void test_words(void)
{
    struct fecrun_plan plan = {.size = sizeof plan};
    static const char text[] = "one text", other[] = "one tixt";

    fecrun_identity(&plan, "K = %d", 7);
    fecrun_identity(&plan, ", %s", "zero");
    is_str(plan.identity, "K = 7, zero", "an identity is added to");
    for (unsigned i = 0; i < 40; i++)
        fecrun_identity(&plan, "%s", "0123456789");
    ok(strlen(plan.identity) == sizeof plan.identity - 1 && !plan.warning[0],
       "what is too long is cut");
    fecrun_warn(&plan, "above rate %d", 1);
    is_str(plan.warning, "above rate 1", "a warning");
    ok(fecrun_digest(0, text, sizeof text) ==
               fecrun_digest(fecrun_digest(0, text, 3), text + 3, sizeof text - 3) &&
           fecrun_digest(0, text, sizeof text) != fecrun_digest(0, other, sizeof other),
       "digests go on, and tell texts apart");
    ok(fecrun_digest(0, "a", 1) == 0xaf63dc4c8601ec8cu, "FNV-1a");
}

static void test_carve(void)
{
    static char memory[512];
    size_t used = 0, counted = 0;
    char *a, *b, *c;

    ok(!fecrun_carve(NULL, &counted, 1) && !fecrun_carve(NULL, &counted, 64) &&
           !fecrun_carve(NULL, &counted, 65),
       "without memory it counts");
    a = fecrun_carve(memory, &used, 1);
    b = fecrun_carve(memory, &used, 64);
    c = fecrun_carve(memory, &used, 65);
    ok(a == memory && b == memory + 64 && c == memory + 128 && used == 256 && used == counted,
       "arrays have cache lines of their own");
    ok(fecrun_carve(memory, &used, 0) == memory + 256 && used == 256, "none takes nothing");
}

static bool only_avx2(uint32_t isa)
{
    return isa == FECRUN_ISA_AVX2 || isa == FECRUN_ISA_GENERIC;
}

static bool only_generic(uint32_t isa)
{
    return isa == FECRUN_ISA_GENERIC;
}

static void test_simd(void)
{
    const struct fecrun_host host = {.size = sizeof host, .isa = FECRUN_ISA_AVX512};
    const struct fecrun_host less = {.size = sizeof less, .isa = FECRUN_ISA_AVX2};
    const struct fecrun_host future = {.size = sizeof future, .isa = 7};
    const struct fecrun_value none = {.size = sizeof none};
    const struct fecrun_value automatic = {.size = sizeof automatic, .given = 1, .is_auto = 1};
    struct fecrun_value wanted = {
        .size = sizeof wanted, .given = 2, .i = FECRUN_ISA_AVX512, .s = "avx512"};
    struct fecrun_error error = {.size = sizeof error};
    uint32_t isa = 99;

    ok(fecrun_isa_runs(FECRUN_ISA_GENERIC) && !fecrun_isa_runs(99), "generic code runs");
    ok(!fecrun_isa_runs(FECRUN_ISA_AVX512) || fecrun_isa_runs(FECRUN_ISA_AVX2),
       "AVX-512 comes with AVX2");
    ok(!fecrun_isa_choose(&none, &host, only_avx2, &isa, &error) && isa == FECRUN_ISA_AVX2,
       "the best that there is code for");
    ok(!fecrun_isa_choose(&automatic, &less, only_generic, &isa, &error) &&
           isa == FECRUN_ISA_GENERIC,
       "auto: generic in the end");
    ok(!fecrun_isa_choose(&automatic, &future, only_avx2, &isa, &error) && isa == FECRUN_ISA_AVX2,
       "a host that knows more");
    ok(fecrun_isa_choose(&wanted, &less, only_avx2, &isa, &error) == -1, "more than is allowed");
    is_str(error.param, "isa", "the error's parameter");
    is_str(error.text, "avx512 is more than avx2, the best that this CPU has and FECRUN_ISA allows",
           "the error's text");
    error.text[0] = 0;
    ok(fecrun_isa_choose(&wanted, &host, only_avx2, &isa, &error) == -1, "no code for it");
    is_str(error.text, "this build or this machine has no avx512 code", "the error's text");
    wanted.i = FECRUN_ISA_GENERIC;
    ok(!fecrun_isa_choose(&wanted, &host, only_avx2, &isa, &error) && isa == FECRUN_ISA_GENERIC,
       "less than is possible");
    ok(fecrun_isa_param.choices == fecrun_isa_names && !fecrun_isa_names[FECRUN_ISA_AVX512 + 1],
       "the parameter's choices are the names");
}

int main(void)
{
    test_stage();
    test_words();
    test_carve();
    test_simd();
    return done_testing();
}
