#include "megatron_bridge/native/python_error.h"

#include <utility>

#include <nanobind/stl/string.h>

namespace rrfp::python {
namespace {

namespace nb = nanobind;

std::string describe(const nb::python_error& error) {
    try {
        const std::string type = nb::cast<std::string>(error.type().attr("__name__"));
        const std::string text = nb::cast<std::string>(nb::str(error.value()));
        return text.empty() ? type : type + ": " + text;
    } catch (const std::exception&) {
        return "a Python exception that cannot be printed";
    }
}

}  // namespace

PythonError::PythonError(nb::python_error error)
    : error_(std::move(error)), text_(describe(error_)) {}

}  // namespace rrfp::python
