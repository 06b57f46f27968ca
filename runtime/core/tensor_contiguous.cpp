#include <cstring>
#include <stdexcept>

#include <fmt/format.h>

#include "runtime/core/tensor.h"

namespace rrfp {
namespace {

bool in_host_memory(const DLTensor& tensor) {
    const DLDeviceType device = tensor.device.device_type;
    return device == kDLCPU || device == kDLCUDAHost || device == kDLROCMHost;
}

/// Copies a strided tensor row by row, a row being the longest run of trailing dimensions that is
/// dense at the source.
class DenseCopy {
  public:
    DenseCopy(const DLTensor& source, std::size_t element_bytes)
        : source_(source), element_bytes_(element_bytes), outer_(source.ndim) {
        while (outer_ > 0 &&
               (source.shape[outer_ - 1] == 1 || source.strides[outer_ - 1] == row_elements_)) {
            row_elements_ *= source.shape[--outer_];
        }
    }

    void run(const std::byte* from, std::byte* to) {
        to_ = to;
        copy(0, from);
    }

  private:
    void copy(int dimension, const std::byte* from) {
        if (dimension == outer_) {
            const std::size_t row_bytes = static_cast<std::size_t>(row_elements_) * element_bytes_;
            std::memcpy(to_, from, row_bytes);
            to_ += row_bytes;
            return;
        }
        const auto step = source_.strides[dimension] * static_cast<std::ptrdiff_t>(element_bytes_);
        for (std::int64_t i = 0; i < source_.shape[dimension]; ++i) {
            copy(dimension + 1, from + i * step);
        }
    }

    const DLTensor& source_;
    std::size_t element_bytes_;
    int outer_;  // dimensions before the rows
    std::int64_t row_elements_ = 1;
    std::byte* to_ = nullptr;
};

}  // namespace

Tensor Tensor::contiguous() const {
    if (is_contiguous()) {
        return *this;
    }
    if (!in_host_memory(*tensor_)) {
        throw std::invalid_argument(
            fmt::format("tensor {} is not contiguous and not in host memory; make it contiguous on "
                        "its device first",
                        describe(*this)));
    }
    const int bits = tensor_->dtype.bits * tensor_->dtype.lanes;
    if (bits % 8 != 0) {
        throw std::invalid_argument(
            fmt::format("tensor {} is not contiguous and its elements of {} bits share bytes; make "
                        "it contiguous where it comes from",
                        describe(*this), bits));
    }
    Tensor dense = allocate(tensor_->dtype, shape());
    DenseCopy(*tensor_, static_cast<std::size_t>(bits) / 8)
        .run(static_cast<const std::byte*>(data()), static_cast<std::byte*>(dense.data()));
    return dense;
}

}  // namespace rrfp
