/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernels in registers that are compiled when they are used: for which codes and inputs there are some,
 * and, where there is a compiler, that they stay in registers on each kind of device. What they
 * compute: test_registers.cu, test_wrap.cu.
 */
#include "plugins/common/rtc/nvrtc.h"
#include "plugins/viterbi/code/puncture.h"
#include "plugins/viterbi/cuda/compiled.h"
#include "plugins/viterbi/decode.h"
#include "t/lib/cubin.h"
#include "t/lib/tap.h"

static const struct viterbi_code k5 = {.K = 5, .n = 2, .gen = {023, 033}};
static const struct viterbi_code k6 = {.K = 6, .n = 3, .gen = {065, 057, 071}};
static const struct viterbi_code k7 = {.K = 7, .n = 2, .gen = {0133, 0171}};
static const struct viterbi_code k7_quarter = {.K = 7, .n = 4, .gen = {0133, 0171, 0145, 0133}};
static const struct viterbi_code k9 = {.K = 9, .n = 2, .gen = {0561, 0753}};

/* ---- Which there are ------------------------------------------------------------------------- */

static void takes(const char *what, const struct viterbi_code *code, struct registers_wish wish,
                  uint32_t bytes, uint32_t tiles)
{
    struct registers_kernel kernel = {0};
    const char *problem = viterbi_compiled_plan(code, &wish, 128, &kernel);

    ok(!problem && kernel.threads == 128 && kernel.block_bytes == 128 * bytes &&
           kernel.tiles == tiles && !kernel.function,
       "%s: %u bytes of survivors a thread %s", what, bytes, problem ? problem : "");
}

static void refuses(const char *what, const struct viterbi_code *code, struct registers_wish wish,
                    const char *why)
{
    struct registers_kernel kernel;
    const char *problem = viterbi_compiled_plan(code, &wish, 128, &kernel);

    ok(problem && strstr(problem, why), "refused: %s: %s", what, problem ? problem : "taken");
}

static void test_plans(void)
{
    const struct viterbi_code k8 = {.K = 8, .n = 2, .gen = {0247, 0371}};
    const struct viterbi_code k4 = {.K = 4, .n = 2, .gen = {013, 017}};
    const struct viterbi_code five = {.K = 7, .n = 5, .gen = {0133, 0171, 0145, 0133, 0171}};
    const struct viterbi_code bare = {.K = 7, .n = 2, .gen = {0133, 0170}};
    const struct viterbi_code late = {.K = 7, .n = 2, .gen = {0133, 0071}};
    const struct registers_wish any = {.kind = REGISTERS_ANY};
    struct registers_wish wish = any;

    takes("K = 7", &k7, any, 128, 2);
    takes("K = 5", &k5, any, 32, 2);
    takes("K = 6, n = 3", &k6, any, 64, 2);
    takes("K = 9, a quarter of the states", &k9, any, 128, 2);
    wish.wide = true;
    takes("K = 7, large LLRs", &k7, wish, 64, 1);
    wish.fine = true;
    takes("K = 7, 12-bit metrics", &k7, wish, 128, 2);
    takes("K = 9 has none of those", &k9, wish, 64, 1);
    wish.source = REGISTERS_NIBBLES;
    takes("K = 7, nibbles in them", &k7, wish, 128, 2);
    refuses("K = 8", &k8, any, "K = 5, 6, 7 and 9");
    refuses("K = 4", &k4, any, "K = 5, 6, 7 and 9");
    refuses("five outputs", &five, any, "four outputs");
    refuses("a generator without its last tap", &bare, any, "last tap");
    refuses("one without its first", &late, any, "first");
    wish = (struct registers_wish){.kind = REGISTERS_ANY, .source = REGISTERS_FLOATS};
    refuses("floats of K = 9", &k9, wish, "f32");
    wish.kind = REGISTERS_WHOLE;
    refuses("floats in whole frames", &k7, wish, "sub-frames");
    wish.source = REGISTERS_PUNCTURED;
    refuses("rate 1/4, punctured", &k7_quarter, wish, "rate 1/2");
    wish = (struct registers_wish){.kind = REGISTERS_WRAP};
    refuses("tail-biting frames of K = 9", &k9, wish, "tail-biting");
}

/* The proof of whole frames needs all of their tags; where there is none they are decoded without. */
static void test_frames(void)
{
    struct registers_wish wish = {.kind = REGISTERS_FRAMES};
    struct registers_kernel a = {0}, b = {0}, c = {0};

    viterbi_compiled_plan(&k7, &wish, 128, &a);
    viterbi_compiled_plan(&k9, &wish, 128, &b);
    wish.wide = wish.fine = true;
    viterbi_compiled_plan(&k7, &wish, 128, &c);
    ok(a.frames && !b.frames && !c.frames && c.newest && !a.newest,
       "whole frames: with a proof for K = 7 in 8-bit metrics alone");
}

/* ---- takes() --------------------------------------------------------------------------------- */

/* What is left to conv.depuncture, or converted to i8: the kernels in registers then take the rest. */
static void asks(const char *what, const struct viterbi_code *code, uint32_t type, bool punctured,
                 enum viterbi_termination termination, const char *why)
{
    struct puncture_code *pattern = calloc(1, sizeof *pattern + 16 * sizeof *pattern->place);
    struct viterbi_decode_code d = {.spec = {.code = *code,
                                             .termination = termination,
                                             .info_bits = 400,
                                             .wrap_limit = 4,
                                             .llr_max = 5}};
    void *codes[] = {&d}, *absorbed[] = {pattern}, *const * all[] = {absorbed};
    const char *names[] = {"conv.depuncture"};
    struct fecrun_error err = {.size = sizeof err};
    struct fecrun_create args = {.size = sizeof args,
                                 .codes = codes,
                                 .n_codes = 1,
                                 .n_absorbed = punctured,
                                 .absorbed = names,
                                 .absorbed_codes = all};
    const struct fecrun_form *const *forms = viterbi_decode_cuda.forms;
    int status;

