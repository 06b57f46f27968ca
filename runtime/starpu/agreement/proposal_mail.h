#pragma once

#include <array>
#include <mpi.h>
#include <utility>
#include <vector>

#include "runtime/core/agreement/allgather.h"

namespace rrfp {

/// Proposals between the members of a communicator, by non-blocking MPI. One thread uses it, with
/// the same errors as check_mpi.
class ProposalMail {
  public:
    /// The communicator outlives it, and carries nothing else.
    explicit ProposalMail(MPI_Comm communicator);
    /// What was sent has been received by then, as the protocol ends: nobody is left in a round.
    ~ProposalMail();
    ProposalMail(const ProposalMail&) = delete;
    ProposalMail& operator=(const ProposalMail&) = delete;

    /// To all other members.
    void send(const Proposal& proposal);
    /// What has arrived since, with its sender; a sender's in the order sent.
    std::vector<std::pair<int, Proposal>> receive();

  private:
    struct Peer {
        int member = 0;
        Proposal incoming;
        MPI_Request receive = MPI_REQUEST_NULL;
    };
    struct Sent {
        Proposal proposal;
        std::vector<MPI_Request> requests;
    };
    void expect(Peer& peer);

    MPI_Comm communicator_;
    std::vector<Peer> peers_;
    /// A member is at most one round behind, so what was sent two rounds ago has arrived.
    std::array<Sent, 4> sent_;
    std::size_t next_ = 0;
};

}  // namespace rrfp
