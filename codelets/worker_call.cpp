#include "codelets/worker_call.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <starpu.h>
#include <stdexcept>
#include <string>

#include "runtime/starpu/calls/cpu_codelet.h"

namespace rrfp {
namespace {

/// Lives on the caller's stack until the task's callback has signalled `done`.
struct Call {
    const std::function<void()>* work;
    std::exception_ptr error;
    std::mutex mutex;
    std::condition_variable finished;
    bool done = false;
};

void execute(void* /*buffers*/[], void* argument) {
    auto& call = *static_cast<Call*>(argument);
    try {
        (*call.work)();
    } catch (...) {
        call.error = std::current_exception();
    }
}

void signal_end(void* argument) {
    auto& call = *static_cast<Call*>(argument);
    // Notify under the lock: the waiter destroys the condition as soon as it sees `done`.
    const std::lock_guard lock(call.mutex);
    call.done = true;
    call.finished.notify_one();
}

starpu_codelet* worker_codelet() {
    static starpu_codelet codelet = cpu_codelet("call", execute, auxiliary_color);
    return &codelet;
}

}  // namespace

void run_on_worker(const char* name, const std::function<void()>& work) {
    Call call{.work = &work};
    starpu_task* task = starpu_task_create();
    task->cl = worker_codelet();
    task->cl_arg = &call;
    task->name = name;
    task->callback_func = signal_end;
    task->callback_arg = &call;
    if (const int code = starpu_task_submit(task); code != 0) {
        task->destroy = 0;
        starpu_task_destroy(task);
        throw std::runtime_error(std::string("starpu_task_submit of '") + name + "' returned " +
                                 std::to_string(code) + ": no worker can run it");
    }
    std::unique_lock lock(call.mutex);
    call.finished.wait(lock, [&] { return call.done; });
    lock.unlock();
    if (call.error) {
        std::rethrow_exception(call.error);
    }
}

}  // namespace rrfp
