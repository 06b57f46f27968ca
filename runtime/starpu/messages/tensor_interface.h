#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <starpu.h>

#include "runtime/starpu/messages/parcel.h"

namespace rrfp {

/// The value of a tensor handle.
///
/// StarPU's dependencies order every access: a task that writes the handle sets the parcel on the
/// worker, StarPU-MPI's thread sets it on arrival or reads it for sending, later tasks read it. The
/// elements are held by reference, so that `clear` gives them back at once, whatever StarPU
/// believes to be in the handle.
class TensorCell {
  public:
    /// Tells of an arrival, on the thread that received it, before tasks that read the handle
    /// become ready. `error` is set when the message was not a parcel; the cell is then empty.
    using Arrival = std::function<void(const TensorCell& cell, std::exception_ptr error)>;

    const Parcel& parcel() const { return parcel_; }
    void set(Parcel parcel);
    void clear() { set({}); }
    /// The parcel as one message in a block that the caller frees with std::free, made in place:
    /// the cell has no tensors afterwards but still counts their bytes, until `clear`. Null where
    /// that cannot be done.
    std::byte* give_block();
    /// Bytes of the parcel; may be read by any thread.
    std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

    void on_arrival(Arrival arrival) { arrival_ = std::move(arrival); }
    void arrived(std::exception_ptr error) const;

  private:
    Parcel parcel_;
    std::atomic<std::size_t> bytes_ = 0;
    Arrival arrival_;
};

/// A StarPU data handle whose value is a parcel of tensors: any number, types and shapes, unknown
/// until a task or a message writes it, different at each reuse of the handle.
///
/// It is a value by reference: on every memory node the same tensors, wherever their elements lie,
/// so StarPU moves nothing between nodes. Between ranks a lone tensor with headroom that nobody
/// else holds travels in its own block; any other parcel is copied once, into the block that
/// StarPU-MPI sends. At the receiver the tensors are views into the block that came, which is freed
/// with the last of them.
class TensorHandle {
  public:
    TensorHandle();
    /// Waits for the tasks and messages that use the handle.
    ~TensorHandle();
    TensorHandle(const TensorHandle&) = delete;
    TensorHandle& operator=(const TensorHandle&) = delete;

    starpu_data_handle_t get() const { return handle_; }
    TensorCell& cell() { return cell_; }

  private:
    TensorCell cell_;
    starpu_data_handle_t handle_ = nullptr;
};

/// The cell of a codelet's buffer: `tensor_cell(buffers[i])`.
TensorCell& tensor_cell(void* buffer);

}  // namespace rrfp
