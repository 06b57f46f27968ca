#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "runtime/core/task.h"

namespace rrfp {

/// One executed task. Times in milliseconds from an origin that all ranks of a run share.
struct TaskRecord {
    Task task;
    double start_ms = 0;
    double end_ms = 0;
};

/// A message that arrived from another rank, on the clock of the task records.
struct ArrivalRecord {
    Task producer;  ///< whose result it carries
    double at_ms = 0;
};

/// The four buffers of the method (paper, appendix C.1).
enum class BufferKind : std::uint8_t {
    forward_ready,
    forward_finished,
    backward_ready,
    backward_finished
};
inline constexpr int buffer_kinds = 4;

/// The name used in reports: `forward_ready`, ...
const char* name(BufferKind kind);

/// Entries and bytes that a buffer holds now and held at most.
class Occupancy {
  public:
    void add(std::int64_t bytes);
    void remove(std::int64_t bytes);
    /// Forgets the high water: it restarts from what is held now.
    void reset_high_water();
    /// Raises the high waters to those of `other`.
    void merge_high_water(const Occupancy& other);
    /// An empty buffer that held at most `entries` and `bytes`.
    static Occupancy of_high_water(std::int64_t entries, std::int64_t bytes);

    std::int64_t entries() const { return entries_; }
    std::int64_t high_water() const { return high_water_; }
    std::int64_t bytes_high_water() const { return bytes_high_water_; }

  private:
    std::int64_t entries_ = 0;
    std::int64_t bytes_ = 0;
    std::int64_t high_water_ = 0;
    std::int64_t bytes_high_water_ = 0;
};

using Buffers = std::array<Occupancy, buffer_kinds>;

/// How the ranks of a group came to one order, counted at one rank.
struct AgreementCounts {
    std::int64_t decisions = 0;  ///< tasks dispatched by agreement
    std::int64_t ahead = 0;      ///< of these, known when the worker first asked
    double ahead_ms = 0;         ///< the part of the coordination time that these took
    std::int64_t messages = 0;   ///< told to another rank: readiness, decisions, proposals
    std::int64_t retries = 0;    ///< rounds without a decision; decisions revised before their time
};

/// What one rank did in one iteration.
struct RankIteration {
    std::vector<TaskRecord> tasks;        ///< in the order of dispatch
    std::vector<ArrivalRecord> arrivals;  ///< in order; none in a simulation
    double compute_ms = 0;                ///< sum of the tasks' durations
    /// From rank 0's first dispatch to the end of the last task of any rank, less compute and
    /// coordination: the time in which this rank's worker had nothing to run.
    double blocking_ms = 0;
    /// From the moment a task is ready on all ranks of the agreement's scope and the worker asks
    /// for one, until its dispatch; the sum over tasks. Zero without agreement.
    double tp_coordination_ms = 0;
    AgreementCounts agreement;
    int in_flight_high_water = 0;
    Buffers buffers;
};

}  // namespace rrfp
