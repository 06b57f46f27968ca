// Guards: a plan is resolved and checked once; its text brings every rank its own part of the same
// value, and the hash follows every fact.

#include <stdexcept>

#include <gmock/gmock.h>

#include "adapters/plan/action_list.h"
#include "adapters/plan/make_plan.h"

namespace rrfp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

PlanRequest four_ranks() {
    PlanRequest request;
    request.pipeline_ranks = 4;
    request.microbatches = 8;
    return request;
}

std::string fault_of(const PlanRequest& request) {
    try {
        make_plan(request);
    } catch (const PlanFault& fault) {
        return fault.key() + ": " + fault.what();
    }
    return "accepted";
}

TEST(Plan, FillsInWhatFollowsFromTheShape) {
    PlanRequest request = four_ranks();
    EXPECT_EQ(make_plan(request)->schedule.arbiter, "tide");
    EXPECT_EQ(make_plan(request)->hint, "1f1b");
    request.split_weight = true;
    EXPECT_EQ(make_plan(request)->schedule.arbiter, "tide-w");
    EXPECT_EQ(make_plan(request)->hint, "zb-h1");
}

TEST(Plan, FixedWithoutALimitHasItsListsPeaks) {
    PlanRequest request = four_ranks();
    request.arbiter = "fixed";
    request.limit_given = false;
    EXPECT_THAT(make_plan(request)->schedule.limits, ElementsAre(4, 3, 2, 1));
}

TEST(Plan, ARankReadsItsOwnPartOfTheSameValue) {
    PlanRequest request = four_ranks();
    request.tensor_ranks = 2;
    request.jitter = {.compute_cv = 0.1, .comm_cv = 0.3, .seed = ~std::uint64_t{0}};
    const Plan made = make_plan(request);
    const Plan read = Plan::read(made.text(), 5);  // pipeline rank 2
    EXPECT_EQ(read.hash(), made.hash());
    EXPECT_EQ(read.text(), made.text());
    EXPECT_EQ(read->schedule.hint[2], made->schedule.hint[2]);
    EXPECT_TRUE(read->schedule.hint[1].empty());
    EXPECT_EQ(read->schedule.limits, made->schedule.limits);
    EXPECT_EQ(read->window, made->window);
    EXPECT_EQ(read->jitter.seed, made->jitter.seed);
    EXPECT_EQ(read->jitter.compute_cv, 0.1);
    EXPECT_THAT(agreement_of(*read, 5).members, ElementsAre(4, 5));
    EXPECT_THROW(Plan::read("{}", 0), std::invalid_argument);
    EXPECT_THROW(Plan::read(made.text().substr(1), 0), std::invalid_argument);
}

TEST(Plan, TheHashFollowsEveryFact) {
    const std::string hash = make_plan(four_ranks()).hash();
    EXPECT_EQ(make_plan(four_ranks()).hash(), hash);
    const auto changed = [&](auto change) {
        PlanRequest request = four_ranks();
        change(request);
        return make_plan(request).hash();
    };
    EXPECT_NE(changed([](PlanRequest& request) { request.limit = std::vector{3}; }), hash);
    EXPECT_NE(changed([](PlanRequest& request) { request.hint = "gpipe"; }), hash);
    EXPECT_NE(changed([](PlanRequest& request) { request.deterministic = true; }), hash);
    EXPECT_NE(changed([](PlanRequest& request) { request.data_ranks = 2; }), hash);
    EXPECT_NE(changed([](PlanRequest& request) { request.seed = 1; }), hash);
    EXPECT_NE(changed([](PlanRequest& request) { request.text = identity_of("a"); }), hash);
}

TEST(Plan, AFaultNamesItsKey) {
    PlanRequest request = four_ranks();
    request.limit = "2P";
    EXPECT_THAT(fault_of(request), HasSubstr("limit: is no limit"));
    request = four_ranks();
    request.arbiter = "tid";
    EXPECT_THAT(fault_of(request), HasSubstr("arbiter: unknown arbiter; did you mean tide?"));
    request = four_ranks();
    request.hint = "1f1bb";
    EXPECT_THAT(fault_of(request), HasSubstr("hint: unknown schedule; did you mean 1f1b?"));
    request = four_ranks();
    request.plugin = "/no/such/plugin.so";
    EXPECT_THAT(fault_of(request), HasSubstr("plugin: "));
}

TEST(Plan, ALocalChoiceAgreesByTheBoardAlone) {
    PlanRequest request = four_ranks();
    request.own_arbiter = true;
    request.arbiter = "python";
    request.agreement = "allgather";
    EXPECT_EQ(fault_of(request), "accepted") << "a rank alone agrees with itself";
    request.tensor_ranks = 2;
    EXPECT_THAT(fault_of(request), HasSubstr("use \"board\""));
    request.agreement = "board";
    EXPECT_EQ(fault_of(request), "accepted");
}

TEST(ActionList, IsReadAsItWasWritten) {
    const std::vector<Task> tasks = {{TaskKind::forward, 0, 0},
                                     {TaskKind::backward, 12, 345},
                                     {TaskKind::weight_gradient, 7, 1}};
    EXPECT_EQ(action_list(tasks), "0F0 12B345 7W1");
    EXPECT_EQ(read_action_list(action_list(tasks)), tasks);
    EXPECT_TRUE(read_action_list("").empty());
    for (const char* wrong : {"F0", "0F", "0X0", "0F0 ", "0F0,0F1", "-1F0", " 0F0", "0F0  0F1"}) {
        EXPECT_THROW(read_action_list(wrong), std::invalid_argument) << wrong;
    }
}

}  // namespace
}  // namespace rrfp
