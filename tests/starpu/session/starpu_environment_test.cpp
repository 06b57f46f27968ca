// Invariant: StarPU reads what a rank needs and nothing else, whatever the user's environment
// holds: a variable that is unknown here, or a number that is none, does not reach it, and is
// named.
#include "runtime/starpu/session/starpu_environment.h"

#include <cstdlib>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

std::string value(const char* name) {
    const char* found = std::getenv(name);
    return found != nullptr ? found : "unset";
}

struct StarpuEnvironment : ::testing::Test {
    void SetUp() override {
        set_starpu_environment(std::nullopt, "", "/home");  // whatever came before is gone
        for (const char* name : {"STARPU_SILENT", "STARPU_HOME"}) unsetenv(name);
    }
};

TEST_F(StarpuEnvironment, UnknownVariablesAndBadNumbersAreNamedAndUnset) {
    set_starpu_environment(std::nullopt, "", "/home");
    for (const char* name : {"STARPU_SOMETHING_NEW", "STARPU_NCPU", "STARPU_SCHED"}) {
        setenv(name, "1", 1);
    }
    setenv("STARPU_SILENT", "x", 1);
    setenv("STARPU_TRACE_BUFFER_SIZE", "-1", 1);
    const std::vector<std::string> ignored = ignored_starpu_variables();
    for (const char* name : {"STARPU_SOMETHING_NEW", "STARPU_NCPU", "STARPU_SCHED", "STARPU_SILENT",
                             "STARPU_TRACE_BUFFER_SIZE"}) {
        EXPECT_THAT(ignored, ::testing::Contains(name));
    }
    set_starpu_environment(std::nullopt, "", "/home");
    for (const char* name : {"STARPU_SOMETHING_NEW", "STARPU_NCPU", "STARPU_SCHED",
                             "STARPU_TRACE_BUFFER_SIZE", "STARPU_WORKERS_CPUID"}) {
        EXPECT_EQ(value(name), "unset") << name;
    }
    EXPECT_EQ(value("STARPU_SILENT"), "1");
    EXPECT_EQ(value("STARPU_HOME"), "/home");
}

TEST_F(StarpuEnvironment, WhatAUserMayWantStays) {
    setenv("STARPU_SILENT", "0", 1);
    setenv("STARPU_TRACE_BUFFER_SIZE", "64", 1);
    set_starpu_environment(Binding{.worker_pu = 2, .progress_pu = 3}, "trace", "/home");
    EXPECT_EQ(value("STARPU_SILENT"), "0");
    EXPECT_EQ(value("STARPU_TRACE_BUFFER_SIZE"), "64");
    EXPECT_EQ(value("STARPU_WORKERS_CPUID"), "2");
    EXPECT_EQ(value("STARPU_FXT_PREFIX"), "trace");
}

}  // namespace
}  // namespace rrfp
