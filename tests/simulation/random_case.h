#pragma once

#include <rapidcheck.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/core/arbiters/registry.h"
#include "runtime/core/hint_check.h"
#include "tests/simulation/random_hint.h"
#include "tests/simulation/random_sample.h"
#include "tests/simulation/run_case.h"

namespace rrfp {

struct RandomCase {
    Pipeline pipeline;
    ScheduleOptions options;
    Durations sample;
};

/// How many ranks, stages a rank and microbatches a random case may have.
struct CaseSizes {
    int ranks = 16;
    int chunks = 4;
    int microbatches = 24;
};

/// `loop`, `v`, or any list in which each rank holds 1 to `chunks` stages, in any order.
inline Placement random_placement(const CaseSizes& sizes) {
    const int ranks = *rc::gen::inRange(1, sizes.ranks + 1);
    const int chunks =
        *rc::gen::weightedElement<int>({{3, 1}, {2, std::min(2, sizes.chunks)}, {1, sizes.chunks}});
    enum Kind { loop, v, list };
    switch (*rc::gen::weightedElement<Kind>({{3, loop}, {1, v}, {1, list}})) {
        case loop:
            return Placement::loop(ranks, chunks);
        case v: {
            std::vector<int> rank_of_stage;
            for (int stage = 0; stage < ranks * chunks; ++stage) {
                const int position = stage % ranks;
                rank_of_stage.push_back(stage / ranks % 2 == 1 ? ranks - 1 - position : position);
            }
            return Placement(rank_of_stage);
        }
        case list:
            break;
    }
    std::vector<int> rank_of_stage;
    for (int rank = 0; rank < ranks; ++rank) {
        rank_of_stage.insert(rank_of_stage.end(), *rc::gen::inRange(1, chunks + 1), rank);
    }
    shuffle(rank_of_stage, *rc::gen::inRange<std::uint64_t>(0, 1000));
    return Placement(rank_of_stage);
}

/// Flat, falling along the ranks as 1F1B's, or any; from 1.
inline std::vector<int> random_limits(const Pipeline& pipeline) {
    const int ranks = pipeline.placement.ranks();
    const int least = *rc::gen::inRange(1, 9);
    enum Kind { even, decreasing, any };
    switch (*rc::gen::element<Kind>(even, decreasing, any)) {
        case even:
            return flat(pipeline, least);
        case decreasing:
            return falling(pipeline, least - 1);
        case any:
            break;
    }
    return *rc::gen::container<std::vector<int>>(ranks, rc::gen::inRange(1, 2 * ranks + 1));
}

/// `graded`, with the limits raised to the stages of their ranks.
inline void make_graded(const Pipeline& pipeline, ScheduleOptions& options) {
    options.admission = AdmissionRule::graded;
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        int& limit = options.limits[rank];
        limit = std::max(limit, pipeline.placement.chunks(rank));
    }
}

/// Draws how forwards are admitted: by their place in the hint where it allows that. Raises the
/// limits to what the rule asks for.
inline void draw_admission(const Pipeline& pipeline, ScheduleOptions& options) {
    const auto rule =
        *rc::gen::element(AdmissionRule::drain, AdmissionRule::window, AdmissionRule::graded);
    if (rule == AdmissionRule::graded) {
        make_graded(pipeline, options);
    } else if (rule == AdmissionRule::window) {
        ScheduleOptions window = options;
        window.admission = AdmissionRule::window;
        const std::vector<int> levels = hint_levels(pipeline, options.hint);
        for (std::size_t rank = 0; rank < levels.size(); ++rank) {
            window.limits[rank] = std::max(window.limits[rank], levels[rank]);
        }
        try {
            validate(pipeline, window);
            options = window;
        } catch (const std::invalid_argument&) {
            return;  // no run could follow the hint, or it is not in microbatch order
        }
    }
}

/// A case for one of `arbiters`, with every option that the arbiter allows.
inline RandomCase random_case(const std::vector<std::string>& arbiters,
                              const CaseSizes& sizes = {}) {
    const std::string arbiter = *rc::gen::elementOf(arbiters);
    const bool split = find_arbiter(arbiter)->needs_split || *rc::gen::arbitrary<bool>();
    const Pipeline pipeline{.placement = random_placement(sizes),
                            .microbatches = *rc::gen::inRange(1, sizes.microbatches + 1),
                            .split_weight = split};
    RandomCase example{pipeline,
                       {.arbiter = arbiter,
                        .hint = random_hint(pipeline, arbiter),
                        .limits = random_limits(pipeline),
                        .deterministic = *rc::gen::arbitrary<bool>()},
                       random_sample(pipeline)};
    if (arbiter == "fixed") {  // its memory is that of its list, and so is its order
        example.options.limits = hint_levels(example.pipeline, example.options.hint);
        example.options.deterministic = false;
    } else {
        draw_admission(example.pipeline, example.options);
    }
    return example;
}

/// All arbiters that choose among what is ready: every one but `fixed`.
inline const std::vector<std::string>& readiness_first() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all = arbiter_names();
        std::erase(all, "fixed");
        return all;
    }();
    return names;
}

/// For the message of a case that fails.
inline std::string describe(const RandomCase& example) {
    const Pipeline& pipeline = example.pipeline;
    std::vector<int> ranks;
    for (int stage = 0; stage < pipeline.placement.stages(); ++stage) {
        ranks.push_back(pipeline.placement.rank_of(stage));
    }
    return fmt::format("{}{}{}, {}, ranks of stages {}, {} microbatches, limits {}\n",
                       example.options.arbiter, pipeline.split_weight ? ", split" : "",
                       example.options.deterministic ? ", deterministic" : "",
                       name(example.options.admission), ranks, pipeline.microbatches,
                       example.options.limits);
}

/// As `run_case`, with the random arbiter.
inline SimulationResult run_random(const Pipeline& pipeline, const ScheduleOptions& options,
                                   const Durations& sample, std::uint64_t seed) {
    std::vector<std::unique_ptr<Dispatcher>> dispatchers;
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        dispatchers.push_back(random_dispatcher(pipeline, rank, options, seed));
    }
    return simulate(pipeline, dispatchers, sample);
}

}  // namespace rrfp
