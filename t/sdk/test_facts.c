/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts of a frame: read, set, set anew, dropped; copied with the frame. */
#include "core/sdk/facts.h"
#include "t/lib/tap.h"

static struct fecrun_frame frame;
static struct fecrun_error err;

static void fresh(void)
{
    frame = (struct fecrun_frame){.size = sizeof frame};
    err = (struct fecrun_error){.size = sizeof err};
}

static void test_values(void)
{
    struct fecrun_frame copy = {.size = sizeof copy};

    fresh();
    ok(fecrun_fact_get(&frame, "a.x", -1) == -1, "nothing is said at first");
    ok(!fecrun_fact_set(&frame, "a.x", 3, &err) && !fecrun_fact_set(&frame, "a.y", 0.5, &err) &&
           fecrun_fact_get(&frame, "a.x", -1) == 3 && fecrun_fact_get(&frame, "a.y", -1) == 0.5,
       "two facts");
    ok(fecrun_fact_get(&frame, "a", -1) == -1 && fecrun_fact_get(&frame, "a.xx", -1) == -1,
       "names are compared as a whole");
    ok(!fecrun_fact_set(&frame, "a.x", 4, &err) && fecrun_fact_get(&frame, "a.x", -1) == 4 &&
           !frame.facts[2].key[0],
       "the same one anew");
    fecrun_frame_copy(&copy, &frame);
    ok(fecrun_fact_get(&copy, "a.y", -1) == 0.5, "they are copied with the frame");
}

static void test_drop(void)
{
    fresh();
    fecrun_fact_set(&frame, "a.x", 1, &err);
    fecrun_fact_set(&frame, "a.longer_name", 2, &err);
    fecrun_fact_set(&frame, "a.z", 3, &err);
    fecrun_fact_drop(&frame, "a.y");
    fecrun_fact_drop(&frame, "");
    ok(fecrun_fact_get(&frame, "a.x", 0) == 1 && !frame.facts[3].key[0], "of nothing: no effect");
    fecrun_fact_drop(&frame, "a.x");
    ok(fecrun_fact_get(&frame, "a.x", -1) == -1 &&
           fecrun_fact_get(&frame, "a.longer_name", -1) == 2 &&
           fecrun_fact_get(&frame, "a.z", -1) == 3,
       "the others stay");
    fecrun_fact_drop(&frame, "a.longer_name");
    fecrun_fact_drop(&frame, "a.z");
    ok(!memcmp(frame.facts, (struct fecrun_fact[FECRUN_MAX_FACTS]){{"", 0}}, sizeof frame.facts),
       "without any it is as it was, byte by byte");
}

/* A host with more room than this ABI began with. */
static void test_larger(void)
{
    struct larger {
        struct fecrun_frame frame;
        uint64_t newer;
        struct fecrun_fact facts[40];
    } in = {.frame = {.size = sizeof in,
                      .facts_at = offsetof(struct larger, facts),
                      .max_facts = 40}},
      out = in;
    char name[24];
    bool good = true;

    fresh();
    for (unsigned i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "a.fact_%u", i);
        good = good && !fecrun_fact_set(&in.frame, name, i, &err);
    }
    ok(good && !in.frame.facts[0].key[0] && !in.newer && in.facts[39].value == 39,
       "40 facts, where the host has room for them");
    ok(fecrun_fact_set(&in.frame, "a.more", 1, &err) && strstr(err.text, "the 40 facts"),
       "and no more");
    fecrun_frame_copy(&out.frame, &in.frame);
    fecrun_fact_drop(&out.frame, "a.fact_3");
    ok(fecrun_fact_get(&out.frame, "a.fact_39", 0) == 39 && out.facts[38].value == 39 &&
           !out.facts[39].key[0] && fecrun_fact_get(&in.frame, "a.fact_3", 0) == 3,
       "they are copied and dropped there, too");
}

static void test_room(void)
{
    char name[40];
    bool good = true;

    fresh();
    for (unsigned i = 0; i < FECRUN_MAX_FACTS; i++) {
        snprintf(name, sizeof name, "a.fact_of_23_character%x", i);
        good = good && !fecrun_fact_set(&frame, name, i, &err);
    }
    ok(good && fecrun_fact_get(&frame, name, -1) == FECRUN_MAX_FACTS - 1, "all places, full names");
    ok(fecrun_fact_set(&frame, "a.more", 1, &err) && strstr(err.text, "no room for `a.more`"),
       "one more is refused");
    ok(!fecrun_fact_set(&frame, name, 77, &err) && fecrun_fact_get(&frame, name, -1) == 77,
       "one that is there is set all the same");
    fecrun_fact_drop(&frame, name);
    ok(!frame.facts[FECRUN_MAX_FACTS - 1].key[0], "the last one is dropped");
    err.text[0] = 0;
    ok(fecrun_fact_set(&frame, "a.fact_of_24_characters_", 1, &err) &&
           strstr(err.text, "1 to 23 characters"),
       "a name that is too long");
    err.text[0] = 0;
    ok(fecrun_fact_set(&frame, "", 1, &err) && err.text[0], "and none");
}

int main(void)
{
    test_values();
    test_drop();
    test_larger();
    test_room();
    return done_testing();
}
