#include "megatron_bridge/native/tensors.h"

namespace rrfp::python {
namespace {

namespace nb = nanobind;

constexpr const char* capsule_name = "dltensor";
constexpr const char* used_capsule_name = "used_dltensor";

/// Of a capsule that nobody took the tensor out of.
void discard(PyObject* capsule) {
    if (PyCapsule_IsValid(capsule, capsule_name) == 0) return;
    auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, capsule_name));
    if (managed->deleter != nullptr) managed->deleter(managed);
}

}  // namespace

nb::object to_capsule(const Tensor& tensor) {
    if (!tensor.defined()) return nb::none();
    DLManagedTensor* managed = tensor.to_dlpack();
    PyObject* capsule = PyCapsule_New(managed, capsule_name, discard);
    if (capsule == nullptr) {
        managed->deleter(managed);
        throw nb::python_error();
    }
    return nb::steal(capsule);
}

nb::list to_capsules(const TensorList& tensors) {
    nb::list capsules;
    for (const Tensor& tensor : tensors) capsules.append(to_capsule(tensor));
    return capsules;
}

Tensor from_capsule(nb::handle capsule) {
    if (capsule.is_none()) return {};
    if (PyCapsule_IsValid(capsule.ptr(), capsule_name) == 0) {
        throw nb::type_error("a task must return DLPack capsules that nobody has used, or None");
    }
    auto* managed =
        static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), capsule_name));
    PyCapsule_SetName(capsule.ptr(), used_capsule_name);
    return Tensor::adopt(managed);
}

TensorList from_capsules(nb::handle capsules) {
    TensorList tensors;
    if (capsules.is_none()) return tensors;
    for (const nb::handle capsule : nb::cast<nb::sequence>(capsules)) {
        tensors.push_back(from_capsule(capsule));
    }
    return tensors;
}

}  // namespace rrfp::python
