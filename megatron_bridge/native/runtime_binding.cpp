#include "megatron_bridge/native/runtime_binding.h"

#include <array>
#include <map>
#include <mpi.h>
#include <stdexcept>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "megatron_bridge/native/bindings.h"

namespace rrfp::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

Waiting waiting_of(const std::string& word) {
    static const std::map<std::string, Waiting> words = {{"auto", Waiting::automatic},
                                                         {"doorbell", Waiting::doorbell},
                                                         {"nap", Waiting::nap},
                                                         {"spin", Waiting::spin}};
    const auto found = words.find(word);
    if (found == words.end()) {
        throw std::invalid_argument("waiting is '" + word + "'; give auto, doorbell, nap or spin");
    }
    return found->second;
}

void broadcast_from_first(void* data, int count, MPI_Datatype type) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Ibcast(data, count, type, 0, MPI_COMM_WORLD, &request);
    if (code != MPI_SUCCESS) {
        throw std::runtime_error("MPI_Ibcast failed with code " + std::to_string(code));
    }
    Runtime::wait(request);
}

}  // namespace

PythonRuntime::PythonRuntime(const std::string& waiting, double watchdog_seconds,
                             std::string trace_folder)
    : runtime_(std::make_unique<Runtime>(RuntimeOptions{.waiting = waiting_of(waiting),
                                                        .watchdog_seconds = watchdog_seconds,
                                                        .watchdog_key = "watchdog_seconds",
                                                        .trace_folder = std::move(trace_folder),
                                                        .worker = WorkerThread::calling})) {}

Runtime& PythonRuntime::get() {
    if (closed()) throw std::runtime_error("rrfp's runtime has been closed");
    return *runtime_;
}

std::string PythonRuntime::broadcast(std::string text) {
    auto size = static_cast<int>(text.size());
    broadcast_from_first(&size, 1, MPI_INT);
    text.resize(static_cast<std::size_t>(size));
    broadcast_from_first(text.data(), size, MPI_CHAR);
    return text;
}

void bind_runtime(nb::module_& module) {
    using Unlocked = nb::call_guard<nb::gil_scoped_release>;
    nb::class_<PythonRuntime>(module, "Runtime", "MPI and StarPU of this process.")
        .def(nb::init<const std::string&, double, std::string>(), "waiting"_a = "auto",
             "watchdog_seconds"_a = 60.0, "trace_folder"_a = "", Unlocked())
        .def_prop_ro("rank", [](PythonRuntime& self) { return self.get().rank(); })
        .def_prop_ro("ranks", [](PythonRuntime& self) { return self.get().ranks(); })
        .def_prop_ro("closed", &PythonRuntime::closed)
        .def("broadcast", &PythonRuntime::broadcast, "text"_a, Unlocked(),
             "The text of rank 0, on every rank.")
        .def(
            "abort",
            [](PythonRuntime& self, int code, const std::string& message) {
                self.get().abort(code, message);
            },
            "code"_a, "message"_a, Unlocked(), "Ends all ranks.")
        .def("close", &PythonRuntime::close, Unlocked(),
             "Shuts MPI and StarPU down. Collective; nothing may be in flight.");
    module.def("now_ms", &Runtime::now_ms,
               "Milliseconds on a clock that all ranks of the node share.");
}

}  // namespace rrfp::python
