// Guards: a tensor handle gives the receiver what the sender put in, whatever types, shapes and
// number of tensors, different at each reuse of the handle, on StarPU-MPI's normal path and for
// data that came before its receive was posted; received storage lives as long as a tensor uses it;
// what is no parcel is reported and not read.

#include <array>
#include <atomic>
#include <cstring>
#include <deque>
#include <functional>
#include <future>
#include <numeric>
#include <starpu_mpi.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/starpu/messages/parcel_format.h"
#include "runtime/starpu/messages/tensor_interface.h"
#include "tests/starpu/starpu_session_for_tests.h"
#include "tests/starpu/test_runtime.h"

namespace rrfp {
namespace {

using namespace rrfp::testing;

bool sender() { return TestRuntime::get().rank() == 0; }

Tensor filled(DLDataType type, std::vector<std::int64_t> shape, int seed) {
    Tensor tensor = Tensor::allocate(type, shape);
    auto* bytes = static_cast<std::uint8_t*>(tensor.data());
    std::iota(bytes, bytes + tensor.bytes(), static_cast<std::uint8_t>(seed));
    return tensor;
}

/// Message `number` of a stream whose types and shapes keep changing.
TensorList message(int number) {
    const std::int64_t n = number;
    switch (number % 5) {
        case 0:
            return {filled({kDLInt, 64, 1}, {n + 1, 3}, number)};
        case 1:
            return {Tensor(), filled({kDLBfloat, 16, 1}, {2, n, 5}, number)};
        case 2:
            return {filled({kDLBool, 8, 1}, {17 * n}, number), filled({kDLFloat, 32, 1}, {}, 3)};
        case 3:
            return {filled({kDLFloat, 32, 1}, {4, 0}, number), Tensor(), Tensor()};
        default:
            return {};
    }
}

void expect_message(const TensorList& actual, int number) {
    const TensorList expected = message(number);
    ASSERT_EQ(actual.size(), expected.size()) << number;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(actual[i].defined(), expected[i].defined()) << number;
        if (!expected[i].defined()) continue;
        ASSERT_EQ(describe(actual[i]), describe(expected[i])) << number;
        EXPECT_EQ(std::memcmp(actual[i].data(), expected[i].data(), expected[i].bytes()), 0);
    }
}

class TensorMessages : public ::testing::Test {
  protected:
    void TearDown() override { finish(); }

    static void finish() {
        ASSERT_EQ(starpu_mpi_wait_for_all(MPI_COMM_WORLD), 0);
        meet();
    }

    /// A task that reads or writes the handle.
    void use(TensorHandle& handle, starpu_data_access_mode mode, std::function<void()> work) {
        submit(works_.emplace_back(std::move(work)), [&](starpu_task& task) {
            task.nbuffers = 1;
            task.handles[0] = handle.get();
            task.modes[0] = mode;
        });
    }

    void produce(TensorHandle& handle, int number) {
        use(handle, STARPU_W,
            [&handle, number] { handle.cell().set({.tensors = message(number), .failure = {}}); });
    }

    static void send(TensorHandle& handle, int tag) {
        ASSERT_EQ(starpu_mpi_isend_detached(handle.get(), 1, tag, MPI_COMM_WORLD, nullptr, nullptr),
                  0);
    }

    static void receive(TensorHandle& handle, int tag) {
        ASSERT_EQ(starpu_mpi_irecv_detached(handle.get(), 0, tag, MPI_COMM_WORLD, nullptr, nullptr),
                  0);
    }

    std::deque<std::function<void()>> works_;
};

TEST_F(TensorMessages, ChangeShapeAtEveryReuseOfAHandle) {
    constexpr int messages = 200;
    std::deque<TensorHandle> pool(4);
    int checked = 0;
    for (int i = 0; i < messages; ++i) {
        TensorHandle& handle = pool[i % 4];
        if (sender()) {
            produce(handle, i);
            send(handle, i % 8);
        } else {
            receive(handle, i % 8);
            use(handle, STARPU_R, [&, i] {
                expect_message(handle.cell().parcel().tensors, i);
                ++checked;
            });
        }
    }
    finish();
    EXPECT_EQ(checked, sender() ? 0 : messages);
}

TEST_F(TensorMessages, MayComeBeforeTheyAreAskedFor) {
    constexpr int messages = 10;
    std::deque<TensorHandle> handles(messages);
    TensorHandle last;
    if (sender()) {
        for (int i = 0; i < messages; ++i) {
            produce(handles[i], i);
            send(handles[i], i);
        }
        ASSERT_EQ(starpu_mpi_wait_for_all(MPI_COMM_WORLD), 0);
        produce(last, messages);
        send(last, messages);
        finish();
        return;
    }
    // Envelopes come in order: when the last message is here, StarPU-MPI has taken in all others.
    std::promise<void> here;
    last.cell().on_arrival([&](const TensorCell&, std::exception_ptr) { here.set_value(); });
    receive(last, messages);
    here.get_future().wait();
    int checked = 0;
    for (int i = messages - 1; i >= 0; --i) {
        receive(handles[i], i);
        use(handles[i], STARPU_R, [&, i] {
            expect_message(handles[i].cell().parcel().tensors, i);
            ++checked;
        });
    }
    finish();
    EXPECT_EQ(checked, messages);
}

TEST_F(TensorMessages, LeaveTheirStorageToTheTensors) {
    TensorHandle handle;
    if (sender()) {
        for (const int number : {0, 5}) {
            produce(handle, number);
            send(handle, number);
        }
    } else {
        TensorList kept;
        receive(handle, 0);
        use(handle, STARPU_R, [&] { kept = handle.cell().parcel().tensors; });
        receive(handle, 5);
        finish();
        expect_message(kept, 0);
        expect_message(handle.cell().parcel().tensors, 5);
        handle.cell().clear();
        expect_message(kept, 0);
        EXPECT_EQ(handle.cell().bytes(), 0U);
        return;
    }
    finish();
}

TEST_F(TensorMessages, AreReportedWhenTheyAreNoParcel) {
    if (sender()) {
        std::array<std::int64_t, 16> junk{};
        starpu_data_handle_t handle = nullptr;
        starpu_variable_data_register(&handle, STARPU_MAIN_RAM,
                                      reinterpret_cast<std::uintptr_t>(junk.data()), sizeof(junk));
        ASSERT_EQ(starpu_mpi_isend_detached(handle, 1, 1, MPI_COMM_WORLD, nullptr, nullptr), 0);
        finish();
        starpu_data_unregister(handle);
        return;
    }
    TensorHandle handle;
    std::atomic<bool> refused = false;
    handle.cell().on_arrival([&](const TensorCell& cell, std::exception_ptr error) {
        EXPECT_TRUE(cell.parcel().tensors.empty());
        ASSERT_TRUE(error);
        EXPECT_THROW(std::rethrow_exception(error), ParcelError);
        refused = true;
    });
    receive(handle, 1);
    finish();
    EXPECT_TRUE(refused);
}

}  // namespace
}  // namespace rrfp
