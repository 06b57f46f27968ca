#include "megatron_bridge/native/python_arbiter.h"

#include <utility>

#include "megatron_bridge/native/python_error.h"

namespace rrfp::python {
namespace {

namespace nb = nanobind;

nb::list list_of(const Candidates& candidates) {
    const RankState& state = candidates.state();
    const Pipeline& pipeline = state.pipeline();
    nb::list tasks;
    for (int kind = 0; kind < pipeline.kinds(); ++kind) {
        for (int microbatch = 0; microbatch < pipeline.microbatches; ++microbatch) {
            for (int chunk = 0; chunk < state.chunks(); ++chunk) {
                const Task task = state.task(static_cast<TaskKind>(kind), chunk, microbatch);
                if (candidates.contains(task)) tasks.append(nb::cast(task));
            }
        }
    }
    return tasks;
}

}  // namespace

PythonArbiter::PythonArbiter(nb::object choose, std::shared_ptr<std::exception_ptr> error)
    : choose_(std::move(choose)), error_(std::move(error)) {}

PythonArbiter::~PythonArbiter() {
    const nb::gil_scoped_acquire gil;
    choose_.reset();
}

std::optional<Task> PythonArbiter::choose(const Candidates& candidates) {
    try {
        return with_python([&]() -> std::optional<Task> {
            const nb::list tasks = list_of(candidates);
            if (nb::len(tasks) == 0) return std::nullopt;
            const nb::object choice = choose_(tasks);
            if (choice.is_none()) return std::nullopt;
            Task task;
            if (!nb::try_cast(choice, task)) {
                throw nb::type_error(
                    "an arbiter must return one of the tasks it was given, or None");
            }
            return task;
        });
    } catch (const PythonError&) {
        *error_ = std::current_exception();
        throw;
    }
}

}  // namespace rrfp::python
