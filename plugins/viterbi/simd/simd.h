/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the vector code shares. A kernel decodes up to `lanes` tiles of one geometry: 64 side by
 * side, whatever the vector width (narrower vectors take several turns), or one, vectorised along
 * its states. run.c drives either through the same functions. frame/ has faster code for one tile, and
 * several/ for 4 or 8 tiles, both for most codes and whole tiles.
 */
#ifndef VITERBI_SIMD_SIMD_H
#define VITERBI_SIMD_SIMD_H

#include "plugins/viterbi/decode.h"

enum {
    VITERBI_SIZES = 2, /* VITERBI_SEVERAL_SIZES */
    VITERBI_LANES = 64,
    VITERBI_LANES_MAX_K = 10, /* above, 64 tiles side by side leave the caches */
    VITERBI_CHUNK = 64,   /* steps transposed and decoded at a time: they stay in the L1 cache */
    VITERBI_PERIOD16 = 16 /* steps between normalisations of 16-bit metrics */
};

struct viterbi_frame;
struct viterbi_kernel;
struct viterbi_several;
struct viterbi_turning;

struct viterbi_simd {
    struct viterbi_spec spec;
    uint32_t states;
    uint32_t isa;                       /* enum fecrun_isa */
    const struct viterbi_kernel *lanes; /* side by side; this or the next may be NULL */
    const struct viterbi_kernel *along; /* along the states */
    struct viterbi_turning *turning;    /* where `along` needs it */
    struct viterbi_frame *frame;        /* instead of `along`, if not NULL: frame/frame.h */
    struct viterbi_frame *words;        /* the same with 16-bit metrics, as `several` has them */
    /* If not NULL, for groups of at least `least` tiles: several/several.h. The first is for the most. */
    struct viterbi_several *several[VITERBI_SIZES];
    size_t least[VITERBI_SIZES];
    bool whole; /* frames have one tile each: `tile` */
    struct viterbi_tile tile;
    size_t few; /* fewer tiles than this in a group are decoded one by one or several at a time */
    unsigned vector;         /* tiles side by side in one vector */
    size_t careful;          /* steps after a known start that need viterbi_simd_early() */
    int offset;              /* state 0's metric after a normalisation is minus this */
    unsigned newest, oldest; /* outputs that depend on the newest, the oldest bit */
    uint8_t label[1u << (VITERBI_MAX_K - 2)]; /* outputs from state 2 i, input 0, not inverted */
    char text[64];
};

/* ---- decoding ---- */

enum viterbi_simd_error {
    VITERBI_SIMD_NO_MEMORY = -1,
    VITERBI_SIMD_BAD_SPEC = -2, /* viterbi_spec_problem() says what */
    VITERBI_SIMD_NO_ISA = -3,   /* this machine or this build has not got it */
    VITERBI_SIMD_NO_WIDTH = -4  /* metrics of that many bits would not be exact */
};

/* Is there code for this instruction set (enum fecrun_isa) in this build, and does this CPU run it?
 */
bool viterbi_simd_has(uint32_t isa);

/*
 * metric_bits: 0 chooses, 8 and 16 insist (float: 0 or 32). The object is read-only: any number of
 * threads may decode with it, each with scratch memory of its own.
 */
int viterbi_simd_create(struct viterbi_simd **simd, const struct viterbi_spec *spec, uint32_t isa,
                        unsigned metric_bits);
void viterbi_simd_destroy(struct viterbi_simd *simd);
const char *viterbi_simd_describe(const struct viterbi_simd *simd);
/* For `explain`: which kernels, and why no narrower metrics. metric_bits: as for viterbi_simd_create(). */
void viterbi_simd_explain(const struct viterbi_simd *simd, unsigned metric_bits, char *text,
                          size_t text_size);

/* Independent of the number of frames; holds the decisions of one group of lanes. */
size_t viterbi_simd_scratch(const struct viterbi_simd *simd);

/* packed: most significant bit first, frame i from packed + i * out_stride, pad bits zero. */
void viterbi_simd_decode(const struct viterbi_simd *simd, const struct viterbi_input *input,
                         uint8_t *packed, size_t out_stride, struct viterbi_verdict *verdict,
                         void *scratch);

