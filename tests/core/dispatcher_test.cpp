// A dispatcher commits only what is a candidate, and names the arbiter that returns anything else.

#include "runtime/core/dispatcher.h"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/core/filters/backpressure.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Always returns the same task.
class Stubborn final : public Arbiter {
  public:
    explicit Stubborn(Task task) : task_(task) {}
    std::string_view name() const override { return "stubborn"; }
    std::optional<Task> choose(const Candidates& /*candidates*/) override { return task_; }

  private:
    Task task_;
};

/// What `dispatcher` says to its arbiter's choice.
std::string answer(Dispatcher& dispatcher) {
    try {
        dispatcher.choose();
    } catch (const std::logic_error& error) {
        return error.what();
    }
    return "accepted";
}

/// Rank 0 of 2, four microbatches, limit 1, with an arbiter that always wants `choice`.
Dispatcher rank_that_wants(const Task& choice) {
    std::vector<std::unique_ptr<Filter>> filters;
    filters.push_back(std::make_unique<Backpressure>(1));
    return {{.placement = Placement::loop(2), .microbatches = 4},
            0,
            std::make_unique<Stubborn>(choice),
            std::move(filters)};
}

TEST(Dispatcher, RefusesAChoiceThatIsNoCandidate) {
    const auto answer_to = [](const Task& choice) {
        Dispatcher rank = rank_that_wants(choice);
        rank.ready({TaskKind::forward, 0, 0});
        return answer(rank);
    };
    EXPECT_THAT(answer_to({TaskKind::forward, 0, 1}),
                AllOf(HasSubstr("rank 0"), HasSubstr("'stubborn'"), HasSubstr("0F1"),
                      HasSubstr("not ready")));
    EXPECT_THAT(answer_to({TaskKind::forward, 1, 0}), HasSubstr("no task of this rank"));
    EXPECT_THAT(answer_to({TaskKind::backward, 0, 77}), HasSubstr("no task of this rank"));
    EXPECT_EQ(answer_to({TaskKind::forward, 0, 0}), "accepted");
}

TEST(Dispatcher, TellsWhyAChoiceIsNoCandidate) {
    Dispatcher again = rank_that_wants({TaskKind::forward, 0, 0});
    again.ready({TaskKind::forward, 0, 0});
    EXPECT_EQ(answer(again), "accepted");
    again.ready({TaskKind::backward, 0, 0});
    EXPECT_THAT(answer(again), HasSubstr("dispatched already"));
}

TEST(Dispatcher, WaitsWithoutAskingWhenNothingIsReady) {
    Dispatcher rank = rank_that_wants({TaskKind::forward, 0, 0});
    EXPECT_FALSE(rank.choose());
    EXPECT_TRUE(rank.state().waited());
}

}  // namespace
}  // namespace rrfp
