#include "runtime/starpu/failing/failure.h"

#include <utility>

#include <fmt/format.h>

namespace rrfp {

const char* noun(TaskKind kind) {
    switch (kind) {
        case TaskKind::forward:
            return "forward";
        case TaskKind::backward:
            return "backward";
        case TaskKind::weight_gradient:
            return "weight gradient";
    }
    return "task";
}

std::string text_of(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& exception) {
        return exception.what();
    } catch (...) {
        return "an exception that is not a std::exception";
    }
}

RankFailure::RankFailure(int rank, const std::string& text)
    : RankFailure(rank, fmt::format("rank {}: {}", rank, text), Whole{}) {}

TaskFailure::TaskFailure(int rank, const Task& task, std::exception_ptr cause)
    : RankFailure(rank,
                  fmt::format("rank {}, stage {}, microbatch {}: {} failed: {}", rank, task.stage,
                              task.microbatch, noun(task.kind), text_of(cause)),
                  Whole{}),
      task_(task),
      cause_(std::move(cause)) {}

}  // namespace rrfp
