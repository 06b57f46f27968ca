#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <ATen/core/TensorBody.h>
#include <c10/util/ThreadLocalDebugInfo.h>

namespace rrfp {

/// Counts, as long as it lives, what this thread allocates for tensors in host memory, less what it
/// frees. Through the hook that torch's profiler has for memory: what torch did not allocate, an
/// activation of the runtime's, is not seen.
class AllocatedBytes {
  public:
    AllocatedBytes();
    /// In bytes, without the memory of `handed_on` as far as it was allocated since.
    std::int64_t kept_beside(const std::vector<at::Tensor>& handed_on) const;

  private:
    class Reports;
    std::shared_ptr<Reports> reports_;
    c10::DebugInfoGuard guard_;
};

}  // namespace rrfp
