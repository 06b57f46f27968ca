#pragma once

#include <memory>
#include <pthread.h>
#include <string>

#include <gtest/gtest.h>

#include "runtime/starpu/runtime.h"

namespace rrfp::testing {

inline std::string thread_name() {
    char name[16] = {};
    pthread_getname_np(pthread_self(), name, sizeof name);
    return name;
}

/// One Runtime for all tests of a program, whose worker is the thread that runs the tests.
class DrivenRuntime : public ::testing::Environment {
  public:
    static Runtime& get() { return *instance_; }
    static const std::string& name_before() { return name_before_; }

    void SetUp() override {
        name_before_ = thread_name();
        instance_ = std::make_unique<Runtime>(
            RuntimeOptions{.watchdog_seconds = 20, .worker = WorkerThread::calling});
    }
    void TearDown() override {
        instance_.reset();
        EXPECT_EQ(thread_name(), name_before_);
    }

  private:
    static inline std::unique_ptr<Runtime> instance_;
    static inline std::string name_before_;
};

[[maybe_unused]] inline const auto* const registered_driven_runtime =
    ::testing::AddGlobalTestEnvironment(new DrivenRuntime);

/// Keeps a rank from the next test until all have ended this one.
inline void meet_driven() {
    MPI_Request request = MPI_REQUEST_NULL;
    ASSERT_EQ(MPI_Ibarrier(MPI_COMM_WORLD, &request), MPI_SUCCESS);
    Runtime::wait(request);
}

}  // namespace rrfp::testing
