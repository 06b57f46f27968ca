// Guards, for both protocols and any interleaving: the members of a group dispatch every task once,
// all in one order, without the simulator's notion of time. A random walk picks what happens next:
// an input arrives at a member, a worker asks, a task ends, a message is delivered, a ring is
// heard. When nothing else can happen, every member has run everything: nobody sleeps for ever.

#include <deque>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "runtime/core/schedule_options.h"
#include "runtime/simulation/simulated_group.h"

namespace rrfp {
namespace {

struct Mail {
    int from = 0;
    Proposal proposal;
};

/// One rank of one stage without neighbours: its inputs arrive in any order at any member.
class RandomWalk {
  public:
    RandomWalk(AgreementProtocol protocol, int members, const Pipeline& pipeline,
               const ScheduleOptions& schedule)
        : pipeline_(pipeline), mail_(members * members), state_(members) {
        std::vector<Dispatcher*> dispatchers;
        for (int member = 0; member < members; ++member) {
            dispatchers_.push_back(make_dispatcher(pipeline, 0, schedule));
            dispatchers.push_back(dispatchers_.back().get());
        }
        group_.emplace(
            protocol, dispatchers, [this](int member) { state_[member].rung = true; },
            [this, members](int from, int to, const Proposal& proposal) {
                mail_[from * members + to].push_back({from, proposal});
            });
        for (int member = 0; member < members; ++member) {
            (*group_)[member].begin_iteration();
            for (int m = 0; m < pipeline.microbatches; ++m) {
                state_[member].inputs.push_back({TaskKind::forward, 0, m});
            }
        }
    }

    /// Takes the step that `draw` picks among those possible; false when there is none.
    bool step(std::uint32_t draw) {
        std::vector<std::pair<int, int>> possible;  // what, and at or to whom
        for (int i = 0; i < group_->size(); ++i) {
            if (!state_[i].inputs.empty()) possible.emplace_back(0, i);
            if (state_[i].running) possible.emplace_back(1, i);
            // A worker that nobody has woken sleeps.
            if (!state_[i].running && state_[i].rung) possible.emplace_back(2, i);
            if (state_[i].running && state_[i].rung) possible.emplace_back(3, i);
        }
        for (int i = 0; i < static_cast<int>(mail_.size()); ++i) {
            if (!mail_[i].empty()) possible.emplace_back(4, i);
        }
        if (possible.empty()) return false;
        const auto [what, where] = possible[draw % possible.size()];
        act(what, where, draw / static_cast<std::uint32_t>(possible.size()));
        return true;
    }

    const std::vector<Task>& log(int member) const { return state_[member].log; }

  private:
    struct Member {
        std::vector<Task> inputs;  // to arrive
        std::optional<Task> running;
        bool rung = true;
        std::vector<Task> log;
    };

    void act(int what, int where, std::uint32_t draw) {
        if (what == 4) {
            const int to = where % group_->size();
            group_->receive(to, mail_[where].front().from, mail_[where].front().proposal);
            mail_[where].pop_front();
            state_[to].rung = true;
            return;
        }
        Member& self = state_[where];
        Agreement& rules = (*group_)[where];
        if (what == 0) {
            const std::size_t which = draw % self.inputs.size();
            rules.ready(self.inputs[which], 0);
            self.inputs.erase(self.inputs.begin() + static_cast<std::ptrdiff_t>(which));
            self.rung = true;
        } else if (what == 1) {
            const Task task = *std::exchange(self.running, std::nullopt);
            rules.completed(task, 1);
            // What it makes at its own rank may become ready at leisure, too.
            const auto successors = pipeline_.successors(task);
            self.inputs.insert(self.inputs.end(), successors.begin(), successors.end());
            self.rung = true;
        } else {
            self.rung = false;
            if (what == 3) return rules.look();
            self.running = group_->next(where, 0);
            if (!self.running) return;
            rules.dispatched(0);
            self.log.push_back(*self.running);
        }
    }

