#pragma once

#include <rapidcheck.h>

#include "adapters/schedules/registry.h"
#include "tests/simulation/random_arbiter.h"
#include "tests/simulation/random_sample.h"
#include "tests/simulation/run_case.h"

namespace rrfp {

/// Every task of every rank in any order at all: good enough as a preference.
inline HintOrder any_order(const Pipeline& pipeline, std::uint64_t seed) {
    HintOrder hint = make_hint("gpipe", pipeline);
    for (auto& list : hint) {
        shuffle(list, seed);
    }
    return hint;
}

/// Lists that can be followed entry by entry: those of a run in which each rank chose at random.
inline HintOrder any_run(const Pipeline& pipeline, std::uint64_t seed, int limit) {
    const std::vector<int> limits = flat(pipeline, limit);
    std::vector<std::unique_ptr<Dispatcher>> dispatchers;
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        dispatchers.push_back(random_dispatcher(pipeline, rank, {.limits = limits}, seed));
    }
    const auto run = simulate(pipeline, dispatchers, tied_sample(pipeline, seed));
    HintOrder hint;
    for (const RankIteration& rank : run.ranks) {
        std::vector<Task> list;
        for (const TaskRecord& record : rank.tasks) {
            list.push_back(record.task);
        }
        hint.push_back(std::move(list));
    }
    return hint;
}

/// The hint of a schedule that is made for the placement, or one drawn at random; for `order` even
/// one that no run could follow.
inline HintOrder random_hint(const Pipeline& pipeline, const std::string& arbiter) {
    enum Kind { schedule, run, any };
    auto kind = *rc::gen::element<Kind>(schedule, run, any);
    if (arbiter != "order" && kind == any) {
        kind = run;
    }
    if (kind == schedule) {
        std::vector<HintOrder> made;
        for (const std::string& name : schedule_names()) {
            try {
                made.push_back(make_hint(name, pipeline));
            } catch (const std::invalid_argument&) {
                continue;  // made for another placement
            }
        }
        return made.at(*rc::gen::inRange<std::size_t>(0, made.size()));
    }
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
    return kind == any ? any_order(pipeline, seed)
                       : any_run(pipeline, seed, *rc::gen::inRange(1, 9));
}

}  // namespace rrfp
