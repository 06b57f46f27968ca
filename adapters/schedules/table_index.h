#pragma once

#include <map>

#include "adapters/schedules/schedule.h"
#include "adapters/schedules/table.h"
#include "adapters/schedules/table_check.h"

namespace rrfp {

/// Where an action stands.
struct Place {
    Action action;
    int rank = 0;
    int entry = 0;   ///< among the rank's actions, from 0
    int column = 0;  ///< from 1
};

/// A table looked up by task. Actions that cannot belong to it, and those listed again, are faults
/// and left out, so that other checks see each task at most once.
class TableIndex {
  public:
    TableIndex(const ScheduleTable& table, const TableShape& shape,
               std::vector<TableFault>& faults);

    int ranks() const { return static_cast<int>(tasks_.size()); }
    int stages() const { return stages_; }
    int microbatches() const { return microbatches_; }
    /// Whether most of the tasks of so many stages and microbatches are not there: the numbers are
    /// a mistake then, and to go through all pairs would be work out of proportion to the table.
    bool is_sparse() const;
    /// The tasks of each rank, in order.
    const HintOrder& tasks() const { return tasks_; }
    const std::map<Task, Place>& places() const { return places_; }
    /// nullptr when the table lacks `task`.
    const Place* find(const Task& task) const;
    /// The rank that `task` belongs on; -1 when the table holds nothing of its stage.
    int rank_of(const Task& task) const;
    FewTasks inputs(const Task& task) const { return pipeline_.predecessors(task); }
    /// A pipeline with these stages; its placement means nothing.
    const Pipeline& pipeline() const { return pipeline_; }

    /// The table as a schedule; it must be free of faults.
    Schedule schedule() const;

  private:
    void measure(const ScheduleTable& table, const TableShape& shape,
                 std::vector<TableFault>& faults);
    void add(int rank, const TableEntry& entry, std::vector<TableFault>& faults);
    void find_homes();
    bool find_directions();

    int stages_ = 1;
    int microbatches_ = 1;
    HintOrder tasks_;
    std::map<Task, Place> places_;
    std::vector<int> homes_;    // [stage]: rank, or -1
    std::vector<bool> upward_;  // [microbatch]; empty: one direction
    Pipeline pipeline_{.placement = Placement::loop(1)};
};

}  // namespace rrfp
