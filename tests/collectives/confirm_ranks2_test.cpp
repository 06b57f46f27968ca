// Guards: a rank that goes by another plan, version or plugin than the others is named, at all of
// them, before anything runs.

#include <gmock/gmock.h>

#include "adapters/collectives/confirm.h"
#include "tests/mpi/mpi_environment.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

int rank() { return testing::MpiEnvironment::mpi().rank(); }

TEST(Confirm, EqualFactsPass) {
    EXPECT_NO_THROW(confirm_alike({{"plan", "ab"}, {"version of rrfp", "1.0"}}));
}

TEST(Confirm, ARankWithAnotherValueIsNamedEverywhere) {
    for (const char* fact : {"plan", "version of rrfp", "plugin x.so"}) {
        try {
            confirm_alike({{"seed", "1"}, {fact, rank() == 1 ? "other" : "usual"}});
            ADD_FAILURE() << "accepted";
        } catch (const RanksDiffer& error) {
            EXPECT_THAT(error.what(),
                        AllOf(HasSubstr("rank 1: " + std::string(fact) + " other, elsewhere usual"),
                              Not(HasSubstr("seed")), HasSubstr("Start all")));
        }
    }
}

}  // namespace
}  // namespace rrfp
