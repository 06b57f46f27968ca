#pragma once

#include <memory>

#include <gtest/gtest.h>

#include "runtime/starpu/runtime.h"

namespace rrfp::testing {

/// One Runtime for all tests of a program, since a process may have only one.
class TestRuntime : public ::testing::Environment {
  public:
    static Runtime& get() { return *instance_; }

    void SetUp() override {
        instance_ = std::make_unique<Runtime>(RuntimeOptions{.watchdog_seconds = 20});
    }
    void TearDown() override { instance_.reset(); }

  private:
    static inline std::unique_ptr<Runtime> instance_;
};

[[maybe_unused]] inline const auto* const registered_runtime =
    ::testing::AddGlobalTestEnvironment(new TestRuntime);

/// Keeps a rank from the next test until all have ended this one.
inline void meet() {
    MPI_Request request = MPI_REQUEST_NULL;
    ASSERT_EQ(MPI_Ibarrier(MPI_COMM_WORLD, &request), MPI_SUCCESS);
    Runtime::wait(request);
}

}  // namespace rrfp::testing
