#include "adapters/schedules/table_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "adapters/schedules/faults.h"
#include "adapters/schedules/table_index.h"
#include "adapters/schedules/table_waits.h"

namespace rrfp {
namespace {

class TableCheck {
  public:
    TableCheck(const ScheduleTable& table, const TableShape& shape)
        : table_(table), faults_(table.faults), index_(table, shape, faults_) {
        const int rows = static_cast<int>(table.rows.size());
        if (shape.ranks && *shape.ranks != rows) {
            fault(rows, 1,
                  fmt::format("is the last row; there must be {}, one a rank", *shape.ranks));
        }
    }

    Schedule run() {
        check_places();
        if (index_.is_sparse()) {
            fault(1, 1,
                  fmt::format("begins a table of {} stages and {} microbatches, by the largest "
                              "numbers in it, with only {} of their tasks; correct these numbers",
                              index_.stages(), index_.microbatches(), index_.places().size()));
            throw ScheduleFaults(messages());
        }
        check_missing();
        check_order();
        for (TableFault& wait : endless_waits(index_)) {
            faults_.push_back(std::move(wait));
        }
        if (!faults_.empty()) {
            throw ScheduleFaults(messages());
        }
        return index_.schedule();
    }

  private:
    void fault(int row, int column, std::string what) {
        faults_.push_back({row, column, std::move(what)});
    }

    void check_places() {
        for (int rank = 0; rank < index_.ranks(); ++rank) {
            if (index_.tasks()[rank].empty()) {
                fault(rank + 1, 1, "holds no action; every rank must hold a stage");
            }
        }
        for (const auto& [task, place] : index_.places()) {
            const int home = index_.rank_of(task);
            if (home != place.rank) {
                fault(place.rank + 1, place.column,
                      fmt::format("{} is misplaced; stage {} is on row {} (rank {})",
                                  to_cell(place.action), task.stage, home + 1, home));
            }
        }
    }

    void check_missing() {
        for (int stage = 0; stage < index_.stages(); ++stage) {
            for (int microbatch = 0; microbatch < index_.microbatches(); ++microbatch) {
                const auto at = [&](TaskKind kind) {
                    return index_.find({kind, stage, microbatch});
                };
                const Place* backward = at(TaskKind::backward);
                const Place* weight_gradient = at(TaskKind::weight_gradient);
                if (!at(TaskKind::forward)) {
                    missing({{TaskKind::forward, stage, microbatch}});
                }
                if (!backward) {
                    missing({{TaskKind::backward, stage, microbatch}, weight_gradient != nullptr});
                }
                if (!weight_gradient && backward && backward->action.input_gradient_alone) {
                    missing({{TaskKind::weight_gradient, stage, microbatch}});
                }
                if (weight_gradient && backward && !backward->action.input_gradient_alone) {
                    fault(weight_gradient->rank + 1, weight_gradient->column,
                          fmt::format("{} repeats what {} in column {} computes; write the "
                                      "backward as I where W follows",
                                      to_cell(weight_gradient->action), to_cell(backward->action),
                                      backward->column));
                }
            }
        }
    }

    void missing(const Action& action) {
        const int rank = index_.rank_of(action.task);
        if (rank < 0) {
            fault(1, 1,
                  fmt::format("{} is missing, as all of stage {} is", to_cell(action),
                              action.task.stage));
            return;
        }
        const auto& row = table_.rows[rank];
        const int last = row.empty() ? 0 : row.back().column;
        fault(rank + 1, last,
              fmt::format("{} is missing; the row ends here without it", to_cell(action)));
    }

    void check_order() {
        for (const auto& [task, place] : index_.places()) {
            for (const Task& input : index_.inputs(task)) {
                const Place* other = index_.find(input);
                if (other && other->rank == place.rank && other->entry > place.entry) {
                    fault(
                        place.rank + 1, place.column,
                        fmt::format("{} is out of order; {}, which it reads, comes later, in "
                                    "column {}",
                                    to_cell(place.action), to_cell(other->action), other->column));
                }
            }
        }
    }

    /// In the order of the table.
    std::vector<std::string> messages() {
        std::stable_sort(
            faults_.begin(), faults_.end(), [](const TableFault& left, const TableFault& right) {
                return std::tie(left.row, left.column) < std::tie(right.row, right.column);
            });
        std::vector<std::string> messages;
        for (const TableFault& fault : faults_) {
            messages.push_back(fmt::format("{}: row {} (rank {}), column {}: {}", table_.source,
                                           fault.row, fault.row - 1, fault.column, fault.what));
        }
        return messages;
    }

    const ScheduleTable& table_;
    std::vector<TableFault> faults_;
    TableIndex index_;
};

}  // namespace

Schedule check_table(const ScheduleTable& table, const TableShape& shape) {
    if (table.rows.empty()) {
        throw ScheduleFaults({table.source + ": row 1, column 1: holds no action; write one row "
                                             "a rank"});
    }
    return TableCheck(table, shape).run();
}

}  // namespace rrfp
