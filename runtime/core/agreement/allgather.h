#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "runtime/core/agreement/agreement.h"
#include "runtime/core/agreement/coordination.h"
#include "runtime/core/agreement/task_index.h"

namespace rrfp {

/// What a member tells all others in a round: one scalar, and when it could first have run what it
/// names, for the metering.
struct Proposal {
    std::uint64_t round = 0;
    std::uint64_t value = 0;
    double since_ms = 0;
};

/// A member's place in the protocol `allgather` (paper, appendix D): rounds in which every member
/// tells its own choice.
///
/// In a round of *choice* a member's scalar is its dispatcher's choice, or none. Where all are one
/// task, it runs; where some are none, it is deferred; else a vote follows at once. In a *vote* the
/// scalar says which of the differing choices the member could run, a bit each. The first that all
/// could runs; where there is none, it is deferred. So all come to the same.
///
/// A round is opened by a member whose worker is free and has a choice, if anything became ready or
/// was dispatched there since it last chose for a round; the others join as soon as their workers
/// are free. A deferral wakes nobody: without a change nobody opens again.
///
/// *Consistency.* A member joins with its worker free, so what it has completed is what was agreed
/// on. Hence D, and all that a choice or a filter reads beside the ready set, is equal at all
/// members in a round; deferrals are agreed, too, and count as waiting.
///
/// *Progress.* Suppose that nothing becomes ready any more and no task runs. All members then have
/// one ready set: a task of a stage becomes ready at all of them or at none, as the members of the
/// neighbouring stages run the same tasks. If the choice from it is a task, consider the last
/// change at any member. That member has opened a round after it, or joined one, and so all
/// proposals of the last round that any of them opened are made from this one ready set and one
/// state: they are equal, and the task runs. So no member sleeps while a common choice exists for
/// good; and if the choice is to wait, a single rank would wait here, too. The vote lets {F3, B2}
/// against {B2} run B2 instead of waiting for F3 to arrive at the other.
class AllgatherMember final : public Agreement {
  public:
    /// `same_clock`: the members' times can be compared. Where they cannot, coordination time
    /// counts from when the task was ready at this rank and its worker free, so readiness skew is
    /// in it. Throws std::invalid_argument when the member is none of the members.
    AllgatherMember(Dispatcher& dispatcher, int member, int members, bool same_clock);

    AgreementProtocol protocol() const override { return AgreementProtocol::allgather; }
    void begin_iteration() override;
    void ready(const Task& task, double now_ms) override;
    std::optional<Task> next(double now_ms) override;
    void dispatched(double now_ms) override;
    void completed(const Task& task, double milliseconds) override;
    std::string awaited() const override;
    double coordination_ms() const override { return coordination_.total_ms(); }
    AgreementCounts counts() const override { return counts_; }

    /// A proposal of `member` has arrived; those of one member come in the order they were sent.
    /// Throws std::logic_error for a round that cannot be under way.
    void receive(int member, const Proposal& proposal);
    /// What this member must tell all others now, in this order, each once. Ask after each `next`,
    /// whatever it returned. In place of what `taken` held, whose storage the member uses next: no
    /// call allocates once both have grown.
    void take_outgoing(std::vector<Proposal>& taken);

  private:
    /// Peers may be one round ahead of this member.
    struct Round {
        std::vector<std::optional<Proposal>> of;  // [member]
        int joined = 0;
    };
    Round& round(std::uint64_t number) { return rounds_[number % rounds_.size()]; }
    const Round& round(std::uint64_t number) const { return rounds_[number % rounds_.size()]; }

    bool join(double now_ms);
    void tell(std::uint64_t value, double since_ms);
    void count(int member, const Proposal& proposal);
    /// Ends the round that all have joined; the task agreed on, if any.
    std::optional<Task> close();
    std::optional<Task> close_choices(const Round& ended);
    std::optional<Task> close_vote(const Round& ended);
    std::uint64_t votes();
    void take(const Task& task);

    Dispatcher& dispatcher_;
    int member_;
    int members_;
    bool same_clock_;
    TaskIndex index_;
    std::vector<double> ready_ms_;  // by index
    std::array<Round, 2> rounds_;
    std::uint64_t number_ = 0;    // of the round under way
    bool in_round_ = false;       // joined
    bool changed_ = false;        // since this member last chose for a round
    std::vector<Task> disputed_;  // the differing choices, when the round is a vote
    double everywhere_ms_ = 0;    // when all could first have run what was agreed on
    std::vector<Proposal> outgoing_;
    Coordination coordination_;
    AgreementCounts counts_;
};

}  // namespace rrfp
