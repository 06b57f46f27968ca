#include "runtime/simulation/simulated_group.h"

#include <utility>

namespace rrfp {

SimulatedGroup::SimulatedGroup(AgreementProtocol protocol,
                               const std::vector<Dispatcher*>& dispatchers, const Wake& wake,
                               Send send)
    : send_(std::move(send)) {
    const int members = static_cast<int>(dispatchers.size());
    const int tasks = board_tasks(*dispatchers.at(0));
    memory_.resize(BoardMemory::bytes(tasks) / sizeof(std::uint64_t) + 1);
    for (int member = 0; member < members; ++member) {
        Dispatcher& dispatcher = *dispatchers[member];
        if (protocol == AgreementProtocol::board) {
            members_.push_back(make_board_member(dispatcher, BoardMemory(memory_.data(), tasks),
                                                 member, members, wake));
        } else {
            auto made = std::make_unique<AllgatherMember>(dispatcher, member, members, true);
            allgathers_.push_back(made.get());
            members_.push_back(std::move(made));
        }
    }
}

std::optional<Task> SimulatedGroup::next(int member, double now_ms) {
    const std::optional<Task> task = members_[member]->next(now_ms);
    if (!allgathers_.empty()) {
        allgathers_[member]->take_outgoing(outgoing_);
        for (const Proposal& proposal : outgoing_) {
            for (int to = 0; to < size(); ++to) {
                if (to != member) send_(member, to, proposal);
            }
        }
    }
    return task;
}

void SimulatedGroup::receive(int to, int from, const Proposal& proposal) {
    allgathers_.at(to)->receive(from, proposal);
}

}  // namespace rrfp
