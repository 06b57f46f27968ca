#pragma once

#include <limits>

#include "tests/simulation/run_checks.h"

namespace rrfp {

/// What the proven bounds assume of a run, read off the run itself: so they are asked of every run
/// that meets them, whatever arbiter made it.
struct RunConditions {
    /// Each stage started its forwards in microbatch order, and its backwards.
    bool in_order = true;
    /// No worker was idle while a task could start there: its inputs present, a forward's place
    /// free.
    bool never_idle = true;
    /// Never two tasks of a kind in a row while one of the other kind was ready.
    bool alternates = true;
};

namespace run_conditions {

inline bool in_order(const std::vector<TaskRecord>& tasks) {
    int next[task_kinds] = {};
    return std::all_of(tasks.begin(), tasks.end(), [&](const TaskRecord& record) {
        return record.task.microbatch == next[static_cast<int>(record.task.kind)]++;
    });
}

/// [kind][i]: the first time at which a task of `kind` that starts at position i or later is ready.
inline std::vector<std::vector<double>> next_ready(const RandomCase& example, const RunTable& table,
                                                   const std::vector<TaskRecord>& tasks) {
    std::vector<std::vector<double>> next(
        2, std::vector<double>(tasks.size() + 1, std::numeric_limits<double>::infinity()));
    for (std::size_t i = tasks.size(); i-- > 0;) {
        const auto kind = static_cast<std::size_t>(tasks[i].task.kind);
        next[1 - kind][i] = next[1 - kind][i + 1];
        next[kind][i] = std::min(next[kind][i + 1], ready_ms(example, table, tasks[i].task));
    }
    return next;
}

inline void check_rank(const RandomCase& example, const RunTable& table,
                       const std::vector<TaskRecord>& tasks, int limit, RunConditions& met) {
    const auto next = next_ready(example, table, tasks);
    int in_flight = 0;
    double free_at = 0;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const double start = tasks[i].start_ms;
        const double able = std::min(next[1][i], in_flight < limit ? next[0][i] : start);
        if (start > free_at && able < start) {
            met.never_idle = false;
        }
        const auto kind = static_cast<std::size_t>(tasks[i].task.kind);
        if (i > 0 && tasks[i - 1].task.kind == tasks[i].task.kind && next[1 - kind][i] < start) {
            met.alternates = false;
        }
        in_flight += tasks[i].task.kind == TaskKind::forward ? 1 : -1;
        free_at = tasks[i].end_ms;
    }
}

}  // namespace run_conditions

/// For one stage a rank and a whole backward.
inline RunConditions conditions_of(const RandomCase& example, const SimulationResult& result,
                                   const RunTable& table) {
    RunConditions met;
    for (std::size_t rank = 0; rank < result.ranks.size(); ++rank) {
        const auto& tasks = result.ranks[rank].tasks;
        met.in_order = met.in_order && run_conditions::in_order(tasks);
        run_conditions::check_rank(example, table, tasks, example.options.limits[rank], met);
    }
    return met;
}

}  // namespace rrfp
