/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whole links of AFF3CT, put together of its modules as its own simulator does, for bench/links-aff3ct.sh: random bits,
 * encoder, BPSK, white noise, demodulation, quantiser, decoder, counting. links-aff3ct family=polar words=FILE or
 * family=turbo, block=K frame=N ebn0=DB quantizer=BITS,FRACTION seconds=S [kernel=NAME] [zero=1: the word of zeros, without
 * source and encoder]. A line: frames, wrong frames, Mb/s of CPU time. Compiled for 8 or 16 bits, like AFF3CT itself.
 */
#include "../latency/frozen.h"

#include "Module/Channel/AWGN/Channel_AWGN_LLR.hpp"
#include "Module/Decoder/Polar/SC/Decoder_polar_SC_fast_sys.hpp"
#include "Module/Decoder/RSC/BCJR/Inter/Decoder_RSC_BCJR_inter_very_fast.hpp"
#include "Module/Decoder/RSC/BCJR/Inter_intra/Decoder_RSC_BCJR_inter_intra_fast_x2_AVX.hpp"
#include "Module/Decoder/RSC/BCJR/Inter_intra/Decoder_RSC_BCJR_inter_intra_fast_x4_AVX.hpp"
#include "Module/Decoder/Turbo/Decoder_turbo_fast.hpp"
#include "Module/Encoder/Polar/Encoder_polar_sys.hpp"
#include "Module/Encoder/RSC/Encoder_RSC_generic_sys.hpp"
#include "Module/Encoder/Turbo/Encoder_turbo.hpp"
#include "Module/Interleaver/Interleaver.hpp"
#include "Module/Modem/BPSK/Modem_BPSK_fast.hpp"
#include "Module/Monitor/BFER/Monitor_BFER.hpp"
#include "Module/Quantizer/Pow2/Quantizer_pow2_fast.hpp"
#include "Module/Source/Random/Source_random_fast.hpp"
#include "Tools/Algo/Draw_generator/Gaussian_noise_generator/Fast/Gaussian_noise_generator_fast.hpp"
#include "Tools/Code/Polar/API/API_polar_static_inter.hpp"
#include "Tools/Code/Polar/API/API_polar_static_inter_8bit_bitpacking.hpp"
#include "Tools/Code/Turbo/Post_processing_SISO/Scaling_factor/Scaling_factor_vec.hpp"
#include "Tools/Interleaver/LTE/Interleaver_core_LTE.hpp"

#include <cmath>
#include <ctime>
#include <memory>

using namespace aff3ct;

