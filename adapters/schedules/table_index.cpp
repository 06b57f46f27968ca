#include "adapters/schedules/table_index.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>

#include <fmt/format.h>

namespace rrfp {

TableIndex::TableIndex(const ScheduleTable& table, const TableShape& shape,
                       std::vector<TableFault>& faults)
    : tasks_(table.rows.size()) {
    measure(table, shape, faults);
    pipeline_ = {.placement = Placement(std::vector<int>(stages_, 0)),
                 .microbatches = microbatches_,
                 .split_weight = true};
    for (int rank = 0; rank < ranks(); ++rank) {
        for (const TableEntry& entry : table.rows[rank]) {
            add(rank, entry, faults);
        }
    }
    find_homes();
}

/// A whole table has an action of each stage and of each microbatch, so a number beyond the count
/// of its actions is a mistake, and must not size anything.
void TableIndex::measure(const ScheduleTable& table, const TableShape& shape,
                         std::vector<TableFault>& faults) {
    int actions = 0;
    for (const auto& row : table.rows) {
        actions += static_cast<int>(row.size());
    }
    for (const auto& row : table.rows) {
        for (const auto& [action, column] : row) {
            if (action.task.stage < actions) {
                stages_ = std::max(stages_, action.task.stage + 1);
            }
            if (action.task.microbatch < actions) {
                microbatches_ = std::max(microbatches_, action.task.microbatch + 1);
            }
        }
    }
    const auto take = [&](std::optional<int> given, int& found, const char* what) {
        if (given && *given > actions) {
            faults.push_back({1, 1,
                              fmt::format("begins a table of {} actions, too few for {} {}",
                                          actions, *given, what)});
        } else {
            found = given.value_or(found);
        }
    };
    take(shape.stages, stages_, "stages");
    take(shape.microbatches, microbatches_, "microbatches");
}

void TableIndex::add(int rank, const TableEntry& entry, std::vector<TableFault>& faults) {
    const Task& task = entry.action.task;
    const auto fault = [&](std::string what) {
        faults.push_back({rank + 1, entry.column, std::move(what)});
    };
    if (task.stage >= stages_) {
        return fault(fmt::format("{} is of stage {}; the last of {} stages is {}",
                                 to_cell(entry.action), task.stage, stages_, stages_ - 1));
    }
    if (task.microbatch >= microbatches_) {
        return fault(fmt::format("{} is of microbatch {}; the last of {} is {}",
                                 to_cell(entry.action), task.microbatch, microbatches_,
                                 microbatches_ - 1));
    }
    const Place place{entry.action, rank, static_cast<int>(tasks_[rank].size()), entry.column};
    const auto [first, is_new] = places_.try_emplace(task, place);
    if (!is_new) {
        return fault(
            fmt::format("{} is a duplicate: {} stands in row {}, column {}; list each "
                        "task once",
                        to_cell(entry.action), to_cell(first->second.action),
                        first->second.rank + 1, first->second.column));
    }
    tasks_[rank].push_back(task);
}

bool TableIndex::is_sparse() const {
    constexpr std::int64_t small = 1'000;
    const std::int64_t pairs = std::int64_t{stages_} * microbatches_;
    return pairs > small && pairs > std::ssize(places_);
}

const Place* TableIndex::find(const Task& task) const {
    const auto found = places_.find(task);
    return found == places_.end() ? nullptr : &found->second;
}

int TableIndex::rank_of(const Task& task) const {
    const int home = homes_[task.stage];
    return !upward_.empty() && upward_[task.microbatch] ? ranks() - 1 - home : home;
}

void TableIndex::find_homes() {
    std::vector<std::map<int, int>> held(stages_);  // [stage]: rank -> actions there
    for (const auto& [task, place] : places_) {
        ++held[task.stage][place.rank];
    }
    for (const auto& ranks_holding : held) {
        const auto most = std::max_element(
            ranks_holding.begin(), ranks_holding.end(),
            [](const auto& left, const auto& right) { return left.second < right.second; });
        homes_.push_back(most == ranks_holding.end() ? -1 : most->first);
    }
    if (find_directions()) {
        std::iota(homes_.begin(), homes_.end(), 0);
    } else {
        upward_.clear();
    }
}

/// Whether each microbatch runs wholly down or wholly up the ranks, and some do either.
bool TableIndex::find_directions() {
    if (stages_ != ranks() || ranks() < 2) {
        return false;
    }
    std::vector<bool> down(microbatches_, true);
    upward_.assign(microbatches_, true);
    for (const auto& [task, place] : places_) {
        down[task.microbatch] = down[task.microbatch] && place.rank == task.stage;
        upward_[task.microbatch] =
            upward_[task.microbatch] && place.rank == ranks() - 1 - task.stage;
    }
    bool both = false;
    for (int microbatch = 0; microbatch < microbatches_; ++microbatch) {
        if (down[microbatch] == upward_[microbatch]) {
            return false;
        }
        both = both || down[microbatch] != down[0];
    }
    return both;
}

Schedule TableIndex::schedule() const {
    const bool split = std::any_of(places_.begin(), places_.end(), [](const auto& place) {
        return place.first.kind == TaskKind::weight_gradient;
    });
    return {.pipeline = {.placement = Placement(homes_),
                         .microbatches = microbatches_,
                         .split_weight = split},
            .order = tasks_,
            .upward = upward_};
}

}  // namespace rrfp
