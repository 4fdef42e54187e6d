/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/cuda.h>
#include <stdio.h>
#include <stdlib.h>

#include "plugins/common/rtc/compiled.h"
#include "plugins/viterbi/cuda/compiled.h"

/* What sources include; made from the files by the build. */
static const struct rtc_header headers[] = {
#include "viterbi_kernel_texts.h"
};

/* ---- Which kernel ---------------------------------------------------------------------------- */

static const char *lanes_of(const struct registers_wish *wish)
{
    return wish->source == REGISTERS_FLOATS    ? "lanes_float"
           : wish->wide && !wish->fine         ? "lanes32"
           : wish->wide                        ? "lanes12"
           : wish->lanes == REGISTERS_LANES_15 ? "lanes15"
                                               : "lanes16";
}

static bool has_two_tiles(const struct registers_wish *wish)
{
    return wish->source != REGISTERS_FLOATS && (!wish->wide || wish->fine);
}

static bool is_team(const struct viterbi_code *code)
{
    return code->K == 9;
}

/* Of whole frames only tags of eight bits have a proof. */
static enum registers_kind kind_of(const struct viterbi_code *code,
                                   const struct registers_wish *wish)
{
    const bool frames = has_two_tiles(wish) && !wish->wide && !is_team(code);

    return wish->kind == REGISTERS_FRAMES && !frames ? REGISTERS_WHOLE : wish->kind;
}

/* Look-ups of a trace beside the next block, of which loops are made. */
static uint32_t steps_of(const struct viterbi_code *code, const struct registers_wish *wish)
{
    const enum registers_kind kind = kind_of(code, wish);
    const uint32_t more = wish->steps - REGISTERS_TRACED_STEPS;

    if (!has_two_tiles(wish) || (is_team(code) && wish->source != REGISTERS_I8))
        return 0;
    if (kind == REGISTERS_ANY)
        return more <= (is_team(code) ? 0 : 2) ? wish->steps : 0;
    return kind == REGISTERS_STORED && is_team(code) && more <= 1 ? wish->steps : 0;
}

/* The two branches of a butterfly have labels that are complements of each other. */
static bool is_symmetric(const struct viterbi_code *code)
{
    bool ends = true;

    for (unsigned j = 0; j < code->n; j++)
        ends = ends && code->gen[j] & 1 && code->gen[j] >> (code->K - 1) & 1;
    return ends;
}

static const char *code_problem(const struct viterbi_code *code)
{
    if (code->K < 5 || code->K > 9 || code->K == 8)
        return "there are kernels in registers for K = 5, 6, 7 and 9 only";
    if (code->n > 4)
        return "there are kernels in registers for at most four outputs only";
    return is_symmetric(code) ? NULL : "a generator has not both its first and its last tap";
}

static const char *wish_problem(const struct viterbi_code *code, const struct registers_wish *wish)
{
    const bool whole = wish->kind == REGISTERS_WHOLE || wish->kind == REGISTERS_FRAMES;
    const bool plain = code->K == 7 && code->n == 2;

    if (wish->source == REGISTERS_FLOATS && (!plain || whole || wish->kind == REGISTERS_WRAP))
        return "f32 LLRs have kernels in registers for sub-frames of K = 7, rate 1/2 only";
    if (wish->source == REGISTERS_PUNCTURED && code->n != 2)
        return "punctured input has kernels in registers for rate 1/2 only";
    if (wish->source == REGISTERS_NIBBLES && code->n % 2)
        return "packed input has no kernel in registers here";
    if (wish->kind == REGISTERS_WRAP && (wish->source != REGISTERS_I8 || code->K != 7))
        return "tail-biting frames have kernels in registers for i8 LLRs of K = 7 only";
    return NULL;
}

/* Tail-biting frames and K = 9 have no metrics of 12 bits. */
static struct registers_wish settled(const struct viterbi_code *code,
                                     const struct registers_wish *wish)
{
    struct registers_wish w = *wish;

    if (w.kind == REGISTERS_WRAP || is_team(code))
        w.fine = false;
    return w;
}

const char *viterbi_compiled_plan(const struct viterbi_code *code,
                                  const struct registers_wish *wish, uint32_t threads,
                                  struct registers_kernel *kernel)
{
    const struct registers_wish w = settled(code, wish);
    const uint32_t members = is_team(code) ? 4 : 1;
    const uint32_t states = (UINT32_C(1) << (code->K - 1)) / members;
    const char *problem = code_problem(code);

    if (!problem)
        problem = wish_problem(code, &w);
    if (problem)
        return problem;
    *kernel = (struct registers_kernel){
        .threads = threads,
        .block_bytes = threads * states * (has_two_tiles(&w) ? 2 : 1),
        .tiles = has_two_tiles(&w) ? 2 : 1,
        .members = members,
        .traced = steps_of(code, &w),
        .newest = w.source == REGISTERS_FLOATS || (w.wide && w.fine),
        .frames = kind_of(code, &w) == REGISTERS_FRAMES};
    return NULL;
}

