#pragma once

#include <exception>
#include <memory>
#include <optional>

#include <nanobind/nanobind.h>

#include "runtime/core/arbiter.h"

namespace rrfp::python {

/// Asks a Python callable: `choose(candidates)` with the list of tasks that may run, forwards
/// first, returns one of them or None to wait. Filters apply as for any arbiter. What it raises
/// goes to `error`, a PythonError, since the runtime carries no more than the text of it.
class PythonArbiter : public Arbiter {
  public:
    PythonArbiter(nanobind::object choose, std::shared_ptr<std::exception_ptr> error);
    ~PythonArbiter() override;
    PythonArbiter(const PythonArbiter&) = delete;
    PythonArbiter& operator=(const PythonArbiter&) = delete;

    std::string_view name() const override { return "python"; }
    std::optional<Task> choose(const Candidates& candidates) override;
    bool ranks_weight_gradients() const override { return true; }

  private:
    nanobind::object choose_;
    std::shared_ptr<std::exception_ptr> error_;
};

}  // namespace rrfp::python
