#include "adapters/autograd/allocated_bytes.h"

#include <unordered_set>

#include <ATen/core/Tensor.h>
#include <c10/core/Allocator.h>

namespace rrfp {

class AllocatedBytes::Reports : public c10::MemoryReportingInfoBase {
  public:
    void reportMemoryUsage(void* place, std::int64_t bytes, std::size_t /*allocated*/,
                           std::size_t /*reserved*/, c10::Device device) override {
        if (!device.is_cpu()) return;
        bytes_ += bytes;
        if (bytes > 0) {
            places_.insert(place);
        } else {
            places_.erase(place);
        }
    }
    bool memoryProfilingEnabled() const override { return true; }

    std::int64_t bytes() const { return bytes_; }
    /// Allocated since the beginning, and not freed.
    const std::unordered_set<const void*>& places() const { return places_; }

  private:
    std::int64_t bytes_ = 0;
    std::unordered_set<const void*> places_;
};

AllocatedBytes::AllocatedBytes()
    : reports_(std::make_shared<Reports>()), guard_(c10::DebugInfoKind::PROFILER_STATE, reports_) {}

std::int64_t AllocatedBytes::kept_beside(const std::vector<at::Tensor>& handed_on) const {
    auto places = reports_->places();
    std::int64_t bytes = reports_->bytes();
    for (const at::Tensor& tensor : handed_on) {
        if (!tensor.defined()) continue;
        const auto& storage = tensor.storage();  // once, where several tensors share it
        if (places.erase(storage.data())) bytes -= static_cast<std::int64_t>(storage.nbytes());
    }
    return bytes;
}

}  // namespace rrfp
