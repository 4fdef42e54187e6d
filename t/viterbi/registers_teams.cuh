/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Teams of threads of the CUDA decoder in registers (K = 9) on the CPU: each member is a coroutine that
 * goes on until it wants what another one has.
 */
#ifndef T_VITERBI_REGISTERS_TEAMS_CUH
#define T_VITERBI_REGISTERS_TEAMS_CUH

#include <ucontext.h>

#include "plugins/viterbi/cuda/registers/team/decode.cuh"

enum { TEAM_MOST = 8, TEAM_STACK = 1 << 18 };

/* The team that runs. Members take turns, so two places for what each shows to the others will do. */
static struct {
    ucontext_t back, member[TEAM_MOST];
    char *stack[TEAM_MOST];
    uint32_t members, turn;
    uint32_t meetings[TEAM_MOST], shown[TEAM_MOST][2];
    bool ended[TEAM_MOST];
    void (*run)(void *work, uint32_t number);
    void *work;
} team;

/* To the next member. */
static void team_pass(void)
{
    const uint32_t me = team.turn;

    team.turn = (me + 1) % team.members;
    swapcontext(&team.member[me], &team.member[team.turn]);
}

/* What member `number` shows when it comes to the same place. */
uint32_t registers_host_from(uint32_t x, uint32_t number)
{
    const uint32_t me = team.turn, place = team.meetings[me]++ % 2;

    team.shown[me][place] = x;
    team_pass();
    if (number >= team.members || team.meetings[number] < team.meetings[me])
        bail("member %u of a team waits for %u, which has ended", me, number);
    return team.shown[number][place];
}

/* All members come to an end in the same turn, or one waits for others in vain. */
static void team_member(void)
{
    const uint32_t me = team.turn;

    team.run(team.work, me);
    team.ended[me] = true;
    if (me + 1 < team.members)
        team_pass();
    setcontext(&team.back);
}

static void run_team(uint32_t members, void (*run)(void *work, uint32_t number), void *work)
{
    team.members = members;
    team.turn = 0;
    team.run = run;
    team.work = work;
    for (uint32_t i = 0; i < members; i++) {
        team.meetings[i] = 0;
        team.ended[i] = false;
        if (!team.stack[i])
            team.stack[i] = (char *)get_scratch(TEAM_STACK);
        getcontext(&team.member[i]);
        team.member[i].uc_stack.ss_sp = team.stack[i];
        team.member[i].uc_stack.ss_size = TEAM_STACK;
        team.member[i].uc_link = NULL;
        makecontext(&team.member[i], team_member, 0);
    }
    swapcontext(&team.back, &team.member[0]);
    for (uint32_t i = 0; i < members; i++)
        if (!team.ended[i] || team.meetings[i] != team.meetings[0])
            bail("a team has ended without member %u", i);
}

/* ---- Decoders ------------------------------------------------------------------------------ */

struct team_work {
    const struct registers_job *job;
    uint64_t group;
    uint32_t thread; /* of the team's first member */
    uint8_t *survivors;
};

template <class Team, int SOURCE, int KIND, int STEPS>
static void run_member(void *argument, uint32_t number)
{
    const struct team_work *w = (const struct team_work *)argument;

    if constexpr (KIND == REGISTERS_WHOLE)
        registers_team_whole<Team, SOURCE>(*w->job, w->group, w->thread + number, w->survivors,
                                           w->job->spread);
    else
        registers_team_sub_frames<Team, SOURCE, KIND, STEPS>(*w->job, w->group, w->thread + number,
                                                             w->survivors, w->job->spread);
}

/* As viterbi_choose_ring(). */
template <class Team, int SOURCE>
static void run_team_as(struct team_work *work, enum registers_kind kind)
{
    constexpr int STEPS = SOURCE == REGISTERS_I8 && Team::L::TILES == 2 ? REGISTERS_TRACED_STEPS
                                                                        : 0;
    const bool bytes = STEPS > 0 && work->job->out_blocks == 1;
    const uint32_t steps = bytes ? work->job->skip + 1 : 0;
    void (*run)(void *, uint32_t);

    if (kind == REGISTERS_WHOLE)
        run = run_member<Team, SOURCE, REGISTERS_WHOLE, 0>;
    else if (kind == REGISTERS_STORED && steps == STEPS)
        run = run_member<Team, SOURCE, REGISTERS_STORED, STEPS>;
    else if (kind == REGISTERS_STORED && steps == STEPS + 1)
        run = run_member < Team, SOURCE, REGISTERS_STORED, STEPS ? STEPS + 1 : 0 > ;
    else if (kind == REGISTERS_STORED)
        run = run_member<Team, SOURCE, REGISTERS_STORED, 0>;
    else if (steps == STEPS)
        run = run_member<Team, SOURCE, REGISTERS_ANY, STEPS>;
    else
        run = run_member<Team, SOURCE, REGISTERS_ANY, 0>;
    run_team(Team::MEMBERS, run, work);
}

/* As the grid of registers_team_kernel does, but of a warp's teams without a tile one is enough. */
template <class Team, int SOURCE>
static void run_team_job(const struct registers_job *job, enum registers_kind kind,
                         uint8_t *survivors)
{
    const uint64_t tiles = (uint64_t)job->threads / 32 * job->lanes * job->tiles;

    for (uint64_t group = 0; group * tiles < job->items; group++)
        for (uint32_t thread = 0; thread < job->threads; thread += Team::MEMBERS) {
            const uint32_t place = thread % 32 / Team::MEMBERS;
            const uint64_t item = group * tiles + thread / 32 * job->lanes + place;
            struct team_work work = {job, group, thread, survivors};

            if (place == 0 || (place <= job->lanes && item <= job->items))
                run_team_as<Team, SOURCE>(&work, kind);
        }
}

#endif
