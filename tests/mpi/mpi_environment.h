#pragma once

#include <memory>

#include <gtest/gtest.h>

#include "runtime/mpi/mpi_session.h"

namespace rrfp::testing {

/// MPI for all tests of a program, without StarPU.
class MpiEnvironment : public ::testing::Environment {
  public:
    static const MpiSession& mpi() { return *session_; }

    void SetUp() override { session_ = std::make_unique<MpiSession>(); }
    void TearDown() override { session_.reset(); }

  private:
    static inline std::unique_ptr<MpiSession> session_;
};

[[maybe_unused]] inline const auto* const registered_mpi =
    ::testing::AddGlobalTestEnvironment(new MpiEnvironment);

}  // namespace rrfp::testing
