#pragma once

#include <memory>
#include <optional>
#include <string>

#include "runtime/core/task.h"
#include "runtime/core/tensor.h"

namespace rrfp {

/// A failure as it travels from rank to rank: of a task, or, without one, of the rank's
/// arbitration.
struct RemoteFailure {
    int rank = 0;
    std::optional<Task> task;
    std::string text;
};

/// What one task hands to the next, through a handle or a message: tensors, or, when the task that
/// should have made them failed, why there are none.
struct Parcel {
    TensorList tensors;
    std::shared_ptr<const RemoteFailure> failure;

    std::size_t bytes() const { return rrfp::bytes(tensors); }
};

}  // namespace rrfp