bool viterbi_compiled_holds(const struct viterbi_code *code, const struct registers_wish *wish)
{
    const struct registers_wish w = settled(code, wish);

    return !is_team(code) && w.source != REGISTERS_FLOATS && !(w.wide && w.fine) &&
           (w.kind == REGISTERS_STORED || (w.kind == REGISTERS_ANY && steps_of(code, &w)));
}

bool viterbi_compiled_has_global_slot(const struct viterbi_code *code,
                                      const struct registers_wish *wish)
{
    const struct registers_wish w = settled(code, wish);

    return !is_team(code) && has_two_tiles(&w) && !w.wide && w.source != REGISTERS_FLOATS &&
           (w.kind == REGISTERS_STORED || (w.kind == REGISTERS_ANY && steps_of(code, &w)));
}

/* ---- Its source ------------------------------------------------------------------------------ */

static const char *const kind_names[] = {[REGISTERS_ANY] = "REGISTERS_ANY",
                                         [REGISTERS_STORED] = "REGISTERS_STORED",
                                         [REGISTERS_WHOLE] = "REGISTERS_WHOLE",
                                         [REGISTERS_FRAMES] = "REGISTERS_FRAMES"};

static int put_instance(const struct viterbi_code *code, const struct registers_wish *wish,
                        char *text, size_t size)
{
    const char *folder = "plugins/viterbi/cuda/registers", *lanes = lanes_of(wish);
    const char *kind;

    if (wish->kind == REGISTERS_WRAP)
        return snprintf(text, size,
                        "#include \"%s/wrap/kernel.cuh\"\n"
                        "template __global__ void wrap_kernel<CODE, %s>"
                        "(const __grid_constant__ struct wrap_job);\n",
                        folder, lanes);
    kind = kind_names[kind_of(code, wish)];
    if (is_team(code))
        return snprintf(text, size,
                        "#include \"%s/team/kernel.cuh\"\n"
                        "typedef registers_team<CODE, %s, 2, REGISTERS_THREADS> team;\n"
                        "template __global__ void registers_team_kernel<team, %d, %s, %u>"
                        "(const __grid_constant__ struct registers_job);\n",
                        folder, lanes, wish->source, kind, steps_of(code, wish));
    return snprintf(text, size,
                    "#include \"%s/kernel.cuh\"\n"
                    "template __global__ void registers_kernel<CODE, %s, %d, %s, %u>"
                    "(const __grid_constant__ struct registers_job);\n",
                    folder, lanes, wish->source, kind, steps_of(code, wish));
}

size_t viterbi_compiled_source(const struct viterbi_code *code, const struct registers_wish *wish,
                               uint32_t threads, char *text, size_t size)
{
    const struct registers_wish w = settled(code, wish);
    unsigned gen[4] = {0}, inverted = 0;
    char instance[512];

    for (unsigned j = 0; j < code->n && j < 4; j++) {
        gen[j] = code->gen[j];
        inverted |= (unsigned)(code->inverted[j] != 0) << j;
    }
    put_instance(code, &w, instance, sizeof instance);
    return (size_t)snprintf(text, size,
                            "#define REGISTERS_THREADS %u\n"
                            "#define REGISTERS_HELD %d\n"
                            "#define REGISTERS_GLOBAL_SLOT %d\n"
                            "#define REGISTERS_TRACED_STEPS %u\n"
                            "#define CODE registers_code<%u, %u, %u, %u, %u, %u, %u>\n%s",
                            threads, w.held, w.global_slot,
                            w.kind == REGISTERS_ANY && steps_of(code, &w) ? steps_of(code, &w) : 7,
                            code->K, code->n, gen[0], gen[1], gen[2], gen[3], inverted, instance);
}

static char *write_source(const struct viterbi_code *code, const struct registers_wish *wish,
                          uint32_t threads, struct fecrun_error *err)
{
    const size_t length = viterbi_compiled_source(code, wish, threads, NULL, 0);
    char *text = malloc(length + 1);

    if (text)
        viterbi_compiled_source(code, wish, threads, text, length + 1);
    else
        fecrun_no_memory(err);
    return text;
}

void *viterbi_compile(const struct viterbi_code *code, const struct registers_wish *wish,
                      uint32_t threads, unsigned capability, int driver, size_t *size,
                      struct fecrun_error *err)
{
    char *text = write_source(code, wish, threads, err);
    const struct rtc_source source = {.text = text,
                                      .headers = headers,
                                      .n_headers = sizeof headers / sizeof *headers,
                                      .capability = capability};
    void *cubin = text ? rtc_compile(&source, driver, size, err) : NULL;

    free(text);
    return cubin;
}

#ifdef FECRUN_CUDA

int viterbi_compiled_load(struct rtc_compiled *compiled, const struct viterbi_code *code,
                          const struct registers_wish *wish, uint32_t threads, int device,
                          struct fecrun_error *err)
{
    char *text = write_source(code, wish, threads, err);
    const struct rtc_source source = {
        .text = text, .headers = headers, .n_headers = sizeof headers / sizeof *headers};
    int status = text ? rtc_compiled_load(compiled, &source, device, err) : -1;

    free(text);
    return status;
}

#endif
