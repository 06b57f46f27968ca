// Guards: what a fuzzer once tried is read or refused, by the reader's own exception, in every
// build.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/fuzz/targets.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;

struct Target {
    const char* name;
    void (*run)(std::string_view);
};

class Corpus : public ::testing::TestWithParam<Target> {};

std::string read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

TEST_P(Corpus, IsReadOrRefused) {
    int inputs = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(FUZZ_CORPUS) / GetParam().name)) {
        SCOPED_TRACE(entry.path().string());
        const std::string input = read(entry.path());
        EXPECT_NO_THROW(GetParam().run(input));
        // Cut and doubled it is an input, too.
        EXPECT_NO_THROW(GetParam().run(std::string_view(input).substr(0, input.size() / 2)));
        EXPECT_NO_THROW(GetParam().run(input + input));
        ++inputs;
    }
    EXPECT_GT(inputs, 0);
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus,
                         ::testing::Values(Target{"job_file", fuzz::job_file},
                                           Target{"schedule_csv", fuzz::schedule_csv},
                                           Target{"durations_csv", fuzz::durations_csv},
                                           Target{"safetensors", fuzz::safetensors},
                                           Target{"manifest", fuzz::manifest},
                                           Target{"parcel", fuzz::parcel}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace rrfp
