/* SPDX-License-Identifier: BSD-2-Clause */
#include "coder_impl.h"
#include <gnuradio/block_detail.h>
#include <gnuradio/buffer_reader.h>
#include <gnuradio/io_signature.h>
#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace gr
{
namespace fecrun
{

/* Of the frames of one call. */
struct tally {
    uint64_t checked = 0, failed = 0, iterations = 0;
    std::vector<uint8_t> bad;
};

static bool negates(const port &port, bool negate)
{
    return negate && port.kind == FECRUN_KIND_LLR;
}

static gr::io_signature::sptr signature(const port &port)
{
    return gr::io_signature::make(1, 1, static_cast<int>(port.item_bytes));
}

coder_impl::coder_impl(const char *name, std::unique_ptr<pipeline> pipeline, bool negate,
                       const std::string &length_tag)
    : gr::tagged_stream_block(name, signature(pipeline->in()), signature(pipeline->out()),
                              length_tag),
      d_pipeline(std::move(pipeline)), d_negate_in(negates(d_pipeline->in(), negate)),
      d_negate_out(negates(d_pipeline->out(), negate)), d_packets(!length_tag.empty()),
      d_port(pmt::mp("quality"))
{
    const port &in = d_pipeline->in(), &out = d_pipeline->out();

    if ((d_negate_in && in.type == FECRUN_I4) || (d_negate_out && out.type == FECRUN_I4))
        throw std::invalid_argument(
            "positive: must be zero for LLRs of dtype i4, whose sign is not changed here");
    if (d_negate_in)
        d_turned.resize(in.bytes);
    if (d_pipeline->stream())
        d_ready.resize(out.bytes);
    set_relative_rate(out.items, in.items);
    set_tag_propagation_policy(d_pipeline->stream() ? TPP_DONT : TPP_ALL_TO_ALL);
    message_port_register_out(d_port);
    make_room();
}

/* A packet may be shorter than a batch. Buffers are there by now, and have room for two batches. */
bool coder_impl::start()
{
    const std::lock_guard<std::mutex> lock(d_mutex);

    if (d_packets)
        set_output_multiple(1);
    if (d_open)
        take(nullptr, 0, true);
    d_given = d_got = 0;
    return true;
}

bool coder_impl::stop()
{
    make_room();
    return true;
}

/* GNU Radio makes buffers for two of a block's smallest outputs, and for their inputs. */
void coder_impl::make_room()
{
    set_output_multiple(output_items() * static_cast<int>(d_pipeline->units()));
}

void coder_impl::set(const std::vector<std::string> &sets)
{
    const std::lock_guard<std::mutex> lock(d_mutex);

    d_pipeline->set(sets);
}

int coder_impl::input_items() const
{
    return static_cast<int>(d_pipeline->in().items);
}

int coder_impl::output_items() const
{
    return static_cast<int>(d_pipeline->out().items);
}

uint64_t coder_impl::batch() const
{
    return d_pipeline->units() * d_pipeline->rows();
}

uint64_t coder_impl::frames() const
{
    return d_frames;
}

uint64_t coder_impl::failed() const
{
    return d_failed;
}

bool coder_impl::upstream_done() const
{
    return detail()->input(0)->done();
}

/* Frames wait for a whole batch, if its size was given and the input's buffer has room for it; the last ones do not
   wait. noutput_items is a number of whole batches. */
void coder_impl::forecast(int noutput_items, gr_vector_int &required)
{
    if (d_packets)
        return gr::tagged_stream_block::forecast(noutput_items, required);
    if (d_pipeline->stream()) {
        required[0] = d_given < d_got || stream_ends() ? 0 : 1;
        return;
    }
    required[0] = input_items();
    if (d_pipeline->whole() && !upstream_done()) {
        const int room = detail()->input(0)->max_possible_items_available() / input_items();
        const int batch = std::min(noutput_items / output_items(), std::max(room, 1));
        required[0] = batch * input_items();
    }
}

/* The upstream's end is the stream's. */
bool coder_impl::stream_ends() const
{
    return d_open && upstream_done() && detail()->input(0)->items_available() == 0;
}

/* A call of the pipeline that fails cannot be repeated, so it ends the block. */
int coder_impl::general_work(int noutput_items, gr_vector_int &ninput_items,
                             gr_vector_const_void_star &input_items,
                             gr_vector_void_star &output_items)
{
    const std::lock_guard<std::mutex> lock(d_mutex);

    try {
        return gr::tagged_stream_block::general_work(noutput_items, ninput_items, input_items,
                                                     output_items);
    } catch (const std::exception &error) {
        d_logger->error("{}", error.what());
        return WORK_DONE;
    }
}

int coder_impl::work(int noutput_items, gr_vector_int &ninput_items,
                     gr_vector_const_void_star &input_items, gr_vector_void_star &output_items)
{
    const char *in = static_cast<const char *>(input_items[0]);
    char *out = static_cast<char *>(output_items[0]);
    const uint64_t items = static_cast<uint64_t>(ninput_items[0]);
    const uint64_t room = static_cast<uint64_t>(noutput_items);

    if (d_packets)
        return run_packet(in, out, items);
    if (d_pipeline->stream())
        return run_stream(in, out, items, room);
    return run_frames(in, out, items, room);
}

/* Of a stream, the most: its last items may give as much as a whole piece. */
int coder_impl::calculate_output_stream_length(const gr_vector_int &ninput_items)
{
    const int in = input_items();
    const int units = ninput_items[0] / in + (d_pipeline->stream() ? 1 : 0);

    return units * output_items();
}

/* ---- Signs ---- */

/* The least value has no opposite: it gets the largest one. */
template <typename T> static void negate_integers(const void *from, void *to, uint64_t items)
{
    const T *in = static_cast<const T *>(from);
    T *out = static_cast<T *>(to);

    for (uint64_t i = 0; i < items; i++)
        out[i] = static_cast<T>(in[i] == std::numeric_limits<T>::min() ? ~in[i] : -in[i]);
}

/* Floating point numbers: the sign is their first bit. */
template <typename T> static void negate_signs(const void *from, void *to, uint64_t items)
{
    const T *in = static_cast<const T *>(from);
    T *out = static_cast<T *>(to);

    for (uint64_t i = 0; i < items; i++)
        out[i] = static_cast<T>(in[i] ^ T(1) << (8 * sizeof(T) - 1));
}

static void negate(uint32_t type, const void *from, void *to, uint64_t items)
{
    switch (type) {
    case FECRUN_F32:
        return negate_signs<uint32_t>(from, to, items);
    case FECRUN_F16:
        return negate_signs<uint16_t>(from, to, items);
    case FECRUN_I16:
        return negate_integers<int16_t>(from, to, items);
    default:
        return negate_integers<int8_t>(from, to, items);
    }
}

const void *coder_impl::turned(const void *in, uint64_t items)
{
    if (!d_negate_in)
        return in;
    negate(d_pipeline->in().type, in, d_turned.data(), items);
    return d_turned.data();
}

void coder_impl::turn_back(void *out, uint64_t items) const
{
    if (d_negate_out)
        negate(d_pipeline->out().type, out, out, items);
}

/* ---- Frames ---- */

void coder_impl::run_units(const char *in, char *out, uint64_t units)
{
    const port &from = d_pipeline->in(), &to = d_pipeline->out();

    while (units) {
        const uint64_t n = std::min(units, d_pipeline->units());
        d_pipeline->execute(turned(in, n * from.items), out, n);
        turn_back(out, n * to.items);
        count(n * d_pipeline->rows());
        in += n * from.items * from.item_bytes;
        out += n * to.items * to.item_bytes;
        units -= n;
    }
}

int coder_impl::run_frames(const char *in, char *out, uint64_t items, uint64_t room)
{
    const port &from = d_pipeline->in(), &to = d_pipeline->out();
    const uint64_t units = std::min(items / from.items, room / to.items);

    run_units(in, out, units);
    consume(0, static_cast<int>(units * from.items));
    return static_cast<int>(units * to.items);
}

/* Returns the items of the packet's result; 0: it was dropped. */
int coder_impl::run_packet(const char *in, char *out, uint64_t items)
{
    const port &from = d_pipeline->in(), &to = d_pipeline->out();

    if (d_pipeline->stream()) {
        uint64_t got = 0;
        do {
            const uint64_t n = std::min(items, from.items * d_pipeline->units());
            take(in, n, n == items);
            got += give(out + got * to.item_bytes, d_got);
            in += n * from.item_bytes;
            items -= n;
        } while (items);
        return static_cast<int>(got);
    }
    if (items % from.items) {
        drop(items);
        return 0;
    }
    run_units(in, out, items / from.items);
    return static_cast<int>(items / from.items * to.items);
}

/* ---- Streams ---- */

/* The next items of the stream; what is ready is in d_ready. */
void coder_impl::take(const char *in, uint64_t items, bool end)
{
    static const char nothing[16] = {};

    d_got = d_pipeline->execute_stream(turned(in ? in : nothing, items), d_ready.data(), items,
                                       end);
    turn_back(d_ready.data(), d_got);
    d_given = 0;
    d_open = !end;
}

/* Copies what is ready, returns its items. */
uint64_t coder_impl::give(char *out, uint64_t room)
{
    const size_t bytes = d_pipeline->out().item_bytes;
    const uint64_t n = std::min(room, d_got - d_given);

    std::memcpy(out, d_ready.data() + d_given * bytes, n * bytes);
    d_given += n;
    return n;
}

/* What a call of the pipeline gives waits in d_ready for room. At the end the last bits come. */
int coder_impl::run_stream(const char *in, char *out, uint64_t items, uint64_t room)
{
    const port &from = d_pipeline->in(), &to = d_pipeline->out();
    uint64_t taken = 0, given = give(out, room);

    while (d_given == d_got && given < room && taken < items) {
        const uint64_t n = std::min(items - taken, from.items * d_pipeline->units());
        take(in + taken * from.item_bytes, n, false);
        taken += n;
        given += give(out + given * to.item_bytes, room - given);
    }
    if (items == 0 && d_given == d_got && stream_ends()) {
        take(nullptr, 0, true);
        given += give(out + given * to.item_bytes, room - given);
    }
    consume(0, static_cast<int>(taken));
    return static_cast<int>(given);
}

/* ---- Quality ---- */

void coder_impl::count(uint64_t frames)
{
    const fecrun_frame_info *infos = d_pipeline->infos();
    tally tally;

    tally.bad.resize(frames);
    for (uint64_t i = 0; i < frames; i++) {
        tally.bad[i] = infos[i].flags & FECRUN_FRAME_FAILED ? 1 : 0;
        tally.failed += tally.bad[i];
        tally.checked += infos[i].flags & FECRUN_FRAME_CHECKED ? 1 : 0;
        tally.iterations += infos[i].iterations;
    }
    if (!pmt::is_null(message_subscribers(d_port)))
        publish(frames, tally);
    d_frames += frames;
    d_failed += tally.failed;
}

void coder_impl::publish(uint64_t frames, const struct tally &tally)
{
    const double iterations = static_cast<double>(tally.iterations) / static_cast<double>(frames);
    pmt::pmt_t quality = pmt::make_dict();

    quality = pmt::dict_add(quality, pmt::mp("first"), pmt::from_uint64(d_frames));
    quality = pmt::dict_add(quality, pmt::mp("frames"), pmt::from_uint64(frames));
    quality = pmt::dict_add(quality, pmt::mp("checked"), pmt::from_uint64(tally.checked));
    quality = pmt::dict_add(quality, pmt::mp("failed"), pmt::from_uint64(tally.failed));
    quality = pmt::dict_add(quality, pmt::mp("iterations"), pmt::from_double(iterations));
    quality = pmt::dict_add(quality, pmt::mp("bad"),
                            pmt::init_u8vector(tally.bad.size(), tally.bad));
    message_port_pub(d_port, quality);
}

void coder_impl::drop(uint64_t items)
{
    const std::string error = "a packet of " + std::to_string(items) +
                              " items is dropped: a frame has " +
                              std::to_string(d_pipeline->in().items);
    pmt::pmt_t quality = pmt::make_dict();

    d_logger->warn("{}", error);
    quality = pmt::dict_add(quality, pmt::mp("dropped"), pmt::from_uint64(items));
    quality = pmt::dict_add(quality, pmt::mp("error"), pmt::mp(error));
    message_port_pub(d_port, quality);
}

/* ---- What flowgraphs call ---- */

static coder::sptr make(const char *name, const std::string &text,
                        const std::vector<std::string> &sets, bool negate,
                        const std::string &length_tag, uint64_t frames)
{
    return gnuradio::make_block_sptr<coder_impl>(
        name, std::make_unique<pipeline>(text, sets, frames), negate, length_tag);
}

coder::sptr decoder::make(const std::string &pipeline, const std::vector<std::string> &sets,
                          const std::string &positive, const std::string &length_tag,
                          uint64_t frames)
{
    if (positive != "one" && positive != "zero")
        throw std::invalid_argument("positive: must be one or zero, is '" + positive + "'");
    return gr::fecrun::make("fecrun_decoder", pipeline, sets, positive == "one", length_tag,
                            frames);
}

coder::sptr encoder::make(const std::string &pipeline, const std::vector<std::string> &sets,
                          const std::string &length_tag, uint64_t frames)
{
    return gr::fecrun::make("fecrun_encoder", pipeline, sets, false, length_tag, frames);
}

}
}
