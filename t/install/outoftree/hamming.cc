/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A plugin in C++, from C++11 on: the Hamming code of 7 bits for 4. Of a word's bits, counted from 1,
 * those at powers of two are parities: each of the places that have its bit set. What the parities
 * of a received word are wrong by is the place of the one bit that is wrong. Frames are rows of words.
 */
#include <fecrun/sdk/stage.h>
#include <vector>

namespace
{

enum { N = 7, K = 4 };
const unsigned data[K] = {3, 5, 6, 7}; // places of information bits

// What the parities of a word are wrong by; 0: it is a code word.
unsigned syndrome(const uint8_t *word)
{
    unsigned s = 0;

    for (unsigned place = 1; place <= N; place++)
        s ^= word[place - 1] ? place : 0;
    return s;
}

int plan_encode(const fecrun_host *, const fecrun_values *, const fecrun_frame *const in[],
                fecrun_frame *const out[], fecrun_plan *, fecrun_error *err)
{
    if (in[0]->items % K)
        return fecrun_fail(err, nullptr, "frames must be of a multiple of %d bits", K);
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = in[0]->items / K * N;
    return 0;
}

int plan_decode(const fecrun_host *, const fecrun_values *, const fecrun_frame *const in[],
                fecrun_frame *const out[], fecrun_plan *, fecrun_error *err)
{
    if (in[0]->items % N)
        return fecrun_fail(err, nullptr, "frames must be of a multiple of %d bits", N);
    fecrun_frame_bits(out[0], in[0], in[0]->items / N * K);
    return 0;
}

int run_encode(void *, const fecrun_call *, const fecrun_view *const in[], fecrun_view *const out[],
               fecrun_error *)
{
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        auto from = static_cast<const uint8_t *>(fecrun_row(in[0], f));
        auto to = static_cast<uint8_t *>(fecrun_row(out[0], f));

        for (uint64_t i = 0; i < in[0]->items; i += K, from += K, to += N) {
            for (unsigned place = 1; place <= N; place++)
                to[place - 1] = 0;
            for (unsigned k = 0; k < K; k++)
                to[data[k] - 1] = from[k];
            unsigned s = syndrome(to);
            for (unsigned parity = 1; parity <= N; parity *= 2)
                to[parity - 1] = (s & parity) != 0;
        }
    }
    return 0;
}

int run_decode(void *, const fecrun_call *, const fecrun_view *const in[], fecrun_view *const out[],
               fecrun_error *)
{
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        auto from = static_cast<const uint8_t *>(fecrun_row(in[0], f));
        auto to = static_cast<uint8_t *>(fecrun_row(out[0], f));

        for (uint64_t i = 0; i < in[0]->items; i += N, from += N, to += K) {
            unsigned wrong = syndrome(from);
            for (unsigned k = 0; k < K; k++)
                to[k] = from[data[k] - 1] ^ (data[k] == wrong);
        }
    }
    return 0;
}

// ---- The same by a table of all 128 words, made once an instance ----

int create_table(const fecrun_create *, void **instance, fecrun_error *)
{
    auto table = new std::vector<uint8_t>(1u << N); // of K bits, the first one lowest

    for (unsigned w = 0; w < table->size(); w++) {
        uint8_t word[N];
        for (unsigned i = 0; i < N; i++)
            word[i] = w >> i & 1;
        unsigned wrong = syndrome(word);
        for (unsigned k = 0; k < K; k++)
            (*table)[w] |= static_cast<uint8_t>((word[data[k] - 1] ^ (data[k] == wrong)) << k);
    }
    *instance = table;
    return 0;
}

void destroy_table(void *instance)
{
    delete static_cast<std::vector<uint8_t> *>(instance);
}

int run_table(void *instance, const fecrun_call *, const fecrun_view *const in[],
              fecrun_view *const out[], fecrun_error *)
{
    const auto &table = *static_cast<const std::vector<uint8_t> *>(instance);

    for (uint64_t f = 0; f < in[0]->frames; f++) {
        auto from = static_cast<const uint8_t *>(fecrun_row(in[0], f));
        auto to = static_cast<uint8_t *>(fecrun_row(out[0], f));

        for (uint64_t i = 0; i < in[0]->items; i += N, from += N, to += K) {
            unsigned w = 0;
            for (unsigned k = 0; k < N; k++)
                w |= static_cast<unsigned>(from[k]) << k;
            for (unsigned k = 0; k < K; k++)
                to[k] = table[w] >> k & 1;
        }
    }
    return 0;
}

int create_nothing(const fecrun_create *, void **instance, fecrun_error *)
{
    *instance = nullptr;
    return 0;
}

// ---- Tables ----

const fecrun_param *const no_params[] = {nullptr};
const fecrun_form *const forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}), FECRUN_OUT({.type = FECRUN_U8})), nullptr};
const fecrun_backend *const encoders[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .create = create_nothing, .run = run_encode,
                   .destroy = fecrun_no_destroy),
    nullptr};
const fecrun_backend *const decoders[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .create = create_nothing, .run = run_decode,
                   .destroy = fecrun_no_destroy),
    FECRUN_BACKEND(.name = "table", .forms = forms, .create = create_table, .run = run_table,
                   .destroy = destroy_table),
    nullptr};

const fecrun_stage *const stages[] = {
    FECRUN_STAGE(.name = "hamming.encode", .role = FECRUN_ROLE_TRANSFORM,
                 .summary = "Hamming code, 7 bits for 4", .params = no_params,
                 .inputs = FECRUN_BITS_IN, .outputs = FECRUN_BITS_OUT, .backends = encoders,
                 .plan = plan_encode),
    FECRUN_STAGE(.name = "hamming.decode", .role = FECRUN_ROLE_TRANSFORM,
                 .summary = "corrects one of 7 bits", .undoes = "hamming.encode",
                 .params = no_params, .inputs = FECRUN_BITS_IN, .outputs = FECRUN_BITS_OUT,
                 .backends = decoders, .plan = plan_decode),
    nullptr};

} // namespace

FECRUN_PLUGIN(.name = "hamming", .version = "1.0", .license = "BSD-2-Clause", .stages = stages);