    Pipeline pipeline_;
    std::vector<std::unique_ptr<Dispatcher>> dispatchers_;
    std::optional<SimulatedGroup> group_;
    std::vector<std::deque<Mail>> mail_;  // [from * members + to]
    std::vector<Member> state_;
};

RC_GTEST_PROP(AgreementConformance, OneOrderUnderAnyInterleaving, ()) {
    const auto protocol = *rc::gen::element(AgreementProtocol::board, AgreementProtocol::allgather);
    const int members = *rc::gen::inRange(2, 6);
    const Pipeline pipeline{.placement = Placement::loop(1),
                            .microbatches = *rc::gen::inRange(1, 9),
                            .split_weight = *rc::gen::arbitrary<bool>()};
    const ScheduleOptions schedule{
        .arbiter = *rc::gen::element<std::string>("bf", "fb", "b-priority", "f-priority"),
        .hint = {},
        .limits = {*rc::gen::inRange(1, 6)}};
    RandomWalk walk(protocol, members, pipeline, schedule);
    auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const auto draw = [&] {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::uint32_t>(seed >> 33);
    };
    int steps = 0;
    while (walk.step(draw())) RC_ASSERT(++steps < 100'000);
    for (int member = 0; member < members; ++member) {
        RC_ASSERT(walk.log(member).size() == static_cast<std::size_t>(pipeline.task_count(0)));
        RC_ASSERT(walk.log(member) == walk.log(0));
    }
}

/// Two stages, seen from a member of the first: {F3, B2} ready at one, {B2} at the other.
TEST(AgreementConformance, AllgatherVotesForWhatBothCanRun) {
    const Pipeline pipeline{.placement = Placement::loop(2), .microbatches = 4};
    const ScheduleOptions schedule{.arbiter = "f-priority", .hint = {}, .limits = {8, 8}};
    const auto first = make_dispatcher(pipeline, 0, schedule);
    const auto second = make_dispatcher(pipeline, 0, schedule);
    std::deque<std::pair<int, Mail>> mail;
    SimulatedGroup group(
        AgreementProtocol::allgather, {first.get(), second.get()}, [](int) {},
        [&](int from, int to, const Proposal& proposal) {
            mail.push_back({to, {from, proposal}});
        });
    const Task f3{TaskKind::forward, 0, 3};
    const Task b2{TaskKind::backward, 0, 2};
    for (int member = 0; member < 2; ++member) {
        group[member].begin_iteration();
        group[member].ready(b2, 0);
    }
    group[0].ready(f3, 0);
    EXPECT_EQ(group.next(0, 1), std::nullopt);  // proposes F3
    EXPECT_EQ(group.next(1, 1), std::nullopt);  // proposes B2
    std::optional<Task> ran[2];
    while (!mail.empty()) {
        const auto [to, letter] = mail.front();
        mail.pop_front();
        group.receive(to, letter.from, letter.proposal);
        if (!ran[to]) ran[to] = group.next(to, 2);
    }
    EXPECT_EQ(ran[0], b2);
    EXPECT_EQ(ran[1], b2);
    EXPECT_EQ(group[0].counts().retries, 1);
    EXPECT_EQ(group[0].counts().messages, 2);
}

TEST(AgreementConformance, AllgatherRefusesARoundThatCannotBe) {
    const Pipeline pipeline{.placement = Placement::loop(1), .microbatches = 1};
    const ScheduleOptions schedule{.arbiter = "bf", .hint = {}, .limits = {1}};
    const auto dispatcher = make_dispatcher(pipeline, 0, schedule);
    AllgatherMember member(*dispatcher, 0, 2, true);
    EXPECT_THROW(member.receive(1, {.round = 5}), std::logic_error);
    EXPECT_THROW(member.receive(0, {.round = 0}), std::logic_error);
    member.receive(1, {.round = 0});
    EXPECT_THROW(member.receive(1, {.round = 0}), std::logic_error);
    EXPECT_THROW(AllgatherMember(*dispatcher, 2, 2, true), std::invalid_argument);
}

}  // namespace
}  // namespace rrfp
