// Invariant: under graded admission every run ends, whatever is chosen, on every placement, split
// or not, deterministic or not, though messages overtake and limits are as low as one for each
// stage; and D never passes the limit. Each half of the rule is needed: without it runs hang.

#include <gtest/gtest.h>

#include "runtime/core/filters/determinism.h"
#include "runtime/core/filters/graded_admission.h"
#include "tests/simulation/property_cases.h"
#include "tests/simulation/run_checks.h"

namespace rrfp {
namespace {

/// Limits of one for each stage of the rank, and up to three more.
RandomCase tight_case(const std::vector<std::string>& arbiters) {
    RandomCase example = random_case(arbiters, {.ranks = 6, .chunks = 4, .microbatches = 12});
    example.options.admission = AdmissionRule::graded;
    for (int rank = 0; rank < example.pipeline.placement.ranks(); ++rank) {
        example.options.limits[rank] =
            example.pipeline.placement.chunks(rank) + *rc::gen::inRange(0, 4);
    }
    return example;
}

void check_run(const RandomCase& example, const SimulationResult& result) {
    const RunTable table(example.pipeline, result);
    check_times(example, result, table);
    check_limits(example, result);
    check_buffers(example, result, table);
    if (example.options.deterministic) {
        check_accumulates_in_order(result);
    }
}

TEST(Guarantees, GradedAdmissionEndsWhateverIsChosen) {
    check_property([] {
        RandomCase example = tight_case({"bf"});
        example.options.arbiter = "random";
        RC_LOG() << describe(example);
        const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
        check_run(example, run_random(example.pipeline, example.options, example.sample, seed));
    });
}

TEST(Guarantees, GradedAdmissionEndsUnderEveryArbiter) {
    check_property([] {
        const RandomCase example = tight_case(readiness_first());
        RC_LOG() << describe(example);
        check_run(example, run_case(example.pipeline, example.options, example.sample));
    });
}

/// D < limit, the rule without its reserve for later stages.
class WithoutReserve final : public Filter {
  public:
    explicit WithoutReserve(int limit) : limit_(limit) {}
    void restrict(const RankState& state, Admission& admission) const override {
        if (state.in_flight() >= limit_) {
            admission.forbid(TaskKind::forward);
        }
    }

  private:
    int limit_;
};

/// Whether a run with a random choice ends at limits of one for each of three stages and one more.
template <typename MakeRule>
bool ends(std::uint64_t seed, bool deterministic, MakeRule rule) {
    constexpr int limit = 4;
    const Pipeline pipeline{.placement = Placement::loop(3, 3), .microbatches = 12};
    const Durations sample =
        Durations::draw(pipeline, {.forward_ms = 10, .backward_ms = 20},
                        {.compute_cv = 0.5, .comm_mean_ms = 10, .seed = seed}, 0);
    std::vector<std::unique_ptr<Dispatcher>> dispatchers;
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        std::vector<std::unique_ptr<Filter>> filters;
        filters.push_back(rule(limit));
        if (deterministic) {
            filters.push_back(std::make_unique<Determinism>(limit));
        }
        dispatchers.push_back(std::make_unique<Dispatcher>(
            pipeline, rank, std::make_unique<RandomArbiter>(pipeline, rank, seed),
            std::move(filters)));
    }
    try {
        simulate(pipeline, dispatchers, sample);
    } catch (const std::runtime_error&) {
        return false;
    }
    return true;
}

constexpr int runs = 100;

template <typename MakeRule>
int count_of_ends(bool deterministic, MakeRule rule) {
    int count = 0;
    for (int seed = 0; seed < runs; ++seed) {
        count += ends(seed, deterministic, rule);
    }
    return count;
}

TEST(GradedAdmission, WithoutItsReserveItHangs) {
    EXPECT_EQ(count_of_ends(false, [](int l) { return std::make_unique<GradedAdmission>(l); }),
              runs);
    EXPECT_LE(count_of_ends(false, [](int l) { return std::make_unique<WithoutReserve>(l); }), 50)
        << "the test no longer reaches what the reserve is for";
}

TEST(GradedAdmission, InMicrobatchOrderItHangsUnlessSpansCount) {
    EXPECT_EQ(count_of_ends(true, [](int l) { return std::make_unique<GradedAdmission>(l, true); }),
              runs);
    EXPECT_LE(count_of_ends(true, [](int l) { return std::make_unique<GradedAdmission>(l); }), 50)
        << "the test no longer reaches what the rule is for";
}

}  // namespace
}  // namespace rrfp
