#pragma once

#include <exception>
#include <string>

#include <nanobind/nanobind.h>

namespace rrfp::python {

/// A Python exception on its way through C++. Its text is fixed when it is made, so that threads
/// which have never seen Python can read it.
class PythonError : public std::exception {
  public:
    /// Needs the GIL.
    explicit PythonError(nanobind::python_error error);

    const char* what() const noexcept override { return text_.c_str(); }
    /// The exception itself, to be raised again with its traceback. Needs the GIL.
    nanobind::python_error& error() { return error_; }

  private:
    nanobind::python_error error_;
    std::string text_;  // "ValueError: what it says"
};

/// Runs `work` with the GIL; a Python exception leaves it as a PythonError.
template <class Work>
auto with_python(Work&& work) {
    const nanobind::gil_scoped_acquire gil;
    try {
        return work();
    } catch (nanobind::python_error& error) {
        throw PythonError(error);
    }
}

}  // namespace rrfp::python
