#include <cstring>
#include <memory>
#include <span>

#include "runtime/starpu/messages/parcel_format.h"
#include "tests/fuzz/targets.h"

namespace rrfp::fuzz {

void parcel(std::string_view input) {
    const std::shared_ptr<std::byte[]> block(new std::byte[input.size()]);
    if (!input.empty()) std::memcpy(block.get(), input.data(), input.size());
    try {
        const Parcel parcel = parcel_format::read(block, {block.get(), input.size()});
        unsigned sum = 0;  // every byte that a tensor claims is there
        for (const Tensor& tensor : parcel.tensors) {
            const auto* bytes = static_cast<const unsigned char*>(tensor.data());
            for (std::size_t i = 0; i < tensor.bytes(); ++i) sum += bytes[i];
        }
        volatile unsigned used = sum;
        static_cast<void>(used);
    } catch (const ParcelError&) {
    }
}

}  // namespace rrfp::fuzz
