/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks for GNU Radio 3.10 that run pipelines of fecrun; doc/gnuradio.md is the guide. */
#ifndef GNURADIO_FECRUN_CODER_H
#define GNURADIO_FECRUN_CODER_H

#include <gnuradio/fecrun/api.h>
#include <gnuradio/tagged_stream_block.h>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gr
{
namespace fecrun
{

/*
 * A block with one input and one output: the source.memory and the sink.memory of a pipeline. decoder::make() and
 * encoder::make() make it. The item of a port follows the stage's dtype: f4 is float, i1 (i8) is a signed char, i2 a
 * short, c8 gr_complex, u1 a byte with one bit, packed a byte with eight.
 *
 * The message port `quality` gets a dictionary for each call of the pipeline, unless it is a stream:
 *     first    number of the first frame, from 0
 *     frames   frames of the call
 *     checked  frames that a decoder or CRC has judged
 *     failed   bad ones among them
 *     iterations  mean of the frames
 *     bad      u8vector, a 1 for each frame that failed
 * A packet that is no whole number of frames is dropped: `dropped` has its items, `error` the reason.
 */
class FECRUN_RADIO_API coder : virtual public gr::tagged_stream_block
{
  public:
    typedef std::shared_ptr<coder> sptr;

    /*
     * Sets values of parameters for the next frames, each "STAGE.PARAM=value" as --set. May be called while the
     * flowgraph runs. Throws std::invalid_argument with fecrun's words if a value is not allowed, or would change the
     * size of a frame; everything is then as it was before. A stream allows it only before its first item.
     */
    virtual void set(const std::vector<std::string> &sets) = 0;

    /* Items of GNU Radio that one frame takes, and gives. Of a stream: a piece of it. */
    virtual int input_items() const = 0;
    virtual int output_items() const = 0;

    /* Most frames of one call of the pipeline. */
    virtual uint64_t batch() const = 0;

    /* Counts since the block was made, of pipelines with frames; frames that a check called bad. */
    virtual uint64_t frames() const = 0;
    virtual uint64_t failed() const = 0;
};

/*
 * make() throws std::invalid_argument if the pipeline or an argument is wrong, and std::runtime_error if something is
 * not available here. The text is fecrun's message.
 *
 * pipeline    a file's name; or the pipeline itself, if it has more than one line
 * sets        "STAGE.PARAM=value", as --set
 * length_tag  key of the tag with the length of a packet; "": a stream without packets. A packet is a whole number of
 *             frames; a pipeline with `stream: true` takes packets of any length, each as a stream of its own
 * frames      frames of one call, which waits for so many (the last one of a stream may have fewer), and most of a
 *             packet. 0: `batch:` of the pipeline, in the same way. Where it has none, a call takes what frames are
 *             there: at most 64, more up to 128 KiB, and fewer if they are larger than 4 MiB. With `stream: true` it is
 *             the most pieces of a call, which never waits. With `blocks:` a call has all rows, and frames has no
 *             effect
 */
struct FECRUN_RADIO_API decoder {
    /* positive: the bit that a positive LLR means, at a port with LLRs: "one" as GNU Radio's blocks have it, "zero" as
       fecrun has it. */
    static coder::sptr make(const std::string &pipeline, const std::vector<std::string> &sets = {},
                            const std::string &positive = "one", const std::string &length_tag = "",
                            uint64_t frames = 0);
};

struct FECRUN_RADIO_API encoder {
    static coder::sptr make(const std::string &pipeline, const std::vector<std::string> &sets = {},
                            const std::string &length_tag = "", uint64_t frames = 0);
};

}
}

#endif
