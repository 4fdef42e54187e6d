/* SPDX-License-Identifier: BSD-2-Clause */
/* Selects and writes the path that a list decoder outputs. */
#ifndef POLAR_CUDA_LIST_FINISH_CUH
#define POLAR_CUDA_LIST_FINISH_CUH

#include "plugins/polar/cuda/list/fork.cuh"
#include "plugins/polar/cuda/output.cuh"

/* Does the CRC of this lane's path hold? Words of x are 4 at a time; codes of 64 have 2. */
template <int L, bool ALONE>
FECRUN_ON_DEVICE bool list_crc_holds(const list_lane<L, ALONE> &me,
                                     const struct polar_list_crc &crc)
{
    const uint32_t words = (1u << me.stages) / 32;
    uint32_t bad = 0;

    POLAR_UNROLL_BY(1)
    for (uint32_t first = 0; first < crc.bits; first += LIST_CRC_BITS) {
        uint32_t sum[LIST_CRC_BITS] = {0};

        POLAR_UNROLL_BY(1)
        for (uint32_t i = 0; i < words; i += 4) {
            uint32_t x[4];

            FECRUN_UNROLL
            for (uint32_t j = 0; j < 4; j++)
                x[j] = i + j < words ? *list_x(me, i + j, me.me) : 0;
            FECRUN_UNROLL
            for (uint32_t bit = 0; bit < LIST_CRC_BITS; bit++) {
                uint32_t mask[4];

                fecrun_load_128(mask, crc.mask + i * crc.bits + 4 * (first + bit));
                FECRUN_UNROLL
                for (uint32_t j = 0; j < 4; j++)
                    sum[bit] ^= x[j] & mask[j];
            }
        }
        FECRUN_UNROLL
        for (uint32_t bit = 0; bit < LIST_CRC_BITS; bit++)
            bad |= ((uint32_t)__popc(sum[bit]) ^ crc.target >> (first + bit)) & 1;
    }
    return !bad;
}

/* The best path's x, of one of the frame's lanes, becomes u in words in order. */
template <int L, bool ALONE>
FECRUN_ON_DEVICE void list_transform(const list_lane<L, ALONE> &me, uint32_t lane, uint32_t *u)
{
    const uint32_t words = (1u << me.stages) / 32;

    POLAR_UNROLL_BY(4)
    for (uint32_t i = me.part * L + me.me; i < words; i += me.parts * L) {
        uint32_t word = *list_x(me, i, lane);

        word ^= word >> 16;
        word ^= word >> 1 & 0x55555555u;
        word ^= word >> 2 & 0x33333333u;
        word ^= word >> 4 & 0x0f0f0f0fu;
        word ^= word >> 8 & 0x00ff00ffu;
        u[i] = word;
    }
    __syncwarp();
    POLAR_UNROLL_BY(1)
    for (uint32_t h = 1; h < words; h *= 2) {
        POLAR_UNROLL_BY(2)
        for (uint32_t n = me.part * L + me.me; n < words / 2; n += me.parts * L) {
            const uint32_t i = 2 * n - (n & (h - 1));

            u[i] ^= u[i + h];
        }
        __syncwarp();
    }
}

/* Up to 32 bits of the message, the first one on top. */
FECRUN_ON_DEVICE uint32_t list_gather(const uint32_t *u, const uint16_t *position, uint32_t bits)
{
    uint32_t word = 0;

    POLAR_UNROLL_BY(1)
    for (uint32_t j = 0; j < 32; j += 8) {
        uint32_t two[4];

        fecrun_load_128(two, position + j);
        FECRUN_UNROLL
        for (uint32_t k = 0; k < 8; k++) {
            const uint32_t at = two[k / 2] >> 16 * (k % 2) & 0xffff;

            word = word << 1 | (u[at / 32] >> polar_list_place(at) & 1);
        }
    }
    return word & LIST_ALL << (32 - bits);
}

/* A frame and where it goes. */
struct list_place {
    uint8_t *out;
    struct fecrun_frame_info *info;
    uint32_t number;
    bool wanted; /* no: decoded for the company's sake */
};

template <int L, bool ALONE>
FECRUN_ON_DEVICE void list_finish(const list_lane<L, ALONE> &me, const struct polar_list_job &job,
                                  const struct list_place &frame)
{
    const struct polar_frames &f = job.frames;
    uint32_t *const u = me.rows - 4 * me.group +
                        me.group / L * (me.half / 4); /* LLRs are done with */
    const bool good = list_crc_holds(me, job.crc) && me.metric < LIST_NO_PATH;
    uint32_t best = me.metric << list_log2(L) | me.me;

    if (!f.checked || !good)
        best |= 1u << 31;
    FECRUN_UNROLL
    for (int distance = L / 2; distance; distance /= 2)
        best = list_exchange(best, distance, true);
    list_transform(me, best & (L - 1), u);
    POLAR_UNROLL_BY(1)
    for (uint32_t i = 32 * (me.part * L + me.me); i < f.k && frame.wanted; i += 32 * me.parts * L) {
        const uint32_t bits = f.k - i < 32 ? f.k - i : 32;

        polar_put_32(f, frame.out, i, list_gather(u, f.position + i, bits), bits);
    }
    if (frame.wanted && me.me + me.part == 0) {
        polar_say_of(f, frame.info, !(best >> 31));
        if (job.fail && best >> 31)
            job.fail[atomicAdd(job.n_fail, 1u)] = frame.number;
    }
    __syncwarp();
}

#endif
