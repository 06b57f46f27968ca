/* What the models share: a pipeline with P ranks of C stages each (`loop` placement), M microbatches,
 * and TP members a rank; mirrors Pipeline, RankState, Backpressure and GradedAdmission of
 * runtime/core.
 *
 * A worker w = rank * TP + member has local tasks t = kind * C*M + chunk * M + microbatch, kind 0
 * forward, 1 backward. Sets of tasks are bit masks.
 */
#ifndef P
#define P 2
#endif
#ifndef C
#define C 1
#endif
#ifndef M
#define M 2
#endif
#ifndef TP
#define TP 1
#endif
#ifndef LIMIT
#define LIMIT 1
#endif

#define EACH (C * M)         /* tasks of one kind at a worker */
#define TASKS (2 * EACH)
#define ALL ((1 << TASKS) - 1)
#define WORKERS (P * TP)
#define NONE 255

#define TASK(kind, chunk, m) ((kind) * EACH + (chunk) * M + (m))
#define IS_FORWARD(t) ((t) < EACH)
#define CHUNK(t) (((t) % EACH) / M)
#define RANK(w) ((w) / TP)
#define BIT(t) (1 << (t))
#define HAS(set, t) (((set) >> (t)) & 1)

/* RankState, one a worker. */
short arrived[WORKERS]; /* inputs that other ranks made and that are here */
short on_way[WORKERS];  /* messages to this worker that were sent and have not arrived */
short begun[WORKERS];   /* dispatched */
short ended[WORKERS];   /* completed */
byte in_flight[WORKERS];
byte required[WORKERS]; /* the drain's next task; NONE when all were dispatched */

/* The first stage's forward reads nothing, the last stage's backward its own forward alone. */
#define FIRST(w, t) (RANK(w) == 0 && CHUNK(t) == 0)
#define LAST(w, t) (RANK(w) == P - 1 && CHUNK(t) == C - 1)
#define INPUT_HERE(w, t)                                                                           \
    ((IS_FORWARD(t) && FIRST(w, t)) || (!IS_FORWARD(t) && LAST(w, t)) || HAS(arrived[w], t))
/* All inputs are here, once those of `done` have ended. */
#define READY_AFTER(w, t, done)                                                                    \
    (!HAS(begun[w], t) && INPUT_HERE(w, t) &&                                                      \
     (IS_FORWARD(t) || HAS(done, ((t) - EACH))))
#define READY(w, t) READY_AFTER(w, t, ended[w])

/* Backpressure::restrict: below the limit everything; at the limit, with one stage a rank only
 * backwards, with several only the drain's next task. NO_DRAIN is the mutant: the rule for one
 * stage where ranks hold several. */
#if C == 1 || defined(NO_DRAIN)
#define DRAINED(w, t) (!IS_FORWARD(t))
#define MOST_IN_FLIGHT LIMIT
#else
#define DRAINED(w, t) ((t) == required[w])
#define MOST_IN_FLIGHT (LIMIT + C)
#endif
#ifdef GRADED
/* GradedAdmission::restrict: a place is left for each later chunk. NO_RESERVE is the mutant. */
#undef MOST_IN_FLIGHT
#define MOST_IN_FLIGHT LIMIT
#ifdef NO_RESERVE
#define RESERVE(t) 0
#else
#define RESERVE(t) (C - 1 - CHUNK(t))
#endif
#define ADMITTED_AT(w, t, level) (!IS_FORWARD(t) || (level) + RESERVE(t) < LIMIT)
#else
#define ADMITTED_AT(w, t, level) ((level) < LIMIT || DRAINED(w, t))
#endif
#define ADMITTED(w, t) ADMITTED_AT(w, t, in_flight[w])

#define FINISHED(w) (ended[w] == ALL)

/* next_to_drain: microbatch by microbatch, in each the forwards up, then the backwards down. */
inline find_required(w) {
    required[w] = NONE;
    m_ = 0;
    do
    :: m_ < M && required[w] == NONE ->
        c_ = 0;
        do
        :: c_ < C && required[w] == NONE ->
            if
            :: !HAS(begun[w], TASK(0, c_, m_)) -> required[w] = TASK(0, c_, m_)
            :: else
            fi;
            c_++
        :: else -> break
        od;
        c_ = C;
        do
        :: c_ > 0 && required[w] == NONE ->
            c_--;
            if
            :: !HAS(begun[w], TASK(1, c_, m_)) -> required[w] = TASK(1, c_, m_)
            :: else
            fi
        :: else -> break
        od;
        m_++
    :: else -> break
    od
}

/* RankState::mark_dispatched. */
inline begin(w, t) {
    assert(READY(w, t));
    begun[w] = begun[w] | BIT(t);
    in_flight[w] = in_flight[w] + (IS_FORWARD(t) -> 1 : 0);
    assert(in_flight[w] <= MOST_IN_FLIGHT);
    find_required(w)
}

/* RankState::mark_completed, and the message to the neighbour: to the equal member of its rank. */
inline end(w, t) {
    ended[w] = ended[w] | BIT(t);
    in_flight[w] = in_flight[w] - (IS_FORWARD(t) -> 0 : 1);
    if
    :: IS_FORWARD(t) && LAST(w, t)
    :: IS_FORWARD(t) && !LAST(w, t) && RANK(w) < P - 1 ->
        on_way[(w) + TP] = on_way[(w) + TP] | BIT(t)
    :: IS_FORWARD(t) && !LAST(w, t) && RANK(w) == P - 1 ->
        on_way[(w) % TP] = on_way[(w) % TP] | BIT((t) + M)
    :: !IS_FORWARD(t) && FIRST(w, t)
    :: !IS_FORWARD(t) && !FIRST(w, t) && RANK(w) > 0 ->
        on_way[(w) - TP] = on_way[(w) - TP] | BIT(t)
    :: !IS_FORWARD(t) && !FIRST(w, t) && RANK(w) == 0 ->
        on_way[(w) + (P - 1) * TP] = on_way[(w) + (P - 1) * TP] | BIT((t) - M)
    fi
}

inline deliver(w, t) {
    on_way[w] = on_way[w] & ~BIT(t);
    arrived[w] = arrived[w] | BIT(t)
}

/* One option a task, for all that there can be. */
#define FOR_EACH_TASK(OPTION)                                                                      \
    OPTION(0) OPTION(1) OPTION(2) OPTION(3) OPTION(4) OPTION(5) OPTION(6) OPTION(7)                \
    OPTION(8) OPTION(9) OPTION(10) OPTION(11)
