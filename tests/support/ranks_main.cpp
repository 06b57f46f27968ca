// Runs the tests of a program under mpirun. A rank whose test fails ends all ranks, since the
// others would wait for it until the time-out. Initialising MPI is left to what is tested.

#include <cstdlib>
#include <mpi.h>

#include <gtest/gtest.h>

namespace {

bool mpi_is_running() {
    int initialized = 0;
    int finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    return initialized != 0 && finalized == 0;
}

class AbortOnFailure : public testing::EmptyTestEventListener {
    void OnTestEnd(const testing::TestInfo& info) override {
        if (info.result()->Passed() || info.result()->Skipped()) return;
        if (mpi_is_running()) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        std::_Exit(EXIT_FAILURE);
    }
};

}  // namespace

#ifdef __SANITIZE_ADDRESS__
/// In front of the C library's: Open MPI unloads its plug-ins at the end, and the search for leaks,
/// which comes after that, could no longer tell whose memory it has found.
extern "C" [[gnu::visibility("default")]] int dlclose(void* /*library*/) { return 0; }
#endif

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    testing::UnitTest::GetInstance()->listeners().Append(new AbortOnFailure);
    return RUN_ALL_TESTS();
}
