/* Backpressure with messages that overtake, under every arbiter at once: a worker may run any task
 * that is ready and admitted, and messages arrive in any order.
 *
 * No deadlock: every rank ends with all of its tasks run. D stays within LIMIT, or under the drain
 * rule LIMIT + C where ranks hold several stages (asserted in begin). With GRADED, graded admission.
 */
#include "pipeline.pml"

#define DELIVER(t) :: atomic { t < TASKS && HAS(on_way[w], t) -> deliver(w, t) }
#define RUN(t) :: atomic { t < TASKS && READY(w, t) && ADMITTED(w, t) -> begin(w, t); end(w, t) }

active [WORKERS] proctype rank() {
    byte w = _pid;
    byte m_, c_;
    do
    FOR_EACH_TASK(DELIVER)
    FOR_EACH_TASK(RUN)
    :: FINISHED(w) -> break
    od
}
