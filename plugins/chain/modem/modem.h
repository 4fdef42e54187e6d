/* SPDX-License-Identifier: BSD-2-Clause */
/* The modulation schemes: their parameters, which mapper and demappers share, and their points. */
#ifndef CHAIN_MODEM_MODEM_H
#define CHAIN_MODEM_MODEM_H

#include "plugins/chain/codes.h"

#include <fecrun/sdk/facts.h>
#include <fecrun/sdk/stage.h>

/* A fact of LLRs, for llr.quantize: half the smallest distance of two points, at mean energy 1. */
#define CHAIN_HALF_DISTANCE "modem.half_distance"

/* A fact of symbols that channel.fading multiplied by a gain: 1: a real one, 2: a complex one. */
#define CHAIN_FADED "channel.fading"

/* The parameters of a scheme, first in the schema of each stage that has one. */
enum {
    CHAIN_P_SCHEME,
    CHAIN_P_RATE,
    CHAIN_P_GAMMA,
    CHAIN_P_GAMMA2,
    CHAIN_P_POINTS,
    CHAIN_P_OTHERS, /* the number of the stage's own first one */
};

/* Their entries, `scheme` with these flags and that help. */
#define CHAIN_SCHEME_PARAMS(scheme_flags, scheme_help) \
    FECRUN_PARAM(.name = "scheme", .type = FECRUN_VALUE_CHOICE, .flags = (scheme_flags), \
                 .choices = chain_scheme_names, .choices_help = chain_scheme_help, \
                 .help = (scheme_help)), \
        &chain_scheme_rate, &chain_scheme_gamma, &chain_scheme_gamma2, &chain_scheme_points

/* Examples of all schemes, with more parameters: ", esn0_db: 9" or "". */
#define CHAIN_SCHEME_EXAMPLE(scheme, more) FECRUN_EXAMPLE(.params = "{scheme: " scheme more "}")
#define CHAIN_SCHEME_EXAMPLES(more) \
    CHAIN_SCHEME_EXAMPLE("bpsk", more), CHAIN_SCHEME_EXAMPLE("qpsk", more), \
        CHAIN_SCHEME_EXAMPLE("16qam", more), CHAIN_SCHEME_EXAMPLE("64qam", more), \
        CHAIN_SCHEME_EXAMPLE("256qam", more), CHAIN_SCHEME_EXAMPLE("1024qam", more), \
        CHAIN_SCHEME_EXAMPLE("4096qam", more), CHAIN_SCHEME_EXAMPLE("pi/2-bpsk", more), \
        CHAIN_SCHEME_EXAMPLE("8psk", more), CHAIN_SCHEME_EXAMPLE("16apsk, rate: 2/3", more), \
        CHAIN_SCHEME_EXAMPLE("16apsk, rate: 5/6", more), \
        CHAIN_SCHEME_EXAMPLE("32apsk, rate: 3/4", more), \
        CHAIN_SCHEME_EXAMPLE("32apsk, rate: 4/5", more), \
        CHAIN_SCHEME_EXAMPLE("32apsk, rate: 8/9", more), \
        CHAIN_SCHEME_EXAMPLE("32apsk, rate: 9/10", more), \
        CHAIN_SCHEME_EXAMPLE("32apsk, gamma: 2.1, gamma2: 3.5", more), \
        CHAIN_SCHEME_EXAMPLE("points, points: [[1, 0], [0, 1], [0, -1], [-1, 0]]", more)

extern const char *const chain_scheme_names[], *const chain_scheme_help[];
extern const struct fecrun_param chain_scheme_rate, chain_scheme_gamma, chain_scheme_gamma2,
    chain_scheme_points;

/* A scheme with all its parameters. */
struct chain_scheme {
    const char *name;
    enum chain_shape shape;
    unsigned bits;   /* per symbol, at most 10 */
    double unit;     /* half the smallest distance of two points */
    double gamma[2]; /* APSK: radii of the outer rings over that of the inner one */
    double point[CHAIN_MOST_POINTS]
                [2]; /* by the symbol's bits, the first one highest; mean energy 1.
                                            TURNED: those of symbol 0 */
};

/*
 * The scheme of a stage with these parameters, and its plan's identity. `in` is the input of a demapper, which
 * takes the mapper's scheme where the user gave none; NULL: of a mapper. Returns 0, or -1 and *err: nobody says
 * which scheme, or two say different ones; parameters that are not the scheme's; no table of points.
 */
int chain_scheme_read(struct chain_scheme *scheme, const struct fecrun_values *values,
                      const struct fecrun_frame *in, struct fecrun_plan *plan,
                      struct fecrun_error *err);

/* Bits of a real dimension of a REAL or SQUARE scheme. */
static inline unsigned chain_dimension_bits(const struct chain_scheme *scheme)
{
    return scheme->shape == CHAIN_REAL ? 1 : scheme->bits / 2;
}

/* The level of a dimension of a SQUARE scheme: odd, in units of the innermost level. The first of its bits is the
   highest. */
int chain_pam_level(unsigned dimension_bits, unsigned bits);

/* For takes() of backends that know real and small square schemes only: 0, or -1 and *err. */
int chain_takes_map(const struct map_code *map, struct fecrun_error *err);
int chain_takes_demap(const struct demap_code *demap, struct fecrun_error *err);

/* For takes() of modem.demap: is the form's output of the type that the plan wants? */
static inline int chain_takes_type(const struct demap_code *demap, const struct fecrun_form *form,
                                   struct fecrun_error *err)
{
    return form->out[0].type == demap->type ? 0 : fecrun_fail(err, "type", "another one is wanted");
}

/* For takes() of stages that absorb modem.demap and know no LLRs of 16 bits. */
int chain_takes_wide(const struct demap_code *demap, struct fecrun_error *err);

/* Fills in the points of a TURNED or POINTS scheme, for demappers. */
void chain_points_fill(struct points_code *points, const struct chain_scheme *scheme,
                       const struct fecrun_frame *in);

/* Reads the table of points and scales it to mean energy 1; sets bits, point and unit. 0, or -1 and *err. */
int chain_points_read(struct chain_scheme *scheme, const struct fecrun_value *value,
                      struct fecrun_plan *plan, struct fecrun_error *err);

/* For plan(): the output of a demapper has items * bits bits or LLRs, of that scheme. */
void chain_demapped_frame(struct fecrun_frame *out, const struct fecrun_frame *in,
                          const struct chain_scheme *scheme);

/* The number of a row's first symbol, as pi/2-BPSK counts them: from the begin of the frame or the stream. */
static inline uint64_t chain_first_symbol(bool stream, const struct fecrun_call *call,
                                          uint64_t symbols, uint64_t frame)
{
    return stream ? call->first_item + frame * symbols : 0;
}

#endif
