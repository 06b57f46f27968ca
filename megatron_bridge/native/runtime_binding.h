#pragma once

#include <memory>
#include <string>

#include "runtime/starpu/runtime.h"

namespace rrfp::python {

/// The process's Runtime as Python holds it: it can be closed at a chosen moment, and says so when
/// it is used afterwards.
class PythonRuntime {
  public:
    PythonRuntime(const std::string& waiting, double watchdog_seconds, std::string trace_folder);

    /// std::runtime_error when it is closed.
    Runtime& get();
    void close() { runtime_.reset(); }
    bool closed() const { return runtime_ == nullptr; }
    /// The text of world rank 0, on every rank. Collective.
    std::string broadcast(std::string text);

  private:
    std::unique_ptr<Runtime> runtime_;
};

}  // namespace rrfp::python
