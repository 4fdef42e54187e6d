/* SPDX-License-Identifier: BSD-2-Clause */
#include "pipeline.h"
#include <algorithm>
#include <stdexcept>

namespace gr
{
namespace fecrun
{

static const char source[] = "source.memory", sink[] = "sink.memory";

/* Vectors of AVX-512 have an 8-bit value of 64 frames each: a decoder of small frames works on so many at once. */
static constexpr uint64_t batch_frames = 64;
/* Of an input: calls of less are many, buffers of more large. */
static constexpr uint64_t least_bytes = 128 << 10, most_bytes = 4 << 20;
static constexpr uint64_t max_frames = 65536;

struct message : fecrun_message {
    message()
    {
        size = sizeof(fecrun_message);
        status = 0;
        text[0] = 0;
    }
    /* Throws if result is not 0. */
    void must(int result) const
    {
        if (result == 0)
            return;
        if (status == 2)
            throw std::invalid_argument(text);
        throw std::runtime_error(text);
    }
};

/* Ends with NULL, as the C functions want it; lives as long as strings. */
static std::vector<const char *> list(const std::vector<std::string> &strings)
{
    std::vector<const char *> pointers;

    for (const std::string &string : strings)
        pointers.push_back(string.c_str());
    pointers.push_back(nullptr);
    return pointers;
}

bool port::operator==(const port &other) const
{
    return kind == other.kind && type == other.type && items == other.items;
}

static size_t bytes_of(uint32_t type)
{
    switch (type) {
    case FECRUN_C8:
        return 8;
    case FECRUN_F32:
        return 4;
    case FECRUN_F16:
    case FECRUN_I16:
        return 2;
    default:
        return 1;
    }
}

static fecrun_port_info info_of(const fecrun_prepared *prepared, const char *stage)
{
    fecrun_port_info info = {};
    message message;

    info.size = sizeof info;
    message.must(fecrun_get_port(prepared, stage, &info, &message));
    if (std::string(info.space) != "host")
        throw std::invalid_argument(std::string(stage) +
                                    ".space: must be host: GNU Radio's buffers are in memory");
    return info;
}

/* rows: the frames of a call are rows of `blocks:` and are not parted. */
static port port_of(const fecrun_port_info &info, bool rows)
{
    port port;

    port.kind = info.kind;
    port.type = info.type;
    port.item_bytes = bytes_of(info.type);
    port.per_item = info.type == FECRUN_PACKED ? 8 : info.type == FECRUN_I4 ? 2 : 1;
    port.bytes = info.bytes;
    port.items = (rows ? info.bytes : info.frame_bytes * info.pieces) / port.item_bytes;
    return port;
}

pipeline::pipeline(const std::string &text_or_path, const std::vector<std::string> &sets,
                   uint64_t frames)
{
    if (frames > max_frames)
        throw std::invalid_argument("frames: must be at most " + std::to_string(max_frames) +
                                    ", is " + std::to_string(frames));
    try {
        open(text_or_path, sets);
        size(frames);
    } catch (...) {
        fecrun_finish(d_prepared);
        fecrun_close(d_session);
        throw;
    }
}

pipeline::~pipeline()
{
    fecrun_finish(d_prepared);
    fecrun_close(d_session);
}

void pipeline::open(const std::string &text_or_path, const std::vector<std::string> &sets)
{
    const std::vector<const char *> pointers = list(sets);
    fecrun_options options = {};
    message message;

    options.size = sizeof options;
    options.sets = pointers.data();
    if (text_or_path.find('\n') != std::string::npos)
        message.must(fecrun_open_text(&d_session, "pipeline", text_or_path.data(),
                                      text_or_path.size(), &options, &message));
    else
        message.must(fecrun_open(&d_session, text_or_path.c_str(), &options, &message));
}

void pipeline::prepare(uint64_t frames)
{
    fecrun_prepare_options options = {};
    message message;

    fecrun_finish(d_prepared);
    d_prepared = nullptr;
    options.size = sizeof options;
    options.frames = frames;
    message.must(fecrun_prepare(&d_prepared, d_session, &options, &message));
}

/* With `blocks:` the rows say how many frames a call has, and another number is refused. */
bool pipeline::has_rows(uint64_t rows)
{
    try {
        prepare(rows + 1);
    } catch (const std::invalid_argument &) {
        return true;
    }
    return false;
}

static uint64_t default_frames(uint64_t frame_bytes)
{
    const uint64_t batches = 1 + (least_bytes - 1) / (frame_bytes * batch_frames);
    const uint64_t most = std::max<uint64_t>(most_bytes / frame_bytes, 1);

    return std::min(batches * batch_frames, most);
}

void pipeline::size(uint64_t frames)
{
    prepare(0);
    const uint64_t rows = info_of(d_prepared, source).frames;

    if (has_rows(rows)) {
        prepare(0);
        d_rows = rows;
        d_unit_rows = true;
        measure();
        return;
    }
    measure();
    d_whole = frames || rows > 1;
    if (frames == 0)
        frames = rows > 1 ? rows : default_frames(d_in.items * d_in.item_bytes);
    if (std::max(d_in.items, d_out.items) > INT32_MAX / 4 / frames)
        throw std::invalid_argument("frames: " + std::to_string(frames) + " of " +
                                    std::to_string(d_in.items) +
                                    " items are too large for a buffer of GNU Radio");
    d_units = frames;
    prepare(frames);
    measure();
}

/* Reads the ports of what is prepared. */
void pipeline::measure()
{
    d_in = port_of(info_of(d_prepared, source), d_unit_rows);
    d_out = port_of(info_of(d_prepared, sink), d_unit_rows);
    d_stream = !infos();
    if (d_stream && d_out.per_item > 1)
        throw std::invalid_argument(std::string(sink) +
                                    ".dtype: must not be packed where source.memory has stream: "
                                    "true; blocks.pack_k_bits_bb packs bits");
}

/* A change of sizes is taken back: the earlier values are set in a pipeline that is prepared anew. */
void pipeline::set(const std::vector<std::string> &sets)
{
    const port in = d_in, out = d_out;
    message message;

    message.must(fecrun_set(d_prepared, list(sets).data(), &message));
    measure();
    if (in == d_in && out == d_out) {
        d_sets.insert(d_sets.end(), sets.begin(), sets.end());
        return;
    }
    prepare(d_unit_rows ? 0 : d_units);
    if (!d_sets.empty())
        message.must(fecrun_set(d_prepared, list(d_sets).data(), &message));
    measure();
    throw std::invalid_argument("set: the size of a frame would change; make a block of that size");
}

void pipeline::bind(const void *in, void *out)
{
    message message;

    message.must(fecrun_bind_input(d_prepared, source, in, d_in.bytes, 0, &message));
    message.must(fecrun_bind_output(d_prepared, sink, out, d_out.bytes, 0, &message));
}

void pipeline::execute(const void *in, void *out, uint64_t units)
{
    message message;

    bind(in, out);
    message.must(fecrun_execute(d_prepared, units * d_rows, &message));
}

uint64_t pipeline::execute_stream(const void *in, void *out, uint64_t items, bool end)
{
    message message;

    bind(in, out);
    message.must(fecrun_execute_stream(d_prepared, items * d_in.per_item, end, &message));
    return fecrun_get_items(d_prepared, sink);
}

}
}
