// A simulation in which nothing can move ends with a message that tells, for each rank, what is
// ready and what is awaited from whom.

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulation/run_case.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Runs forwards alone.
class ForwardsOnly final : public Arbiter {
  public:
    std::string_view name() const override { return "forwards-only"; }
    std::optional<Task> choose(const Candidates& candidates) override {
        return candidates.first_forward();
    }
};

TEST(Stall, NamesWhatIsReadyAndWhatIsAwaited) {
    const Pipeline pipeline = one_stage_a_rank(2, 20);
    std::vector<std::unique_ptr<Dispatcher>> dispatchers;
    for (int rank = 0; rank < 2; ++rank) {
        dispatchers.push_back(std::make_unique<Dispatcher>(pipeline, rank,
                                                           std::make_unique<ForwardsOnly>(),
                                                           std::vector<std::unique_ptr<Filter>>()));
    }
    try {
        simulate(pipeline, dispatchers, Durations(pipeline));
        FAIL() << "ended";
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(
            error.what(),
            AllOf(HasSubstr("deadlocked"), HasSubstr("'forwards-only'"),
                  HasSubstr("rank 0: in flight 20, ready: nothing; awaited: 1B0 (rank 1)"),
                  HasSubstr("rank 1: in flight 20, ready: 1B0 1B1"), HasSubstr("and 12 more")));
    }
}

}  // namespace
}  // namespace rrfp
