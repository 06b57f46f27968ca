#include <algorithm>
#include <stdexcept>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "adapters/plan/make_plan.h"
#include "megatron_bridge/native/bindings.h"
#include "megatron_bridge/native/python_runner.h"

namespace rrfp::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// As `make_plan`, whose faults then name their key.
Plan plan_of(const PlanRequest& request) {
    try {
        return make_plan(request);
    } catch (const PlanFault& fault) {
        throw std::invalid_argument(fault.key() + ": " + fault.what());
    }
}

void make_runner(PythonRunner* self, PythonRuntime& runtime, nb::object body,
                 std::vector<int> rank_of_stage, std::vector<int> world_ranks, int microbatches,
                 bool split_weight, bool forward_only, nb::object arbiter, std::string hint,
                 const std::string& plugin, std::vector<int> limits, const std::string& admission,
                 bool deterministic, std::vector<int> members, const std::string& agreement) {
    const bool own_arbiter = !nb::isinstance<nb::str>(arbiter);
    PlanRequest request;
    request.pipeline_ranks = static_cast<int>(world_ranks.size());
    request.tensor_ranks = std::max<int>(1, static_cast<int>(members.size()));
    request.placement = std::move(rank_of_stage);
    request.microbatches = microbatches;
    request.forward_only = forward_only;
    request.arbiter = own_arbiter ? "python" : nb::cast<std::string>(arbiter);
    request.own_arbiter = own_arbiter;
    request.hint = std::move(hint);
    request.limit_given = !limits.empty();
    request.limit = std::move(limits);
    request.admission = admission;
    request.split_weight = split_weight;
    request.deterministic = deterministic;
    request.agreement = agreement;
    request.plugin = plugin;
    RunnerSetup setup{.plan = plan_of(request),
                      .world_ranks = std::move(world_ranks),
                      .members = std::move(members),
                      .body = std::move(body),
                      .arbiter = nb::none()};
    if (own_arbiter) setup.arbiter = std::move(arbiter);
    new (self) PythonRunner(runtime, std::move(setup));
}

nb::dict buffers_of(const RankIteration& iteration) {
    nb::dict buffers;
    for (int kind = 0; kind < buffer_kinds; ++kind) {
        nb::dict buffer;
        buffer["high_water"] = iteration.buffers[kind].high_water();
        buffer["bytes_high_water"] = iteration.buffers[kind].bytes_high_water();
        buffers[name(static_cast<BufferKind>(kind))] = buffer;
    }
    return buffers;
}

nb::list tasks_of(const RankIteration& iteration) {
    nb::list tasks;
    for (const TaskRecord& record : iteration.tasks) {
        tasks.append(nb::make_tuple(nb::cast(record.task), record.start_ms, record.end_ms));
    }
    return tasks;
}

/// A failure as a Python exception that can be asked where it was.
[[noreturn]] void raise_failure(nb::handle type, const RankFailure& failure,
                                const Task* task = nullptr) {
    const nb::object error = type(nb::str(failure.what()));
    error.attr("rank") = failure.rank();
    if (task != nullptr) error.attr("task") = nb::cast(*task);
    PyErr_SetObject(type.ptr(), error.ptr());
    throw nb::python_error();
}

}  // namespace

void bind_runner(nb::module_& module) {
    const nb::handle rank_failure =
        nb::exception<RankFailure>(module, "RankFailure", PyExc_RuntimeError);
    const nb::handle task_failure = nb::exception<TaskFailure>(module, "TaskFailure", rank_failure);
    nb::class_<RankIteration>(module, "Iteration", "What this rank did in one iteration.")
        .def_prop_ro("tasks", &tasks_of, "(Task, start_ms, end_ms) in the order of execution.")
        .def_ro("compute_ms", &RankIteration::compute_ms)
        .def_ro("blocking_ms", &RankIteration::blocking_ms)
        .def_ro("tp_coordination_ms", &RankIteration::tp_coordination_ms)
        .def_ro("in_flight_high_water", &RankIteration::in_flight_high_water)
        .def_prop_ro("buffers", &buffers_of);

    nb::class_<PythonRunner>(module, "Runner", "One rank's part of a pipeline.")
        .def("__init__", &make_runner, nb::keep_alive<1, 2>(), "runtime"_a, "body"_a, nb::kw_only(),
             "rank_of_stage"_a, "world_ranks"_a, "microbatches"_a, "split_weight"_a = false,
             "forward_only"_a = false, "arbiter"_a = "", "hint"_a = "", "plugin"_a = "", "limits"_a,
             "admission"_a = "auto", "deterministic"_a = false, "members"_a = std::vector<int>(),
             "agreement"_a = "board")
        .def_prop_ro("arbiter", &PythonRunner::arbiter, "Its name; python for a function.")
        .def_prop_ro("limits", &PythonRunner::limits, "In force at each pipeline rank.")
        .def(
            "run",
            [rank_failure, task_failure](PythonRunner& self, std::uint64_t iteration) {
                try {
                    return self.run(iteration);
                } catch (const TaskFailure& failure) {
                    raise_failure(task_failure, failure, &failure.task());
                } catch (const RankFailure& failure) {
                    raise_failure(rank_failure, failure);
                }
            },
            "iteration"_a);
}

}  // namespace rrfp::python
