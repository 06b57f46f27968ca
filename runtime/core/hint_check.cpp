#include "runtime/core/hint_check.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "runtime/core/in_order_run.h"

namespace rrfp {
namespace {

[[noreturn]] void refuse(int rank, const std::string& problem) {
    throw std::invalid_argument(fmt::format("hint order of rank {}: {}", rank, problem));
}

void check_entry(const Pipeline& pipeline, int rank, const Task& task) {
    const std::string action = to_action(task, pipeline.split_weight);
    if (task.stage < 0 || task.stage > pipeline.last_stage()) {
        refuse(rank, fmt::format("{} is on stage {}; the pipeline has stages 0 to {}", action,
                                 task.stage, pipeline.last_stage()));
    }
    if (task.microbatch < 0 || task.microbatch >= pipeline.microbatches) {
        refuse(rank, fmt::format("{} is of microbatch {}; the iteration has microbatches 0 to {}",
                                 action, task.microbatch, pipeline.microbatches - 1));
    }
    if (static_cast<int>(task.kind) >= pipeline.kinds()) {
        refuse(rank, fmt::format("{} is of a kind this iteration lacks; drop it, or split the "
                                 "backward (W) or run backwards (B)",
                                 action));
    }
    if (pipeline.placement.rank_of(task.stage) != rank) {
        refuse(rank, fmt::format("{} is misplaced; stage {} is on rank {}", action, task.stage,
                                 pipeline.placement.rank_of(task.stage)));
    }
}

/// The first task of `rank` that `listed` lacks.
Task first_missing(const Pipeline& pipeline, int rank, const std::set<Task>& listed) {
    for (int kind = 0; kind < pipeline.kinds(); ++kind) {
        for (const int stage : pipeline.placement.stages_of(rank)) {
            for (int microbatch = 0; microbatch < pipeline.microbatches; ++microbatch) {
                const Task task{static_cast<TaskKind>(kind), stage, microbatch};
                if (!listed.contains(task)) {
                    return task;
                }
            }
        }
    }
    throw std::logic_error("first_missing: every task is listed");
}

/// Refuses a hint in which the tasks of a stage whose kind is `checked` break microbatch order.
void check_microbatch_order(const Pipeline& pipeline, const HintOrder& hint,
                            const std::function<bool(TaskKind)>& checked, const char* remedy) {
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        std::map<std::pair<TaskKind, int>, int> last;  // (kind, stage) -> microbatch
        for (const Task& task : hint[rank]) {
            if (!checked(task.kind)) {
                continue;
            }
            const auto [entry, first] = last.try_emplace({task.kind, task.stage}, task.microbatch);
            if (!first && task.microbatch < entry->second) {
                refuse(rank,
                       fmt::format("{} comes after microbatch {} of its stage; {}",
                                   to_action(task, pipeline.split_weight), entry->second, remedy));
            }
            entry->second = task.microbatch;
        }
    }
}

}  // namespace

void check_hint_cover(const Pipeline& pipeline, const HintOrder& hint) {
    const int ranks = pipeline.placement.ranks();
    if (static_cast<int>(hint.size()) != ranks) {
        throw std::invalid_argument(fmt::format(
            "hint order: {} lists for {} ranks; give one list a rank", hint.size(), ranks));
    }
    for (int rank = 0; rank < ranks; ++rank) {
        std::set<Task> listed;
        for (const Task& task : hint[rank]) {
            check_entry(pipeline, rank, task);
            if (!listed.insert(task).second) {
                refuse(rank, fmt::format("{} is listed twice; list each task once",
                                         to_action(task, pipeline.split_weight)));
            }
        }
        if (static_cast<int>(listed.size()) != pipeline.task_count(rank)) {
            refuse(rank, fmt::format("{} is missing; list each of the rank's {} tasks once",
                                     to_action(first_missing(pipeline, rank, listed),
                                               pipeline.split_weight),
                                     pipeline.task_count(rank)));
        }
    }
}

void check_hint_runs(const Pipeline& pipeline, const HintOrder& hint) {
    InOrderRun run(pipeline, hint);
    run.advance();
    std::string stuck;
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        if (const std::size_t entry = run.position(rank); entry < hint[rank].size()) {
            stuck += fmt::format("{}rank {} at {} (entry {})", stuck.empty() ? "" : ", ", rank,
                                 to_action(hint[rank][entry], pipeline.split_weight), entry);
        }
    }
    if (!stuck.empty()) {
        throw std::invalid_argument(
            "hint order: followed entry by entry it never ends; stuck are " + stuck +
            "; put each task after those it reads");
    }
}

void check_hint_accumulates_in_order(const Pipeline& pipeline, const HintOrder& hint) {
    check_microbatch_order(
        pipeline, hint, [](TaskKind kind) { return kind != TaskKind::forward; },
        "deterministic gradients need microbatch order, or leave deterministic off");
}

void check_hint_forwards_in_order(const Pipeline& pipeline, const HintOrder& hint) {
    check_microbatch_order(
        pipeline, hint, [](TaskKind kind) { return kind == TaskKind::forward; },
        "window admission needs forwards in microbatch order, or use graded");
}

int peak_in_flight(const Pipeline& pipeline, const std::vector<Task>& list) {
    int in_flight = 0;
    int peak = 0;
    for (const Task& task : list) {
        if (task.kind == TaskKind::forward) {
            peak = std::max(peak, ++in_flight);
        }
        if (task.kind == pipeline.release_kind()) {
            --in_flight;
        }
    }
    return peak;
}

std::vector<int> hint_levels(const Pipeline& pipeline, const HintOrder& hint) {
    std::vector<int> levels;
    for (const std::vector<Task>& list : hint) {
        levels.push_back(peak_in_flight(pipeline, list));
    }
    return levels;
}

}  // namespace rrfp