namespace
{

#ifdef AFF3CT_16BIT_PREC
using B = int16_t;
using Q = int16_t;
using polar_api = tools::API_polar_static_inter<B, Q>;
#else
using B = int8_t;
using Q = int8_t;
#ifdef AFF3CT_POLAR_BIT_PACKING
using polar_api = tools::API_polar_static_inter_8bit_bitpacking<B, Q>;
#else
using polar_api = tools::API_polar_static_inter<B, Q>;
#endif
#endif
using R = float;

struct link {
    int k, n, frames = 1;
    std::shared_ptr<module::Encoder<B>> encoder;
    std::shared_ptr<module::Decoder_SIHO<B, Q>> decoder;
    /* What encoder and decoder refer to. */
    std::shared_ptr<tools::Interleaver_core<>> core;
    std::shared_ptr<module::Interleaver<B>> of_bits;
    std::shared_ptr<module::Interleaver<Q>> of_llrs;
};

void make_polar(struct link &l)
{
    const auto frozen = find_frozen(l.n);

    l.encoder = std::make_shared<module::Encoder_polar_sys<B>>(l.k, l.n, frozen);
    l.decoder = std::make_shared<module::Decoder_polar_SC_fast_sys<B, Q, polar_api>>(l.k, l.n, frozen);
    l.frames = mipp::N<Q>();
}

std::shared_ptr<module::Decoder_SISO<B, Q>> make_siso(int k, const std::vector<std::vector<int>> &trellis)
{
    const std::string kernel = row_text("kernel");

    if (kernel == "x2")
        return std::make_shared<module::Decoder_RSC_BCJR_inter_intra_fast_x2_AVX<B, Q, tools::max_i<Q>>>(k, trellis);
    if (kernel == "x4")
        return std::make_shared<module::Decoder_RSC_BCJR_inter_intra_fast_x4_AVX<B, Q, tools::max_i<Q>>>(k, trellis);
    return std::make_shared<module::Decoder_RSC_BCJR_inter_very_fast<B, Q, tools::max_i<Q>>>(k, trellis);
}

void make_turbo(struct link &l)
{
    module::Encoder_RSC_generic_sys<B> part(l.k, 2 * l.k + 6, true, {013, 015});
    const auto trellis = part.get_trellis();
    const int iterations = row_number("iterations");

    l.core = std::make_shared<tools::Interleaver_core_LTE<>>(l.k);
    l.of_bits = std::make_shared<module::Interleaver<B>>(*l.core);
    l.of_llrs = std::make_shared<module::Interleaver<Q>>(*l.core);
    l.encoder = std::make_shared<module::Encoder_turbo<B>>(l.k, l.n, part, part, *l.of_bits);
    const auto siso = make_siso(l.k, trellis);
    auto decoder =
        std::make_shared<module::Decoder_turbo_fast<B, Q>>(l.k, l.n, iterations, *siso, *siso, *l.of_llrs);
    decoder->add_post_processing(tools::Scaling_factor_vec<B, Q>(iterations));
    l.decoder = decoder;
    l.frames = mipp::N<Q>() / (*row_text("kernel") ? 8 : 1);
}

double cpu_us()
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

void run(struct link &l, double ebn0, int bits, int fraction, double seconds)
{
    const size_t f = (size_t)l.frames;
    const float sigma = (float)std::sqrt(0.5 * l.n / l.k / std::pow(10.0, ebn0 / 10));
    module::Source_random_fast<B> source(l.k, 1);
    module::Modem_BPSK_fast<B, R, R> modem(l.n);
    module::Channel_AWGN_LLR<R> channel(l.n, tools::Gaussian_noise_generator_fast<R>(1));
    module::Quantizer_pow2_fast<R, Q> quantizer(l.n, (short)fraction, (short)bits);
    module::Monitor_BFER<B> monitor(l.k, 1u << 30);
    std::vector<float> cp(f, sigma);
    std::vector<B> sent(f * (size_t)l.k), word(f * (size_t)l.n), got(f * (size_t)l.k);
    std::vector<R> x(f * (size_t)l.n), y(f * (size_t)l.n), llrs(f * (size_t)l.n);
    std::vector<Q> quantized(f * (size_t)l.n);
    double begin, took;

    for (module::Module *m : std::initializer_list<module::Module *>{&source, l.encoder.get(), &modem, &channel, &quantizer,
                                                                     l.decoder.get(), &monitor})
        m->set_n_frames(f);
    begin = cpu_us();
    do {
        if (!row_number("zero")) {
            source.generate(sent);
            l.encoder->encode(sent, word);
        }
        modem.modulate(word, x);
        channel.add_noise(cp, x, y);
        modem.demodulate(cp, y, llrs);
        quantizer.process(llrs, quantized);
        l.decoder->decode_siho(quantized, got);
        monitor.check_errors(sent, got);
        took = cpu_us() - begin;
    } while (took < seconds * 1e6);
    printf("%llu %llu %.1f\n", (unsigned long long)monitor.get_n_analyzed_fra(), (unsigned long long)monitor.get_n_fe(),
           (double)monitor.get_n_analyzed_fra() * l.k / took);
}

} // namespace

int main(int, char **argv)
{
    int bits = 6, fraction = 2;
    struct link l;

    row_words(argv + 1);
    l.k = row.bits;
    l.n = row.llrs;
    sscanf(row_text("quantizer"), "%d,%d", &bits, &fraction);
    if (row_is("polar"))
        make_polar(l);
    else
        make_turbo(l);
    run(l, atof(row_text("ebn0")), bits, fraction, atof(row_text("seconds")));
    return 0;
}
