/* The agreement protocol `board` with backpressure and messages that overtake: P ranks of TP members
 * each; mirrors BoardLeader and BoardFollower (runtime/core/agreement).
 *
 * A group's board is a ring of decisions. Member 0 leads: it decides among the tasks that are ready
 * on all members, and one decision ahead while its worker runs. Its choice is any admitted task, so
 * this is every arbiter at once. Tasks hold a collective: one ends when all members have begun it.
 *
 * No deadlock: all members end with all tasks run. No divergence: all members begin the same task as
 * their n-th. D is within its bound at every member (asserted in begin).
 */
#define TP 2
#include "pipeline.pml"

#define EMPTY 0
#define PROVISIONAL 1 /* the leader may still revise it */
#define FINAL 2       /* a member with a free worker has taken it up */

byte state[P * TASKS]; /* BoardEntry, [group * TASKS + decision] */
byte task[P * TASKS];
byte as_nth[P * TASKS]; /* what the first member to begin its n-th task began, plus 1 */

#define LEADER(w) (RANK(w) * TP)
#define READY_EVERYWHERE(w, t) (READY(LEADER(w), t) && READY(LEADER(w) + 1, t))
/* BoardMember::implied: all inputs are made at this rank, so the leader counts it as ready once
 * these were dispatched, and a member waits for its own. */
#define IMPLIED(w, t) (!IS_FORWARD(t) && LAST(w, t))
#define IMPLIED_READY(w, t)                                                                        \
    (IMPLIED(w, t) && !HAS(begun[w], t) && HAS(begun[w], ((t) - EACH)))
#define CANDIDATE(w, t) (READY_EVERYWHERE(w, t) || IMPLIED_READY(w, t))
#define ENTRY(w) (RANK(w) * TASKS + cursor)

/* BoardLeader::decide, the worker free: final where its inputs are here. */
#define DECIDE(t)                                                                                  \
    :: atomic {                                                                                    \
        t < TASKS && w == LEADER(w) && running == NONE && cursor < TASKS &&                        \
        state[ENTRY(w)] != FINAL && CANDIDATE(w, t) && ADMITTED(w, t) ->                           \
        state[ENTRY(w)] = (READY(w, t) -> FINAL : PROVISIONAL);                                    \
        task[ENTRY(w)] = t }
/* BoardLeader::look, the worker busy: what it would choose if the running task had ended; revised
 * as often as something changes. */
#define LOOK(t)                                                                                    \
    :: atomic {                                                                                    \
        t < TASKS && w == LEADER(w) && running != NONE && cursor < TASKS &&                        \
        state[ENTRY(w)] != FINAL && CANDIDATE(w, t) &&                                             \
        ADMITTED_AT(w, t, (in_flight[w] - (IS_FORWARD(running) -> 0 : 1))) &&                      \
        !(state[ENTRY(w)] == PROVISIONAL && task[ENTRY(w)] == t) ->                                \
        state[ENTRY(w)] = PROVISIONAL;                                                             \
        task[ENTRY(w)] = t }
#define DELIVER(t) :: atomic { t < TASKS && HAS(on_way[w], t) -> deliver(w, t) }

active [WORKERS] proctype member() {
    byte w = _pid;
    byte cursor;         /* the decision this member runs next */
    byte running = NONE; /* its worker's task */
    byte m_, c_;
    do
    FOR_EACH_TASK(DELIVER)
    FOR_EACH_TASK(DECIDE)
    FOR_EACH_TASK(LOOK)
    /* BoardMember::take: a free worker makes the entry final, if its inputs are here. */
    :: atomic {
        running == NONE && cursor < TASKS && state[ENTRY(w)] != EMPTY && READY(w, task[ENTRY(w)]) ->
        state[ENTRY(w)] = FINAL;
        running = task[ENTRY(w)];
        assert(as_nth[ENTRY(w)] == 0 || as_nth[ENTRY(w)] == running + 1);
        as_nth[ENTRY(w)] = running + 1;
        begin(w, running);
        cursor++ }
    :: atomic {
        running != NONE && HAS(begun[LEADER(w)], running) && HAS(begun[LEADER(w) + 1], running) ->
        end(w, running);
        running = NONE }
    :: running == NONE && FINISHED(w) -> break
    od
}
