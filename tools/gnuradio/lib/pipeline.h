/* SPDX-License-Identifier: BSD-2-Clause */
/* A prepared pipeline with one source.memory and one sink.memory, counted in items of GNU Radio. */
#ifndef FECRUN_RADIO_PIPELINE_H
#define FECRUN_RADIO_PIPELINE_H

#include <fecrun/fecrun.h>
#include <cstdint>
#include <string>
#include <vector>

namespace gr
{
namespace fecrun
{

struct port {
    uint32_t kind = 0, type = 0; /* enum fecrun_kind, enum fecrun_type */
    size_t item_bytes = 1;       /* of GNU Radio's item */
    uint64_t items = 0;          /* of GNU Radio, a frame; with `blocks:` all rows */
    uint64_t per_item = 1;       /* fecrun's items in one of GNU Radio: 8 if packed */
    size_t bytes = 0;            /* most of a call */
    bool operator==(const port &other) const;
};

/* Throws what decoder::make() throws. Used by one thread at a time. */
class pipeline
{
  public:
    pipeline(const std::string &text_or_path, const std::vector<std::string> &sets,
             uint64_t frames);
    ~pipeline();
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;

    const port &in() const
    {
        return d_in;
    }
    const port &out() const
    {
        return d_out;
    }
    bool stream() const
    {
        return d_stream;
    }
    /* Most units of a call. A unit is a frame; with `blocks:` it is all rows, units() is then 1, and rows() how many
       frames it has. */
    uint64_t units() const
    {
        return d_units;
    }
    uint64_t rows() const
    {
        return d_rows;
    }
    /* How many frames a call has was said, by the caller or by `batch:`. */
    bool whole() const
    {
        return d_whole;
    }

    void set(const std::vector<std::string> &sets);
    void execute(const void *in, void *out, uint64_t units);
    /* Returns how many items of GNU Radio are at the beginning of out, which has room for out().bytes. */
    uint64_t execute_stream(const void *in, void *out, uint64_t items, bool end);
    const fecrun_frame_info *infos() const
    {
        return fecrun_get_infos(d_prepared);
    }

  private:
    void open(const std::string &text_or_path, const std::vector<std::string> &sets);
    void prepare(uint64_t frames);
    bool has_rows(uint64_t rows);
    void size(uint64_t frames);
    void measure();
    void bind(const void *in, void *out);

    fecrun_session *d_session = nullptr;
    fecrun_prepared *d_prepared = nullptr;
    port d_in, d_out;
    bool d_stream = false;
    uint64_t d_units = 1, d_rows = 1;
    bool d_unit_rows = false, d_whole = false;
    std::vector<std::string> d_sets; /* that set() was called with */
};

}
}

#endif