    pattern->rows = code->n;
    pattern->period = 2 * code->n;
    pattern->sent = 2 * code->n - 1; /* all but the last item */
    for (uint32_t i = 0; i < pattern->sent; i++)
        pattern->place[i] = i;
    while ((*forms)->in[0].type != type)
        forms++;
    args.form = *forms;
    status = viterbi_decode_cuda.takes(&args, &err);
    ok(why ? status && strstr(err.text, why) : !status, "%s: %s", what,
       status ? err.text : "taken");
    free(pattern);
}

static void test_takes(void)
{
    const struct viterbi_code k4 = {.K = 4, .n = 3, .gen = {013, 017, 011}};
    const char *punctured = "do not take punctured input", *nibbles = "do not take i4 LLRs";

    asks("rate 1/2, punctured", &k7, FECRUN_I8, true, VITERBI_ZERO, NULL);
    asks("rate 1/3, punctured", &k6, FECRUN_I8, true, VITERBI_ZERO, punctured);
    asks("rate 1/4, punctured", &k7_quarter, FECRUN_I8, true, VITERBI_ZERO, punctured);
    asks("rate 1/4, not punctured", &k7_quarter, FECRUN_I8, false, VITERBI_ZERO, NULL);
    asks("rate 1/2, punctured i4", &k7, FECRUN_I4, true, VITERBI_ZERO, punctured);
    asks("tail-biting, punctured", &k7, FECRUN_I8, true, VITERBI_TAIL_BITING, punctured);
    asks("tail-biting, K = 9, which has no such kernel", &k9, FECRUN_I8, true, VITERBI_TAIL_BITING,
         NULL);
    asks("K = 4, neither", &k4, FECRUN_I8, true, VITERBI_ZERO, NULL);
    asks("rate 1/2, i4", &k7, FECRUN_I4, false, VITERBI_ZERO, NULL);
    asks("rate 1/3, i4", &k6, FECRUN_I4, false, VITERBI_ZERO, nibbles);
    asks("K = 4, i4", &k4, FECRUN_I4, false, VITERBI_ZERO, NULL);
    asks("floats", &k6, FECRUN_F32, true, VITERBI_ZERO, NULL);
}

/* ---- Compiled -------------------------------------------------------------------------------- */

static void compiles(const char *what, unsigned capability, const struct viterbi_code *code,
                     struct registers_wish wish)
{
    struct fecrun_error err = {.size = sizeof err};
    size_t size = 0;
    void *cubin;

    wish.lanes = capability < 90 ? REGISTERS_LANES_15 : REGISTERS_LANES_16;
    cubin = viterbi_compile(code, &wish, 128, capability, 13000, &size, &err);
    ok(cubin && cubin_says(cubin, CUBIN_STACK) == 0 && cubin_says(cubin, CUBIN_REGISTERS) > 64,
       "%u.%u, %s: %ld registers, %ld bytes of stack %s", capability / 10, capability % 10, what,
       cubin ? cubin_says(cubin, CUBIN_REGISTERS) : 0, cubin ? cubin_says(cubin, CUBIN_STACK) : 0,
       cubin ? "" : err.text);
    free(cubin);
}

static void test_devices(void)
{
    static const unsigned capability[] = {80, 86, 89, 90, 120};
    const struct registers_wish stream = {.kind = REGISTERS_ANY, .steps = REGISTERS_TRACED_STEPS};
    struct registers_wish wish = stream;
    const unsigned devices = sizeof capability / sizeof *capability,
                   n = tap_sanitized() ? 1 : devices;

    for (unsigned i = 0; i < n; i++)
        compiles("K = 7, a stream", capability[i], &k7, stream);
    if (n < devices)
        skip((int)(devices - n), "a sanitizer finds nothing in NVRTC");
    wish.wide = true;
    compiles("K = 7, large LLRs", 86, &k7, wish);
    wish.fine = true;
    compiles("K = 7, 12-bit metrics", 90, &k7, wish);
    compiles("K = 6, n = 3", 90, &k6, stream);
    wish = (struct registers_wish){.kind = REGISTERS_STORED, .steps = 8};
    compiles("K = 9, from the best state", 80, &k9, wish);
    wish = (struct registers_wish){.kind = REGISTERS_WRAP};
    compiles("K = 7, tail-biting", 80, &k7, wish);
}

int main(void)
{
    char cache[] = "/tmp/fecrun-compiled-XXXXXX", command[64];

    test_plans();
    test_frames();
    if (viterbi_decode_cuda.note)
        test_takes();
    else
        skip(12, "cuda: kernels in registers are no part of this build");
    if (!rtc_nvrtc_version())
        skip(10, "no libnvrtc here");
    if (rtc_nvrtc_version()) {
        if (!mkdtemp(cache) || setenv("XDG_CACHE_HOME", cache, 1))
            bail("no directory for the cache");
        test_devices();
        snprintf(command, sizeof command, "rm -rf %s", cache);
        if (system(command))
            diag("%s stays", cache);
    }
    return done_testing();
}