/* ---- kernels ---- */

/* One group of lanes in work. All memory is the caller's scratch. */
struct viterbi_run {
    const struct viterbi_simd *simd;
    const struct viterbi_kernel *kernel;
    unsigned lanes; /* in use */
    bool from_zero;
    size_t begin; /* first step of the round: float metrics are renewed at steps counted from it */
    unsigned parity; /* which of the two metric arrays is current */
    unsigned
        turned;   /* where metrics take each other's place: by how many digits states have turned */
    void *packed; /* [step][output][lane], or one row as it is */
    void *wrapped; /* rows that had to be put together */
    void *metric[2];
    uint8_t
        *dropped; /* decisions of the steps from `first` on, [step][state][lane], one bit each */
    size_t first;
    size_t dropped_step; /* bytes of a step */
    uint64_t *words;     /* one per state */
    uint64_t *others;    /* the same; NULL if the kernel has no merge() */
    uint64_t *seeds;     /* [trace][bit of the state] */
    const uint8_t *row[VITERBI_LANES];
    size_t phase[VITERBI_LANES]; /* tail-biting: step of the frame at which the row begins */
    uint8_t *out[VITERBI_LANES];
    size_t bit[VITERBI_LANES]; /* first output bit in out[] */
};

/* Those of step i. */
static inline uint8_t *viterbi_run_dropped(const struct viterbi_run *run, size_t i)
{
    return run->dropped + (i - run->first) * run->dropped_step;
}

/*
 * States to begin a trace from, and where it got to: one 64-bit word per bit of the state, one bit
 * per lane. Kernels along the states keep the number itself in word 0.
 */
struct viterbi_kernel {
    unsigned lanes, bits; /* bits of a metric, 32 for float */
    unsigned min_K;
    unsigned turning, state_bit; /* metrics turn in place: for viterbi_turning_create(), or 0 */
    unsigned K;                  /* not 0: for these two generators alone, in either order */
    uint32_t gen[2];
    unsigned period; /* steps together, between normalisations */
    const char *name;
    size_t (*dropped_step)(const struct viterbi_simd *simd);
    /* rows[] of `items` items each, packed for forward(); NULL: forward() takes rows[0] itself. */
    void (*pack)(const void *const *rows, unsigned lanes, size_t items, void *packed);
    void (*reset)(struct viterbi_run *run);
    void (*forward)(struct viterbi_run *run, const void *packed, size_t from, size_t steps);
    /* The best states after `stage` steps. */
    void (*best)(struct viterbi_run *run, size_t stage, uint64_t *seed);
    /* From stage `to` down to stage `from`, at most 64 steps. Unless words is NULL, words[lane]
     * receives the bits, the first step's in the most significant bit. */
    void (*trace)(struct viterbi_run *run, size_t from, size_t to, uint64_t *seed, uint64_t *words);
    /* Goes back from all states of stage `to` (again: from those that it came to the last time) to
     * stage `from`. True if each lane has then come to one state, which seed receives. May be NULL. */
    bool (*merge)(struct viterbi_run *run, size_t from, size_t to, bool again, uint64_t *seed);
};

/* Ends with an entry of 0 bits; kernels of preference come first. NULL: not in this build. */
const struct viterbi_kernel *viterbi_kernels_generic(void);
const struct viterbi_kernel *viterbi_kernels_avx2(void);
const struct viterbi_kernel *viterbi_kernels_avx512(void);

/* With base NULL only counts. Returns the bytes used. */
size_t viterbi_run_carve(struct viterbi_run *run, const struct viterbi_simd *simd,
                         const struct viterbi_kernel *kernel, void *base);
void viterbi_run_group(struct viterbi_run *run, const struct viterbi_input *input,
                       const struct viterbi_group *group, size_t from, unsigned lanes,
                       uint8_t *packed, size_t out_stride);
void viterbi_run_wrap(struct viterbi_run *run, const struct viterbi_input *input, size_t frame,
                      unsigned lanes, uint8_t *packed, size_t out_stride,
                      struct viterbi_verdict *verdict);

#endif
