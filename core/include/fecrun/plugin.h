/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fecrun plugin ABI: everything that a code needs, and the only header that its plugin must include.
 *
 * A plugin is a shared object, written in C or C++, that exports one data symbol,
 *
 *     const struct fecrun_plugin fecrun_plugin;
 *
 * (declared below, so that C++ gives it C's name and does not keep it to itself) and has no undefined
 * symbol of the host. It holds stages (viterbi.decode, channel.awgn, ...); a stage says what goes in
 * and out and plans sizes; each stage has backends that do the work.
 *
 *     plugin > stage > backend > form (one accepted combination of sample types)
 *
 * Life of a backend, as the host drives it:
 *
 *     stage->plan()        pure: parameters + input frames -> output frames + a code object
 *     backend->probe()     can this machine run it at all?
 *     backend->takes()     can it do these codes? If not, `backend: auto` takes another one
 *     backend->create()    code object(s) -> instance; the only place for slow set-up
 *     backend->scratch()   bytes of working memory that one run() call wants
 *     backend->run()       one batch of frames; no allocation
 *     backend->finish()    files: the run went well, put the result in place
 *     backend->destroy()   always, also after a failure
 *     stage->plan_free()   the code object
 *
 * Rules that hold for every struct: `size` comes first and holds sizeof of the struct as its writer
 * knew it. Structs only grow at the end. FECRUN_..._LAST below a struct names the last member that
 * each side may rely on: a host refuses a plugin with a shorter struct, and a plugin gets none.
 * FECRUN_HAS() says whether a struct has a member that was added later. Tables are NULL-terminated
 * arrays of pointers. FECRUN_ABI moves only when this is broken, and a host refuses plugins of
 * another FECRUN_ABI. Three structs stand in arrays, have no size and are frozen: fecrun_fact,
 * fecrun_sample and fecrun_frame_info.
 *
 * <fecrun/sim.h> has what only simulations need: random numbers, counted errors, sources that seek.
 * <fecrun/sdk/params.h> has short forms for the tables below, fecrun_fail() and the like; a plugin
 * may use it and need not.
 *
 * Rules for every function: it may be called from any thread, not from a signal handler; it never
 * prints, exits, aborts, installs handlers or keeps mutable globals; strings that it returns live
 * as long as the plugin. It returns 0, or -1 with a text in *err (see fecrun_error). What it says of
 * its work is in the result, the frame infos, the ports and plan()'s note and warning: there is no log.
 */
#ifndef FECRUN_PLUGIN_H
#define FECRUN_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FECRUN_ABI 3

/* The release that this header is part of: 10000 x major + 100 x minor + patch. */
#define FECRUN_VERSION 200

#if defined(__GNUC__)
#define FECRUN_EXPORT __attribute__((visibility("default")))
#else
#define FECRUN_EXPORT
#endif

/* Does the struct that p points at have this member, as far as its writer's size tells? */
#define FECRUN_HAS(p, field) ((p)->size >= offsetof(__typeof__(*(p)), field) + sizeof((p)->field))

/* ---- Samples ------------------------------------------------------------------------------- */

/*
 * Element types. LLR = ln P(bit=0)/P(bit=1), so positive means 0; fixed point is symmetric
 * (i8: -127..127, and a decoder reads -128 as -127; i4: -7..7, and -8 as -7; i16: -32767..32767, and
 * -32768 as itself or as -32767). A decoder reads a NaN as 0 and any |LLR| above FECRUN_LLR_MAX_F32,
 * infinity included, as that value with its sign.
 */
enum fecrun_type {
    FECRUN_NONE = 0,
    FECRUN_U8 = 1,     /* bits, one a byte, 0 or 1 */
    FECRUN_PACKED = 2, /* bits, eight a byte, first bit in the most significant place; each frame
                          starts on a byte and its last byte is filled with zeros */
    FECRUN_F32 = 3,
    FECRUN_F16 = 4,
    FECRUN_I16 = 5,
    FECRUN_I8 = 6,
    FECRUN_I4 = 7, /* -7..7, two's complement, first item in the high nibble; as PACKED, a frame
                      starts on a byte */
    FECRUN_C8 = 8, /* complex symbols: two float32, real part first */
};

#define FECRUN_LLR_MAX_F32 1048576.0f

enum fecrun_kind {
    FECRUN_KIND_BITS = 1,    /* U8, PACKED */
    FECRUN_KIND_LLR = 2,     /* F32, F16, I16, I8, I4 */
    FECRUN_KIND_SYMBOLS = 4, /* C8 */
    FECRUN_KIND_VALUES =
        8, /* F32, F16, I16, I8: numbers beside the samples, which no stage takes for
                           LLRs. In: an RNTI, channel state, places of erasures. Out: a path metric,
                           the number of corrected symbols */
};

#define FECRUN_MAX_FACTS 16

/* What one stage knows of a frame and a later one wants to know, under a name that nobody else has
   to understand: {"ldpc.rows", 13}. */
struct fecrun_fact {
    char
        key[24]; /* "family.what" of a-z, 0-9 and _, zeros behind it; "": no fact, nor any behind */
    double value; /* finite; whole numbers are exact up to 2^53 */
};

/*
 * What a frame at a port is. plan() of a transform starts from a copy of the descriptor of input 0
 * and changes what its stage changes, so that all else travels down the pipeline.
 *
 * Facts, too: a stage hands on those that it does not know. Those of its own family it reads, sets,
 * and drops where they are no longer true of what it puts out: a decoder's bits are no code word.
 * A key stands there once. <fecrun/sdk/facts.h> reads, sets and drops.
 *
 * A stage may split frames, a transport block into m code blocks: its output's pieces are m times
 * its input's, and m frames lie behind each other for each one that went in. Another one joins
 * them. Between the two, `frames` of views, frame infos and frame numbers count the pieces.
 * All inputs of a stage have the same pieces, and pieces of a stream is 1.
 */
struct fecrun_frame {
    size_t size;
    uint32_t kind;         /* enum fecrun_kind */
    uint32_t type;         /* enum fecrun_type: the smallest type that holds the values exactly */
    uint64_t items;        /* bits, LLRs, symbols or values in one frame; 1 to 2^40, all pieces of
                              a frame together. So sizes of frames do not overflow 64 bits; those of
                              batches are the host's care */
    uint64_t info_bits;    /* bits of the source frame; 0: unknown */
    uint64_t channel_bits; /* bits sent over the channel for one frame; 0: no channel yet. So the
                              rate is info_bits / (channel_bits x pieces) */
    /* The modulation: a name that the mapper's plugin gives ("16qam"), followed by zeros; "": none or
       unknown. A host compares names and knows none. Whatever else a scheme needs is a SHARED parameter
       of the mapper and the demapper. fecrun_frame_scheme() sets this member and the next two. */
    char scheme[24];
    uint32_t bits_per_symbol;   /* 0: unknown */
    uint32_t symbol_dimensions; /* 1: symbols are real, and noise is added to their real part only;
                                   2: complex; 0: unknown. Their mean energy is 1 */
    double n0;        /* noise power per symbol at symbol energy 1 (N0); each real dimension
                                 has variance N0/2; 0: no noise or unknown */
    double llr_scale; /* LLR: units per natural LLR; 0: unknown */
    double llr_max;   /* LLR: no magnitude is larger; 0: unknown */
    uint32_t pieces;  /* frames for each frame of the source, at least 1; a source, or who
                                 does not copy the input's descriptor, may leave 0: as before */
    uint32_t stream;  /* 1: frames are consecutive pieces of one endless sequence; 2: the
                                 shorter last piece of one */
    struct fecrun_fact facts[FECRUN_MAX_FACTS];
    /* A host with more room has its facts behind what stands here, and says where: bytes from the frame's
       begin, and how many. 0: at `facts`, FECRUN_MAX_FACTS of them. fecrun_facts() knows both. */
    uint32_t facts_at, max_facts;
};
#define FECRUN_FRAME_LAST max_facts

/* ---- Errors -------------------------------------------------------------------------------- */

/*
 * Where a function puts its reason. The caller owns it and has cleared it. `param` may name the
 * parameter at fault ("tile.f"), then the host adds file, line and column. The first error wins:
 * leave a text alone that is there already. A text that begins with "out of memory" says nothing
 * against parameters or frames: the host ends the run, also where it would ask another backend.
 */
struct fecrun_error {
    size_t size;
    char param[64];
    char text[448];
};
#define FECRUN_ERROR_LAST text

/* ---- Parameters ---------------------------------------------------------------------------- */

enum fecrun_value_type {
    FECRUN_VALUE_INT = 1,
    FECRUN_VALUE_FLOAT = 2,
    FECRUN_VALUE_STRING = 3,
    FECRUN_VALUE_CHOICE = 4, /* one of `choices` */
    FECRUN_VALUE_BOOL = 5,
    FECRUN_VALUE_INTS = 6, /* a list */
    /* A list. An item may be a list, too. It is then its items with blanks between them: [[1, 0], [0, 1]]
       is ["1 0", "0 1"]. */
    FECRUN_VALUE_STRINGS = 7,
    FECRUN_VALUE_PATH = 8, /* a file, made relative to the pipeline file; "-" stays */
    FECRUN_VALUE_PORT = 9, /* feeds the input port of the same name: "source" (the pipeline's first
                             stage), "ID" or "ID.PORT" of an earlier stage links it; anything else
                             is a path and leaves the port unlinked */
};

enum fecrun_param_flags {
    FECRUN_PARAM_REQUIRED = 1,
    FECRUN_PARAM_MAY_AUTO = 2, /* the word `auto` is a value too */
    FECRUN_PARAM_POINT =
        4,                 /* may change between sweep points without a new instance: run() takes it
                            from call->codes, which is planned anew for each point. Where it changes
                            items, types, llr_max, llr_scale, margins or flags, instances are
                            made anew */
    FECRUN_PARAM_SIZE = 8, /* a `blocks:` column of this name sets it per class of blocks */
    FECRUN_PARAM_SHARED =
        16, /* of a stage that undoes another one, or follows it: has to be as there,
                            see `undoes` */
    FECRUN_PARAM_WRITES =
        32, /* PATH: the stage writes this file, which no other stage may then use */
};

/* A word that a choice had in earlier versions, and what it means today. */
struct fecrun_old_choice {
    size_t size;
    const char *old;
    const char *now;   /* one of `choices` */
    const char *param; /* NULL, or another choice of the stage, which the old word sets, too ... */
    const char *value; /* ... to this word */
};
#define FECRUN_OLD_CHOICE_LAST value

/* One parameter: validation, `describe` and the documentation are all made from this. */
struct fecrun_param {
    size_t size;
    const char *name;           /* "tile.f" is key f of the map `tile` */
    uint32_t type;              /* enum fecrun_value_type */
    int64_t imin, imax;         /* INT and each item of INTS: least and largest; equal: no limit */
    double fmin, fmax;          /* FLOAT: the same */
    const char *const *choices; /* CHOICE */
    uint32_t flags;             /* enum fecrun_param_flags */
    const char *unit;           /* NULL: none */
    const char *default_text;   /* as a user would write it; NULL: none, value.given stays 0 */
    const char *help;
    const char *const *choices_help; /* CHOICE: a line for each of `choices`; optional */
    /*
     * SHARED: names of parameters of this stage, separated by blanks; optional. The value is not
     * taken where the user wrote one of these otherwise than it is there: `generators` where he
     * wrote `code`, the other way to say it; `z` where he wrote another `code`.
     */
    const char *unless;
    /*
     * Names and words that this parameter had in earlier versions: NULL-terminated, without dots,
     * optional. The host replaces them in files, options and sweeps by the present ones, and warns.
     * So plan() and results see only the present ones. It is an error to give one parameter by two
     * names. Columns of `blocks:` and `tune` have no old names.
     */
    const char *const *old_names;
    const struct fecrun_old_choice *const *old_choices; /* CHOICE */
};
#define FECRUN_PARAM_LAST old_choices

/* A value. Strings and lists belong to the host and live until plan_free() of this plan's code. */
struct fecrun_value {
    size_t size;
    uint32_t given;   /* 0: neither given nor defaulted, 1: the default, 2: written by the user, 3:
                         not written, and taken from the stage that this one undoes or follows (SHARED) */
    uint32_t is_auto; /* the word `auto` */
    int64_t i;        /* INT, BOOL, CHOICE (index into choices) */
    double f;         /* FLOAT, INT */
    const char *s;    /* STRING, CHOICE, PATH, PORT */
    size_t count;     /* INTS, STRINGS */
    const int64_t *ints;
    const char *const *strings;
};
#define FECRUN_VALUE_LAST strings

/* Values in the order of the schema that they belong to. */
struct fecrun_values {
    size_t size;
    size_t count;
    const struct fecrun_value *const *v;
};
#define FECRUN_VALUES_LAST v

/* ---- Host services ------------------------------------------------------------------------- */

enum fecrun_isa { FECRUN_ISA_GENERIC = 0, FECRUN_ISA_AVX2 = 1, FECRUN_ISA_AVX512 = 2 };

/* AUTO: a source that waits for input may do so for a moment more, to give several frames at once.
   LOW: it gives what has come, in pieces that are as small as is reasonable where it chooses them. */
enum fecrun_latency { FECRUN_LATENCY_AUTO = 0, FECRUN_LATENCY_LOW = 1 };

struct fecrun_host {
    size_t size;
    void *data;       /* the host's own */
    uint32_t isa;     /* enum fecrun_isa: the best that this CPU has and the user allows */
    uint32_t latency; /* enum fecrun_latency: what the user wants */
    /* 64-byte aligned memory in host space, or NULL. For create() and plan(), not for run(). */
    void *(*alloc)(const struct fecrun_host *host, size_t bytes);
    void (*free)(const struct fecrun_host *host, void *ptr);
};
#define FECRUN_HOST_LAST free

/* ---- Ports, buffers, calls ------------------------------------------------------------------ */

enum fecrun_port_flags { FECRUN_PORT_OPTIONAL = 1 };

/*
 * A way in or out of a stage. All inputs have as many frames, and all outputs, whatever their items
 * are: side information of a frame (an RNTI, channel state) is an input of its own, fed through a
 * FECRUN_VALUE_PORT parameter, and what a stage has to say of a frame beyond its fecrun_frame_info (a
 * path metric, corrected symbols) is an output of its own. An output that no stage reads costs
 * nothing: run() gets NULL for it.
 */
struct fecrun_port {
    size_t size;
    const char *name;
    /* Mask of enum fecrun_kind, the same ones in every plugin: what is linked has one of them. */
    uint32_t kinds;
    uint32_t flags; /* enum fecrun_port_flags */
    const char *help;
};
#define FECRUN_PORT_LAST help

/* Per frame, shared by all stages of a batch that see as many frames of it (fecrun_frame.pieces);
   cleared by the host before the source runs. A code block has infos of its own, beside those of
   its transport block. */
struct fecrun_frame_info {
    uint32_t flags;      /* enum fecrun_frame_flags */
    uint32_t iterations; /* of an iterative decoder; 0: none */
    uint64_t bit_errors; /* set with FECRUN_FRAME_COUNTED */
};

/* <fecrun/sim.h> has another one. */
enum fecrun_frame_flags {
    FECRUN_FRAME_CHECKED = 1, /* a decoder or CRC can tell good frames from bad ones ... */
    FECRUN_FRAME_FAILED =
        2, /* ... and this one is bad (no convergence, CRC wrong). A decoder sets or
                           clears it, whatever an earlier stage said, as it may have corrected the
                           frame. A check that corrects nothing (a CRC) sets it and does not clear
                           it. A stage that sets FECRUN_FRAME_CHECKED does one of both; any other one
                           leaves both flags alone */
};

#define FECRUN_SLACK 64

/*
 * A batch at a port, for one run() call. The host owns data. All frames of a view have the same
 * size (`items`), unless the form says FECRUN_FORM_RAGGED and the batch does have classes of different
 * sizes: then `offset`, `frame_class` and `class_items` are set, and items is 0.
 *
 * data is aligned as an item is (to a byte where items are smaller), not more: frames of `blocks:`
 * lie behind each other without gap. A stride may be larger than a frame, and any number of bytes
 * that keeps items aligned; what lies between frames is not the view's. Inputs are only read, and two
 * of them may be the same memory; an output overlaps nothing else. Nothing outside of the view may be
 * touched, but for what is said of streams, and but for the memory of a device: there FECRUN_SLACK
 * bytes behind the last frame can be read, so that kernels may load whole vectors and use atomics on
 * whole words. What they hold is not said, and must stay as it is.
 *
 * Streams (frame.stream not 0): frames lie without gap, and the host makes sure that `before` items
 * in front of data and `after` items behind the last frame are readable: at least as many as plan()
 * asked for (more where they share bytes), fewer only at the ends of the stream. So a backend keeps
 * no state between calls, batches of one stream may run in any order on several threads, and
 * nothing has to be flushed.
 */
struct fecrun_view {
    size_t size;
    void *data;
    uint32_t type;          /* enum fecrun_type: that of the form */
    uint64_t frames;        /* an ordered source may lower it in its output: the input has ended */
    uint64_t items;         /* in one frame */
    uint64_t stride;        /* bytes from one frame to the next */
    uint64_t before, after; /* items, see above */
    const uint64_t *offset; /* byte offset of each frame and of the end, in host memory;
                                       NULL: all frames have the same size. On a device it is
                                       pinned, lives until the queued work is done, and batches of
                                       an instance have the same table, shorter or not */
    const uint32_t *frame_class; /* index into call->codes; NULL as offset */
    uint64_t tail_items; /* set by a source whose input ended inside a frame of a stream: that many
                            items lie behind the last whole frame */
    uint32_t
        may_pause;   /* set by the host, output of an ordered source: not 0 where it may give fewer
                            frames, but one, since no more have come yet, and then sets `paused` ... */
    uint32_t paused; /* ... which says that this is not the end */
    const uint64_t *class_items; /* in a frame of each class; NULL as offset, and as long there */
};
#define FECRUN_VIEW_LAST class_items

/* run() may return this after it has seen call->cancel and stopped early. The batch is then not counted. */
#define FECRUN_CANCELLED (-125)

struct fecrun_sim; /* <fecrun/sim.h> */

struct fecrun_call {
    size_t size;
    void *stream;         /* device stream on which to queue the work; NULL on the host */
    void *const *codes;   /* code objects of the present point, one a class; one if not ragged */
    void *scratch;        /* 64-byte aligned, of the size that scratch() asked for, not cleared */
    uint64_t first_frame; /* number of the first frame of input 0 (of a source: of output 0) since
                              the start of the point */
    uint64_t first_item;  /* streams: absolute number of the batch's first item, at input 0 (of a
                              source: at output 0) */
    struct fecrun_frame_info *info;     /* one a frame of input 0 (of a source: of output 0), in the
                                       backend's space */
    struct fecrun_frame_info *out_info; /* one a frame of output 0: the same as info, but for a
                                           stage that splits frames or joins them */
    const volatile int *cancel; /* never NULL; read it with fecrun_cancelled(). Not 0: the run ends
                                   soon. A source that waits for input then gives what it has. Others
                                   finish the call, or, where a frame takes long, may return
                                   FECRUN_CANCELLED between two frames */
    const struct fecrun_sim *sim; /* random numbers, see there; never NULL */
};
#define FECRUN_CALL_LAST sim

/* ---- Forms and backends ---------------------------------------------------------------------- */

/* A stage has no more inputs, and no more outputs. */
#define FECRUN_MAX_PORTS 8

struct fecrun_sample {
    uint32_t type;        /* enum fecrun_type; FECRUN_NONE: no such port, or an optional one that is
                             not for this form: it is not chosen where that is linked */
    uint32_t reserved[5]; /* 0: a host refuses a form that asks for what it does not know */
    double llr_max;       /* input only: larger magnitudes are not accepted; 0: any */
};

enum fecrun_form_flags {
    FECRUN_FORM_RAGGED = 1 /* takes batches with classes of different sizes in one
    call; for the others the host calls run() once for each row of equal frames */
};

/*
 * One combination of sample types that run() accepts; a backend's best one comes first. The host
 * chooses a form of each backend, and puts a conversion where the types of two that are linked
 * differ: one that loses nothing, that is U8 to PACKED and back, I4 to I8, I16 or F32, I8 to I16 or
 * F32, I16 to F32, and F16 to F32 (where -128 becomes -127). On a device these are those that the
 * provider knows.
 */
struct fecrun_form {
    size_t size;
    uint32_t flags;
    uint32_t n_in; /* as many as the stage has inputs: a host refuses another number */
    const struct fecrun_sample *in;
    uint32_t n_out; /* ... and outputs */
    const struct fecrun_sample *out;
};
#define FECRUN_FORM_LAST out

struct fecrun_create {
    size_t size;
    const struct fecrun_host *host;
    void *const *codes; /* of plan(), one a class of frames; they outlive the instance */
    uint32_t
        n_codes; /* 1, but the number of classes for a FECRUN_FORM_RAGGED form and for an ordered
                           stage, which has one instance for all */
    const struct fecrun_form *form;
    const struct fecrun_values *tune;   /* in the order of the backend's tune schema */
    uint64_t max_frames;                /* no run() call has more at any port */
    int32_t device;                     /* of the backend's provider; 0 on the host */
    uint32_t n_absorbed;                /* upstream stages that this instance does itself, */
    const char *const *absorbed;        /* their names, nearest to the source first, */
    void *const *const *absorbed_codes; /* and the code objects of each (n_codes) */
};
#define FECRUN_CREATE_LAST absorbed_codes

enum fecrun_agreement {
    FECRUN_AGREEMENT_EXACT =
        0, /* the reference's bytes wherever the input is integer or the outputs are bits
                         decided in integers */
    FECRUN_AGREEMENT_NEAR =
        1, /* values: within `bound` of the reference's. Bits: may differ where its
                         decision is within `bound` of a tie; and a decoder that computes with
                         fewer bits may end elsewhere in frames near the limit of the code, if it
                         has no more block errors than 0.05 dB cost. fecrun-check compares both on
                         the same noise. */
};

struct fecrun_backend {
    size_t size;
    const char *name;     /* ref, simd, cuda, ...; stage->backends[0] is the reference */
    const char *provider; /* NULL: host memory; else the device provider whose memory it uses */
    uint32_t interface;   /* of the provider, for which this was built, see there; 0: any */
    const char *summary;  /* one line for `list` and `describe`; optional */
    const char *const *old_names; /* of earlier versions, as those of parameters; two backends of a
                                     stage share none; optional */
    const struct fecrun_form *const *forms;
    uint32_t agreement;                     /* enum fecrun_agreement, towards stage->backends[0] */
    double bound;                           /* NEAR: see there, in natural LLR units */
    const struct fecrun_param *const *tune; /* optional */
    const char *const
        *absorbs; /* optional: upstream stages of the same plugin that it can do itself,
                                   nearest first, none of them ordered; it may be given any
                                   leading part of this list. A random one draws the numbers that
                                   it would by itself: see fecrun_sim */
    /* Can it run on this device of its provider (on the host: 0)? 0, or -1 and the reason in words.
       Optional: always available. May be slow once. */
    int (*probe)(const struct fecrun_host *host, int32_t device, char *reason, size_t reason_size);
    /*
     * Would create() take these code objects, with this form and what is absorbed? 0, or -1 and the
     * reason. Asked after plan() and before create(), for each form that fits the frames: where it
     * says no, `backend: auto` takes another form or backend, and a named backend is an error. Pure
     * and quick. *args is what create() would get, but tune is NULL and max_frames is 0: what depends
     * on those is create()'s to refuse. It may ask what that device's limits are, but must not take
     * memory or a context there. Where the device does not answer, as after a probe() that failed,
     * it answers for the largest device. Not asked for the shorter last piece of a stream. Optional:
     * it takes all that plan() makes.
     */
    int (*takes)(const struct fecrun_create *args, struct fecrun_error *err);
    /*
     * For `explain`: what create() would choose for these, where it has a choice (which kernel, and
     * why not a faster one), as one line to text, which is empty before. Quick, and after a probe() that
     * went well; max_frames is 0. Optional; may say nothing.
     */
    void (*note)(const struct fecrun_create *args, char *text, size_t text_size);
    /* Makes an instance. On failure *instance is NULL and nothing is left behind. May block. */
    int (*create)(const struct fecrun_create *args, void **instance, struct fecrun_error *err);
    /* Working memory in bytes for a call with that many frames, at the port that has most of them.
       Optional: none. */
    size_t (*scratch)(const void *instance, uint64_t frames);
    /*
     * Does one batch. in[] and out[] have an entry a port, NULL where an optional one is not linked
     * or not read by any stage. Neither allocates nor blocks (file sources and sinks may block). On a
     * device it returns when the work is queued on call->stream; on the host the work is done. One
     * instance is used by one thread at a time, not always the same; other instances may run
     * meanwhile. A frame that cannot be decoded is no error: it gets FECRUN_FRAME_CHECKED and
     * FECRUN_FRAME_FAILED. After -1 the instance is only destroyed.
     */
    int (*run)(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err);
    /* The run is over and went well: files are closed and put in place. Optional; for ordered stages
       only. A stage that plan() makes ordered goes to no backend without it. */
    int (*finish)(void *instance, struct fecrun_error *err);
    /* NULL is fine. Without finish() before it, what was written is dropped. */
    void (*destroy)(void *instance);
    /* Speed that the instance's counted operations allow on the device that it was made for, at the
       clock that it has, 10^9 information bits a second; 0: unknown. For `bench`, which says what
       share was reached. Optional. */
    double (*bound_gbps)(const void *instance);
};
#define FECRUN_BACKEND_LAST bound_gbps

/* ---- Stages ---------------------------------------------------------------------------------- */

enum fecrun_role { FECRUN_ROLE_SOURCE = 1, FECRUN_ROLE_TRANSFORM = 2, FECRUN_ROLE_SINK = 3 };

/* More of them are in <fecrun/sim.h>. */
enum fecrun_stage_flags {
    FECRUN_STAGE_ORDERED = 1,   /* one instance; called in frame order, by one thread at a time; it
                                   also gets the shorter last frame of a stream, so sizes come from
                                   the view */
    FECRUN_STAGE_ONE_POINT = 4, /* cannot be part of a sweep (it writes a file) */
    FECRUN_STAGE_ENDS = 8,      /* source: has an end, so that no default stop rule applies */
    FECRUN_STAGE_BOUND = 32,   /* source, sink: stands for memory of the program that uses the host,
                                   who binds it (fecrun_bind_input() and fecrun_bind_output()); run()
                                   is not called. It may stand anywhere in a pipeline, several times */
    FECRUN_STAGE_CHECKS = 128, /* transform: gives each frame a verdict, so sets
                                   FECRUN_FRAME_CHECKED on all of them, and FECRUN_FRAME_FAILED on
                                   those that it cannot decode. fecrun-check holds it to that; a host
                                   does nothing with it */
};

struct fecrun_sim_plan; /* <fecrun/sim.h> */

/* Results of plan() besides the output frames. The host clears it before. Texts may stay empty. */
struct fecrun_plan {
    size_t size;
    void *code; /* the plugin's; freed by plan_free(), but not after a plan() that failed. From then
                   on read-only: instances on several threads share it */
    uint32_t flags;         /* enum fecrun_stage_flags that depend on parameters, added to the
                               stage's own */
    uint64_t before, after; /* streams: items of input 0 wanted round a batch; where a stage is
                               absorbed, as many items of its input as make these, rounded up */
    char note[160];         /* for `explain`: what was chosen for the user */
    char warning[192];  /* what the user surely wants to know, though there may be reasons to want
                           it so */
    char identity[192]; /* what has to be the same in a stage and in the one that undoes it, in
                           words: see `undoes` */
    struct fecrun_sim_plan *sim; /* the host's, see there; never NULL */
};
#define FECRUN_PLAN_LAST sim

/*
 * Parameters that work together. A schema says what each parameter may be, examples say what they
 * are for: `describe` shows them to users, and fecrun-check runs every one, on frames as they are
 * described here. plan() has to take each. Give one for each kind of code and each way to decode.
 */
struct fecrun_example {
    size_t size;
    const char *params; /* one line of YAML, as in a pipeline: "{code: dvb, tile: {f: 96}}" */
    /* Frames at input 0; 0: any that plan() takes. Items have to be given where hardly any number
       of them fits, as of a block code. */
    uint64_t items;
    uint32_t type;      /* enum fecrun_type */
    const char *scheme; /* name of a modulation; NULL: any or none */
    double llr_max;
    double n0;
    uint32_t stream; /* 1: a stream */
    uint32_t batch;  /* `fecrun-check --bench` measures this example in calls of so many frames; 0:
                        it does not */
    uint32_t pieces; /* see fecrun_frame; 0: 1 */
    /*
     * Decoders: so many wrong symbols of a frame are corrected always, wherever they are; 0: not
     * said. A symbol is symbol_items items of input 0 in a row (0: 1), beginning with the first
     * item; of a wrong one at least one bit is inverted, or the sign of one LLR. fecrun-check tries
     * exactly that many.
     */
    uint64_t corrects, symbol_items;
};
#define FECRUN_EXAMPLE_LAST symbol_items

struct fecrun_stage {
    size_t size;
    const char *name; /* "family.verb" */
    uint32_t role;    /* enum fecrun_role */
    uint32_t flags;   /* enum fecrun_stage_flags */
    const char *summary;
    /*
     * Optional: the stage whose work this one takes back, "conv.encode" of a decoder. With the same
     * values of the parameters that both know, this one gives what that one got, where nothing went
     * wrong between them. fecrun-check makes this one's input with it.
     *
     * Where a pipeline has both, the host sees to it that they agree. It looks back along the first
     * inputs, past stages that know nothing of this, for the nearest such stage that no other one has
     * undone. FECRUN_PARAM_SHARED parameters that the user did not write are then that stage's, and a
     * disagreement is an error with both lines. If both plans have an identity, these texts are
     * compared: so plan() decides what is the same ({code: ieee80211} and {constraint_length: 7,
     * generators: [0o133, 0o171]}). Otherwise the SHARED parameters are compared, as values.
     */
    const char *undoes;
    /*
     * Optional, and not beside `undoes`: the stage in front whose result this one works on,
     * "ldpc.encode" of rate matching. SHARED parameters that both know are then that stage's, in the
     * same way; they are compared as values.
     */
    const char *follows;
    const struct fecrun_param *const *params; /* may be an empty table, not NULL */
    const struct fecrun_port *const *inputs;  /* [0] is fed by the stage before; empty: source */
    const struct fecrun_port *const *outputs; /* [0] feeds the next stage; empty: sink */
    const struct fecrun_backend *const *backends; /* [0]: the reference, which is the plain one;
                                                     after it in order of preference */
    /*
     * Parameters (already of the right type and range) and input frames -> output frames (each
     * cleared, size set) and a code object. Pure and quick: no I/O but to read a file that a
     * parameter names (a code definition; a header). Called again for each sweep point and for
     * each class of frames. in[i] is NULL where an optional port is not linked.
     */
    int (*plan)(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *plan, struct fecrun_error *err);
    void (*plan_free)(void *code);                /* optional; gets NULL, too */
    const struct fecrun_example *const *examples; /* optional */
};
#define FECRUN_STAGE_LAST examples

/* ---- Device providers ------------------------------------------------------------------------ */

enum fecrun_memory { FECRUN_MEMORY_PINNED = 1, FECRUN_MEMORY_DEVICE = 2 };

/*
 * Memory and streams of a kind of device. The host core knows devices only through this. `device`
 * counts from 0. Queued work that fails is reported by sync(), with the device's own words.
 */
struct fecrun_provider {
    size_t size;
    const char *name; /* "cuda" */
    /*
     * The version of what `stream` and device memory are under this name: of a runtime the major number
     * of its release. A backend that was built for another one cannot be used with it, which the host
     * says in words. 0: of no matter.
     */
    uint32_t interface;
    /* As a backend's, for the device itself. The host asks after those that are there; where there are
       none after device 0, for the reason. */
    int (*probe)(const struct fecrun_host *host, int32_t device, char *reason, size_t reason_size);
    int (*devices)(const struct fecrun_host *host); /* how many; 0 without a driver, too */
    int (*describe)(int device, char *text, size_t text_size);
    /* A line about the software under it ("driver 580.159, CUDA 13.0"). Optional. */
    int (*software)(char *text, size_t text_size);
    /*
     * Where the device is: its address as in /sys/bus/pci/devices ("0000:3b:00.0"). Threads that serve
     * it are then bound to CPUs near it. Asked after a probe() that went well, and makes no more of the
     * driver than describe() does. 0, or -1: it has none. Optional.
     */
    int (*bus)(int device, char *text, size_t text_size);
    /* FECRUN_MEMORY_DEVICE: FECRUN_SLACK bytes more than asked for are there. */
    void *(*alloc)(int device, uint32_t memory, size_t bytes, struct fecrun_error *err);
    void (*free)(int device, uint32_t memory, void *ptr); /* all work on it has been waited for */
    int (*stream_create)(int device, void **stream, struct fecrun_error *err);
    void (*stream_destroy)(int device, void *stream);
    /* Queues a copy; either side may be this device's memory or host memory. */
    int (*copy)(int device, void *stream, void *dst, const void *src, size_t bytes,
                struct fecrun_error *err);
    /* Queues bytes of the given value. */
    int (*fill)(int device, void *stream, void *dst, int value, size_t bytes,
                struct fecrun_error *err);
    /* Waits for all that was queued on the stream. */
    int (*sync)(int device, void *stream, struct fecrun_error *err);
    /*
     * Queues a change of sample type between two views in device memory. Optional;
     * returns 1 when it does not know this pair. With data == NULL it only says whether it does.
     */
    int (*convert)(int device, void *stream, const struct fecrun_view *in,
                   const struct fecrun_view *out, struct fecrun_error *err);
    /*
     * Events are marks in a stream's queue. Optional, all or none; without them the host measures
     * with its own clock.
     */
    int (*event_create)(int device, void **event, struct fecrun_error *err);
    void (*event_destroy)(int device, void *event);
    int (*event_record)(int device, void *stream, void *event, struct fecrun_error *err);
    /* Seconds on the device's clock from one mark to another; waits until both are reached. */
    int (*event_seconds)(int device, void *begin, void *end, double *seconds,
                         struct fecrun_error *err);
    /* Bytes of device memory, free now and in all. Optional. */
    int (*memory)(int device, uint64_t *free_bytes, uint64_t *total_bytes,
                  struct fecrun_error *err);
    /* Has this process started the driver already? Then a forked child cannot probe, and a host that asks in a child
       process, as fecrun does, asks in this one. It starts nothing. Optional: without it such a host always asks in a
       child. */
    int (*started)(void);
    /*
     * Around the host's work in a program that uses the device itself: what its calling thread has
     * chosen, a device or a context, and to choose it again. Neither starts the driver or reports
     * anything. Optional, both or none.
     */
    void *(*chosen)(void);
    void (*choose)(void *chosen);
};
#define FECRUN_PROVIDER_LAST choose

/* ---- The plugin ------------------------------------------------------------------------------ */

struct fecrun_plugin {
    size_t size;
    uint32_t abi; /* FECRUN_ABI */
    const char *name;
    const char *version;
    const char *license;                            /* SPDX */
    const struct fecrun_stage *const *stages;       /* may be NULL */
    const struct fecrun_provider *const *providers; /* may be NULL */
};
#define FECRUN_PLUGIN_LAST providers

/* Every plugin defines it, the host does not. */
extern FECRUN_EXPORT const struct fecrun_plugin fecrun_plugin;

#ifdef __cplusplus
}
#endif

#endif
