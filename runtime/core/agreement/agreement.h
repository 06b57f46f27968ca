#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/core/dispatcher.h"
#include "runtime/core/metrics.h"

namespace rrfp {

/// How the ranks of a group come to one order of tasks.
enum class AgreementProtocol : std::uint8_t { board, allgather };

/// The name used in job files: `board`, `allgather`.
const char* name(AgreementProtocol protocol);

/// One rank's part in an agreement: stands between the rank's events and its dispatcher where the
/// tasks of several ranks hold collectives (paper, section 4.2 and appendix D). All ranks of the
/// group, its members, dispatch the same tasks in the same order; an arbiter is told of agreed
/// dispatches alone.
///
/// Pure state: what passes between members goes through what the protocol was made with. Not
/// thread-safe; the owner serialises the calls at a rank. Times are milliseconds; where members
/// share a clock, of that clock. Every member runs the same iterations.
class Agreement {
  public:
    virtual ~Agreement() = default;

    virtual AgreementProtocol protocol() const = 0;
    /// Begins the dispatcher's iteration, too.
    virtual void begin_iteration() = 0;
    /// The inputs of `task` are present at this rank.
    virtual void ready(const Task& task, double now_ms) = 0;
    /// What the idle worker runs next, committed; nothing means: wait, and ask again when something
    /// was told or received.
    virtual std::optional<Task> next(double now_ms) = 0;
    /// What `next` returned begins now: the coordination of this task is over.
    virtual void dispatched(double now_ms) = 0;
    /// `task` has ended at this rank after so many milliseconds.
    virtual void completed(const Task& task, double milliseconds) = 0;
    /// Somebody told this rank something while its worker runs: what comes next may change. Does
    /// nothing where the protocol decides with the worker free.
    virtual void look() {}

    /// What this rank waits for while it has nothing to run, for people; empty when nothing.
    virtual std::string awaited() const = 0;
    /// Since the iteration began.
    virtual double coordination_ms() const = 0;
    virtual AgreementCounts counts() const = 0;
};

}  // namespace rrfp
