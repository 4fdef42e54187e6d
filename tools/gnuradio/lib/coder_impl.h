/* SPDX-License-Identifier: BSD-2-Clause */
/* The one block behind decoder and encoder. */
#ifndef FECRUN_RADIO_CODER_IMPL_H
#define FECRUN_RADIO_CODER_IMPL_H

#include "pipeline.h"
#include <gnuradio/fecrun/coder.h>
#include <atomic>
#include <mutex>

namespace gr
{
namespace fecrun
{

class coder_impl : public coder
{
  public:
    /* negate: LLRs at both ports are positive for 1. */
    coder_impl(const char *name, std::unique_ptr<pipeline> pipeline, bool negate,
               const std::string &length_tag);

    void set(const std::vector<std::string> &sets) override;
    int input_items() const override;
    int output_items() const override;
    uint64_t batch() const override;
    uint64_t frames() const override;
    uint64_t failed() const override;

    bool start() override;
    bool stop() override;
    void forecast(int noutput_items, gr_vector_int &required) override;
    int general_work(int noutput_items, gr_vector_int &ninput_items,
                     gr_vector_const_void_star &input_items,
                     gr_vector_void_star &output_items) override;
    int work(int noutput_items, gr_vector_int &ninput_items, gr_vector_const_void_star &input_items,
             gr_vector_void_star &output_items) override;

  protected:
    int calculate_output_stream_length(const gr_vector_int &ninput_items) override;

  private:
    void make_room();
    bool upstream_done() const;
    bool stream_ends() const;
    const void *turned(const void *in, uint64_t items);
    void turn_back(void *out, uint64_t items) const;
    void run_units(const char *in, char *out, uint64_t units);
    int run_packet(const char *in, char *out, uint64_t items);
    int run_frames(const char *in, char *out, uint64_t items, uint64_t room);
    int run_stream(const char *in, char *out, uint64_t items, uint64_t room);
    void take(const char *in, uint64_t items, bool end);
    uint64_t give(char *out, uint64_t room);
    void count(uint64_t frames);
    void publish(uint64_t frames, const struct tally &tally);
    void drop(uint64_t items);

    const std::unique_ptr<pipeline> d_pipeline;
    const bool d_negate_in, d_negate_out, d_packets;
    mutable std::mutex d_mutex; /* set() beside work() */
    std::vector<char> d_turned; /* a call's input with the other sign */
    std::vector<char>
        d_ready; /* of a stream: output that found no room yet, from d_given to d_got */
    uint64_t d_given = 0, d_got = 0;
    bool d_open = false; /* a stream is under way */
    std::atomic<uint64_t> d_frames{0}, d_failed{0};
    const pmt::pmt_t d_port;
};

}
}

#endif
