/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of the turbo codes: UMTS interleavers of all sizes against IT++'s, those of CCSDS as orders, and LTE's encoder against
 * the one that is written out.
 */
#include "t/lib/tap.h"

#include "plugins/turbo/code/family.h"
#include "plugins/turbo/code/trellis.h"

static void check_umts(void)
{
    const char *dir = getenv("T_DATA");
    unsigned first, sum, lines = 0, wrong = 0;
    char path[4096], line[64];
    FILE *file;

    snprintf(path, sizeof path, "%s/turbo/umts_interleaver.csv", dir ? dir : "t/data");
    file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file))
        bail("cannot read %s", path);
    for (; fscanf(file, "%u,%u", &first, &sum) == 2; lines++) {
        uint32_t all = 0;

        for (uint32_t k = first; k < first + 25 && k <= 5114; k++) {
            uint16_t pi[TURBO_LONGEST];
            uint32_t h = 0;

            turbo_umts_interleaver(k, pi);
            for (uint32_t i = 0; i < k; i++)
                h = 31 * h + pi[i];
            all = 31 * all + h;
        }
        wrong += all != sum;
    }
    fclose(file);
    is_int(lines, 203, "5075 sizes in lines of 25");
    is_int(wrong, 0, "their interleavers are IT++'s");
    ok(!turbo_family_has(&turbo_umts, 39) && turbo_family_has(&turbo_umts, 40) &&
           turbo_family_has(&turbo_umts, 5114) && !turbo_family_has(&turbo_umts, 5115),
       "and there are no others");
}

static void check_inverse(const struct turbo_family *family, uint32_t k)
{
    uint16_t pi[TURBO_LONGEST], inverse[TURBO_LONGEST];
    unsigned wrong = 0;

    turbo_family_interleaver(family, k, pi, inverse);
    for (uint32_t i = 0; i < k; i++)
        wrong += pi[i] >= k || inverse[pi[i]] != i;
    is_int(wrong, 0, "%s, %u bits: each once, and the inverse", family->name, k);
}

/* Every item of a word is some bit's. */
static void check_word(const struct turbo_family *family, uint32_t k)
{
    static unsigned char seen[6 * (TURBO_LONGEST + 4)];
    const uint32_t word = turbo_family_word(family, k);
    unsigned wrong = 0;

    memset(seen, 0, sizeof seen);
    for (unsigned e = 0; e < 2; e++)
        for (uint32_t o = 0; o <= family->outputs[e]; o++)
            for (uint32_t i = 0; i < k + family->memory; i++) {
                const uint32_t item = turbo_family_item(family, k, e, o, i);

                if (item != TURBO_NOT_SENT)
                    wrong += item >= word || seen[item]++;
            }
    for (uint32_t i = 0; i < word; i++)
        wrong += seen[i] != 1;
    is_int(wrong, 0, "%s, %u bits: a word of %u, each item once", family->name, k, word);
}

static void check_lte(void)
{
    struct turbo_trellis trellis;
    unsigned wrong = 0;

    for (unsigned e = 0; e < 2; e++) {
        turbo_trellis_make(&turbo_lte, e, &trellis);
        for (uint32_t s = 0; s < TURBO_STATES; s++) {
            wrong += trellis.tail[s] != turbo_tail_input(s);
            for (uint32_t u = 0; u < 2; u++)
                wrong += trellis.next[s][u] != turbo_next(s, u) ||
                         trellis.label[s][u] != turbo_parity(s, u);
        }
    }
    is_int(wrong, 0, "lte's encoder is the one of code/trellis.h");
}

int main(void)
{
    static const uint32_t sizes[] = {1784, 3568, 7136, 8920};

    check_umts();
    check_lte();
    check_word(&turbo_lte, 40);
    check_word(&turbo_umts, 41);
    check_inverse(&turbo_umts, 5114);
    check_inverse(&turbo_lte, 6144);
    for (unsigned i = 0; i < 4; i++) {
        check_inverse(&turbo_ccsds[i], sizes[i]);
        check_word(&turbo_ccsds[i], sizes[i]);
    }
    return done_testing();
}
