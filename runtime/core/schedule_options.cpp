#include "runtime/core/schedule_options.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/core/arbiters/registry.h"
#include "runtime/core/filters/backpressure.h"
#include "runtime/core/filters/determinism.h"
#include "runtime/core/filters/graded_admission.h"
#include "runtime/core/filters/window_admission.h"
#include "runtime/core/hint_check.h"
#include "runtime/core/plugin_loader.h"

namespace rrfp {
namespace {

void check_limits(const Pipeline& pipeline, const std::vector<int>& limits) {
    const int ranks = pipeline.placement.ranks();
    if (static_cast<int>(limits.size()) != ranks) {
        throw std::invalid_argument(fmt::format(
            "limit: {} values for {} pipeline ranks; give one value, or one for each rank",
            limits.size(), ranks));
    }
    for (int rank = 0; rank < ranks; ++rank) {
        if (limits[rank] < 1) {
            throw std::invalid_argument(
                fmt::format("limit of rank {} is {}; it must be 1 or more", rank, limits[rank]));
        }
    }
}

/// A fixed order is exempt from filters, so what they would enforce is asked of the list itself.
void check_fixed(const Pipeline& pipeline, const ScheduleOptions& options) {
    check_hint_runs(pipeline, options.hint);
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        const int peak = peak_in_flight(pipeline, options.hint[rank]);
        if (peak > options.limits[rank]) {
            throw std::invalid_argument(fmt::format(
                "the fixed list of rank {} has {} microbatches in flight at its peak, more than "
                "the limit of {}; raise the limit to {} or choose another hint",
                rank, peak, options.limits[rank], peak));
        }
    }
    if (options.deterministic) {
        check_hint_accumulates_in_order(pipeline, options.hint);
    }
}

/// What the proof of window admission asks of the hint and the limits.
void check_window(const Pipeline& pipeline, const ScheduleOptions& options) {
    if (options.hint.empty()) {
        throw std::invalid_argument(
            "window admission goes by the hint order; name a schedule, or use graded");
    }
    check_hint_runs(pipeline, options.hint);
    check_hint_forwards_in_order(pipeline, options.hint);
    if (options.deterministic) {
        check_hint_accumulates_in_order(pipeline, options.hint);
    }
    const std::vector<int> levels = hint_levels(pipeline, options.hint);
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        if (options.limits[rank] < levels[rank]) {
            throw std::invalid_argument(fmt::format(
                "window admission: the hint has {} microbatches in flight at its peak at rank {}, "
                "more than the limit of {}; raise the limit to {}, choose another hint or use "
                "graded",
                levels[rank], rank, options.limits[rank], levels[rank]));
        }
    }
}

/// What the proof of graded admission asks of the limits.
void check_graded(const Pipeline& pipeline, const ScheduleOptions& options) {
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        const int stages = pipeline.placement.chunks(rank);
        if (options.limits[rank] < stages) {
            throw std::invalid_argument(fmt::format(
                "graded admission: the limit of rank {} is {}, less than one for each of its {} "
                "stages; raise it to {} or use drain",
                rank, options.limits[rank], stages, stages));
        }
    }
}

std::unique_ptr<Filter> make_admission(const Pipeline& pipeline, int rank,
                                       const ScheduleOptions& options) {
    const int limit = options.limits.at(rank);
    switch (options.admission) {
        case AdmissionRule::window:
            return std::make_unique<WindowAdmission>(pipeline, rank, options.hint.at(rank), limit);
        case AdmissionRule::graded:
            return std::make_unique<GradedAdmission>(limit, options.deterministic);
        case AdmissionRule::drain:
            break;
    }
    return std::make_unique<Backpressure>(limit);
}

}  // namespace

std::vector<std::string> arbiter_names() {
    std::vector<std::string> names;
    for (const ArbiterEntry& entry : arbiter_registry()) {
        names.emplace_back(entry.name);
    }
    return names;
}

const ArbiterEntry& arbiter_entry(const ScheduleOptions& options) {
    if (const ArbiterEntry* entry = find_arbiter(options.arbiter)) {
        return *entry;
    }
    const std::vector<std::string> known = arbiter_names();
    std::string brought;
    if (options.plugin) {
        if (const ArbiterEntry* entry = options.plugin->find(options.arbiter)) {
            return *entry;
        }
        for (const ArbiterEntry& entry : options.plugin->arbiters()) {
            brought += fmt::format("{}{}", brought.empty() ? "" : ", ", entry.name);
        }
        brought = fmt::format(", and of plugin '{}': {}", options.plugin->path(), brought);
    }
    throw std::invalid_argument(fmt::format("unknown arbiter '{}'; known are {}{}", options.arbiter,
                                            fmt::join(known, ", "), brought));
}

void validate(const Pipeline& pipeline, const ScheduleOptions& options) {
    if (pipeline.microbatches < 1) {
        throw std::invalid_argument(
            fmt::format("microbatches is {}; it must be 1 or more", pipeline.microbatches));
    }
    const ArbiterEntry& entry = arbiter_entry(options);
    check_limits(pipeline, options.limits);
    if (entry.needs_split && !pipeline.split_weight) {
        throw std::invalid_argument(
            fmt::format("arbiter '{}' is for the split backward; set split_weight = true, or use "
                        "tide",
                        options.arbiter));
    }
    if (entry.needs_hint && options.hint.empty()) {
        throw std::invalid_argument(
            fmt::format("arbiter '{}' needs a hint order; name a schedule", options.arbiter));
    }
    if (!options.hint.empty()) {
        check_hint_cover(pipeline, options.hint);
    }
    if (options.arbiter == "fixed") {
        check_fixed(pipeline, options);
    } else if (options.admission == AdmissionRule::window) {
        check_window(pipeline, options);
    } else if (options.admission == AdmissionRule::graded) {
        check_graded(pipeline, options);
    }
}

std::unique_ptr<Dispatcher> make_dispatcher(const Pipeline& pipeline, int rank,
                                            const ScheduleOptions& options) {
    if (rank < 0 || rank >= pipeline.placement.ranks()) {
        throw std::invalid_argument(
            fmt::format("there is no rank {} in a pipeline of {} ranks; start as many processes as "
                        "it has ranks",
                        rank, pipeline.placement.ranks()));
    }
    const std::vector<Task> none;
    const ArbiterSetup setup{.pipeline = pipeline,
                             .rank = rank,
                             .hint = options.hint.empty() ? none : options.hint.at(rank),
                             .limits = options.limits,
                             .admission = options.admission};
    return make_dispatcher(pipeline, rank, options, arbiter_entry(options).make(setup));
}

std::unique_ptr<Dispatcher> make_dispatcher(const Pipeline& pipeline, int rank,
                                            const ScheduleOptions& options,
                                            std::unique_ptr<Arbiter> arbiter) {
    std::vector<std::unique_ptr<Filter>> filters;
    filters.push_back(make_admission(pipeline, rank, options));
    if (options.deterministic) {
        filters.push_back(std::make_unique<Determinism>(options.limits.at(rank)));
    }
    return std::make_unique<Dispatcher>(pipeline, rank, std::move(arbiter), std::move(filters));
}

}  // namespace rrfp
