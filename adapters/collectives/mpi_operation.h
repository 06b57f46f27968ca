#pragma once

#include <mpi.h>
#include <string>

#include "adapters/collectives/collectives.h"

namespace rrfp {

/// One of MPI's non-blocking collectives under way.
class MpiOperation : public Operation {
  public:
    /// `what` names collective and group in messages; `wait_seconds` as in MpiGroupOptions.
    MpiOperation(MPI_Request request, std::string what, double wait_seconds)
        : request_(request), what_(std::move(what)), wait_seconds_(wait_seconds) {}

    bool finished() override;
    void wait() override;

  private:
    MPI_Request request_;
    std::string what_;
    double wait_seconds_;
};

}  // namespace rrfp
