#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/core/agreement/agreement.h"

namespace rrfp {

/// Which ranks must run their tasks in one order, and how they come to it.
struct AgreementOptions {
    /// Ranks of MPI_COMM_WORLD that hold the same stages, this one among them, in the same order at
    /// all of them; the first leads under `board`. One or none: nobody to agree with.
    std::vector<int> members{};
    /// Nothing chooses by topology: `board` where the members share a node's memory, `allgather`
    /// where they do not. PipelineRunner::agreement tells which is in force.
    std::optional<AgreementProtocol> protocol{};
    /// The arbiter's choice is its rank's own (`ArbiterEntry::local`): under `allgather`, where
    /// every rank chooses, it would never be the same.
    bool local_choice = false;
    /// As if each member had a node to itself: to try on one node what happens between nodes.
    bool apart = false;
};

/// The protocol for members of whom all share memory, or not. Throws std::invalid_argument for
/// `board` where they do not, and for `allgather`, wanted or elected, with a local choice.
AgreementProtocol elect(const AgreementOptions& options, bool share_memory);

}  // namespace rrfp
