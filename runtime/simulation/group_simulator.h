#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "runtime/core/agreement/agreement.h"
#include "runtime/simulation/durations.h"
#include "runtime/simulation/simulator.h"

namespace rrfp {

/// A pipeline each of whose ranks is a group of members that agree on every task.
struct GroupOptions {
    int members = 2;
    AgreementProtocol protocol = AgreementProtocol::board;
    /// From telling another member something (a ring, a proposal) until it notices.
    double hop_ms = 0;
    /// How much later than the sample says the inputs of `task` are present at `member`; none where
    /// this is null. Inputs made at the same rank are never late.
    std::function<double(int member, const Task& task)> skew_ms{};
    /// Tasks hold collectives: one ends at all members of its rank at once, its duration after the
    /// last of them has begun it.
    bool collective = true;
};

/// Runs one iteration in virtual time over the agreement objects that the real runtime uses.
///
/// `dispatchers[rank * members + member]` decides for that member; the result's ranks are in the
/// same order, with `agreement` and `tp_coordination_ms` filled in and buffers left empty. Links
/// join equal members of neighbouring ranks. Throws as `simulate` does: std::runtime_error that
/// says what each member awaits when no event is left before all tasks have run.
SimulationResult simulate_group(const Pipeline& pipeline,
                                const std::vector<std::unique_ptr<Dispatcher>>& dispatchers,
                                const Durations& durations, const GroupOptions& options);

}  // namespace rrfp
