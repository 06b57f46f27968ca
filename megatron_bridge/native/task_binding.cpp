#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/string.h>

#include "megatron_bridge/native/bindings.h"
#include "runtime/core/task.h"

namespace rrfp::python {

namespace nb = nanobind;

void bind_task(nb::module_& module) {
    nb::class_<Task>(module, "Task",
                     "One unit of work: its kind (F, B or W), stage and microbatch, from 0.")
        .def_prop_ro("kind", [](const Task& task) { return std::string(1, letter(task.kind)); })
        .def_ro("stage", &Task::stage)
        .def_ro("microbatch", &Task::microbatch)
        .def(
            "__eq__", [](const Task& a, const Task& b) { return a == b; }, nb::is_operator())
        .def("__hash__", [](const Task& task) { return std::hash<Task>()(task); })
        .def("__repr__", [](const Task& task) { return to_action(task); });
}

}  // namespace rrfp::python
