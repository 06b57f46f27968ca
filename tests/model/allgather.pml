/* The agreement protocol `allgather` with backpressure and messages that overtake: P ranks of two
 * members each; mirrors AllgatherMember (runtime/core/agreement).
 *
 * Each member tells its own choice, a pure function of its ready set and of what was agreed on:
 * here alternation (bf), or with -DFORWARD_FIRST f-priority. Proposals travel in order, as late as
 * may be; so do the pipeline's messages, in any order and to each member on its own.
 *
 * No deadlock: all members end with all tasks run; so nobody sleeps through a round for good. No
 * divergence: both members begin the same task as their n-th. No proposal arrives out of turn. D is
 * within its bound at every member (asserted in begin).
 */
#define TP 2
#include "pipeline.pml"

#define NO_TASK 0 /* a proposal's value: a task + 1, or this; in a vote one bit a disputed task */

/* Proposals on their way: the round modulo 4, and the value. */
chan to_member[WORKERS] = [3] of { byte, byte };
byte as_nth[P * TASKS]; /* what the first member to begin its n-th task began, plus 1 */

#define PEER (w ^ 1)
#define IN_DISPUTE (disputed[0] != NONE)
#define CAN_RUN(t) (READY(w, t) && ADMITTED(w, t))
#define DELIVER(t)                                                                                 \
    :: atomic {                                                                                    \
        t < TASKS && HAS(on_way[w], t) ->                                                          \
        deliver(w, t);                                                                             \
        changed = changed || READY(w, t) }

/* Dispatcher::propose: the lowest microbatch's forward, or the highest chunk's backward. */
inline choose() {
    choice = NONE;
    other = NONE;
    t_ = EACH;
    do
    :: t_ > 0 -> t_--; /* forwards from the last to the first, so that the first stays */
        c_ = t_ % C;
        m_ = t_ / C;
        if
        :: CAN_RUN(TASK(0, c_, m_)) -> choice = TASK(0, c_, m_)
        :: else
        fi;
        c_ = (EACH - 1 - t_) / M;
        m_ = t_ % M;
        if
        :: CAN_RUN(TASK(1, c_, m_)) -> other = TASK(1, c_, m_)
        :: else
        fi
    :: else -> break
    od;
    if
    :: choice == NONE || (other != NONE && !forwards_turn) -> choice = other
    :: else
    fi
}

/* AllgatherMember::close_choices and close_vote; `choice` becomes the task agreed on, or NONE. */
inline close() {
    choice = NONE;
    if
    :: IN_DISPUTE ->
        mine = mine & heard[number % 2];
        if
        :: mine & 1 -> choice = disputed[0]
        :: !(mine & 1) && (mine & 2) -> choice = disputed[1]
        :: else
        fi;
        disputed[0] = NONE;
        disputed[1] = NONE
    :: !IN_DISPUTE && mine != NO_TASK && heard[number % 2] == mine -> choice = mine - 1
    :: !IN_DISPUTE && mine != NO_TASK && heard[number % 2] != NO_TASK &&
       heard[number % 2] != mine ->
        /* In the order of the members, so that both see the same order. */
        disputed[w % 2] = mine - 1;
        disputed[1 - w % 2] = heard[number % 2] - 1
    :: else
    fi;
    mine = NO_TASK;
    heard[number % 2] = NONE;
    in_round = 0;
    number = (number + 1) % 4
}

active [WORKERS] proctype member() {
    byte w = _pid;
    byte running = NONE; /* its worker's task */
    byte nth;            /* how many it has begun */
    bit forwards_turn;
    byte number;         /* of the round under way */
    bit in_round;        /* it has told its proposal */
    bit changed;         /* since it last chose for a round */
    byte mine;
    byte heard[2];       /* the peer's proposals of this round and the next; NONE until they come */
    byte disputed[2];    /* the differing choices, when the round is a vote */
    byte choice, other, t_, m_, c_;
    byte from_round, value;
    atomic {
        heard[0] = NONE; heard[1] = NONE;
        disputed[0] = NONE; disputed[1] = NONE;
#ifdef FORWARD_FIRST
        forwards_turn = 1;
#endif
        changed = (RANK(w) == 0)
    }
    do
    FOR_EACH_TASK(DELIVER)
    /* receive */
    :: atomic {
        to_member[w]?from_round, value ->
        assert(from_round == number || (in_round && from_round == (number + 1) % 4));
        assert(heard[from_round % 2] == NONE);
        heard[from_round % 2] = value }
    /* join: for a vote at once, else where the peer has opened the round, or to open it. */
    :: atomic {
        running == NONE && !in_round && !FINISHED(w) &&
        (IN_DISPUTE || heard[number % 2] != NONE || changed) ->
        if
        :: IN_DISPUTE ->
            mine = (CAN_RUN(disputed[0]) -> 1 : 0) + (CAN_RUN(disputed[1]) -> 2 : 0);
            in_round = 1
        :: else ->
            choose();
            if
            :: choice != NONE || heard[number % 2] != NONE ->
                mine = (choice == NONE -> NO_TASK : choice + 1);
                changed = 0;
                in_round = 1
            :: else ->
                changed = 0 /* nothing to choose: the next change asks again */
            fi
        fi;
        if
        :: in_round -> to_member[PEER]!number, mine
        :: else
        fi;
        choice = NONE; other = NONE; t_ = 0; m_ = 0; c_ = 0 }
    /* close, and commit where a task was agreed on */
    :: atomic {
        running == NONE && in_round && heard[number % 2] != NONE ->
        close();
        if
        :: choice != NONE ->
            running = choice;
            assert(as_nth[RANK(w) * TASKS + nth] == 0 ||
                   as_nth[RANK(w) * TASKS + nth] == running + 1);
            as_nth[RANK(w) * TASKS + nth] = running + 1;
            nth++;
#ifndef FORWARD_FIRST
            forwards_turn = !IS_FORWARD(running);
#endif
            begin(w, running);
            changed = 1
        :: else
        fi;
        choice = NONE; m_ = 0; c_ = 0 }
    /* completed: the task's collective ends when both have begun it. */
    :: atomic {
        running != NONE && HAS(begun[w], running) && HAS(begun[PEER], running) ->
        end(w, running);
        running = NONE;
        changed = 1 }
    :: running == NONE && FINISHED(w) && !in_round -> break
    od
}
