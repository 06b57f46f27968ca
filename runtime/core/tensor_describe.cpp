#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/core/tensor.h"

namespace rrfp {
namespace {

std::string type_name(const DLDataType& type) {
    const int bits = type.bits;
    std::string name;
    switch (type.code) {
        case kDLInt:
            name = fmt::format("int{}", bits);
            break;
        case kDLUInt:
            name = fmt::format("uint{}", bits);
            break;
        case kDLFloat:
            name = fmt::format("float{}", bits);
            break;
        case kDLBfloat:
            name = fmt::format("bfloat{}", bits);
            break;
        case kDLComplex:
            name = fmt::format("complex{}", bits);
            break;
        case kDLBool:
            name = "bool";
            break;
        default:
            name = fmt::format("dlpack-type-{}-{}bit", type.code, bits);
    }
    return type.lanes > 1 ? fmt::format("{}x{}", name, type.lanes) : name;
}

}  // namespace

std::string describe(const Tensor& tensor) {
    if (!tensor.defined()) {
        return "undefined";
    }
    const std::string text =
        fmt::format("{}[{}]", type_name(tensor->dtype), fmt::join(tensor.shape(), ","));
    const DLDevice device = tensor->device;
    if (device.device_type == kDLCPU) {
        return text;
    }
    return device.device_type == kDLCUDA
               ? fmt::format("{} on cuda:{}", text, device.device_id)
               : fmt::format("{} on device {}:{}", text, static_cast<int>(device.device_type),
                             device.device_id);
}

}  // namespace rrfp
