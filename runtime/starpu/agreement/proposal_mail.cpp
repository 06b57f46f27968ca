#include "runtime/starpu/agreement/proposal_mail.h"

#include <type_traits>

#include "runtime/mpi/mpi_call.h"
#include "runtime/mpi/mpi_wait.h"

namespace rrfp {
namespace {

constexpr int tag = 0;
static_assert(std::is_trivially_copyable_v<Proposal>);

}  // namespace

ProposalMail::ProposalMail(MPI_Comm communicator) : communicator_(communicator) {
    int own = 0;
    int members = 0;
    check_mpi(MPI_Comm_rank(communicator, &own), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(communicator, &members), "MPI_Comm_size");
    for (int member = 0; member < members; ++member) {
        if (member != own) peers_.push_back({.member = member, .incoming = {}});
    }
    // Their addresses are MPI's from here on.
    for (Peer& peer : peers_) expect(peer);
}

ProposalMail::~ProposalMail() {
    for (Peer& peer : peers_) {
        MPI_Cancel(&peer.receive);
        wait_napping(peer.receive);
    }
    for (Sent& sent : sent_) {
        for (MPI_Request& request : sent.requests) wait_napping(request);
    }
}

void ProposalMail::send(const Proposal& proposal) {
    Sent& sent = sent_[next_++ % sent_.size()];
    for (MPI_Request& request : sent.requests) wait_napping(request);
    sent.requests.clear();
    sent.proposal = proposal;
    for (const Peer& peer : peers_) {
        MPI_Request& request = sent.requests.emplace_back(MPI_REQUEST_NULL);
        check_mpi(MPI_Isend(&sent.proposal, sizeof(Proposal), MPI_BYTE, peer.member, tag,
                            communicator_, &request),
                  "MPI_Isend");
    }
}

std::vector<std::pair<int, Proposal>> ProposalMail::receive() {
    std::vector<std::pair<int, Proposal>> arrived;
    for (Peer& peer : peers_) {
        for (;;) {
            int completed = 0;
            // Below the profiling interface: the nap there is for StarPU-MPI's thread.
            check_mpi(PMPI_Test(&peer.receive, &completed, MPI_STATUS_IGNORE), "MPI_Test");
            if (completed == 0) break;
            arrived.emplace_back(peer.member, peer.incoming);
            expect(peer);
        }
    }
    return arrived;
}

void ProposalMail::expect(Peer& peer) {
    check_mpi(MPI_Irecv(&peer.incoming, sizeof(Proposal), MPI_BYTE, peer.member, tag, communicator_,
                        &peer.receive),
              "MPI_Irecv");
}

}  // namespace rrfp
