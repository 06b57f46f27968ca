#include "runtime/starpu/iteration/iteration_failures.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "runtime/starpu/failing/failure.h"

namespace rrfp {

std::shared_ptr<const RemoteFailure> IterationFailures::task_failed(const Task& task,
                                                                    std::exception_ptr cause) {
    const auto failure = std::make_shared<RemoteFailure>(
        RemoteFailure{.rank = world_rank_, .task = task, .text = text_of(cause)});
    fail(failure, std::move(cause));
    return failure;
}

void IterationFailures::failed_elsewhere(const std::shared_ptr<const RemoteFailure>& failure) {
    fail(failure, std::make_exception_ptr(std::runtime_error(failure->text)));
}

void IterationFailures::message_damaged(const Task& reader, const std::string& text) {
    fail(std::make_shared<RemoteFailure>(
             RemoteFailure{.rank = world_rank_, .task = reader, .text = text}),
         std::make_exception_ptr(std::runtime_error(text)));
}

void IterationFailures::chunk_end_failed(int chunk, const std::exception_ptr& cause) {
    fail_without_task(fmt::format("the end of chunk {}: {}", chunk, text_of(cause)));
}

void IterationFailures::arbitration_failed(const std::string& text) {
    fail_without_task("arbitration failed: " + text);
}

void IterationFailures::submission_failed(int microbatch, std::exception_ptr error) {
    fail_as_is(std::move(error), fmt::format("the submission of microbatch {}", microbatch));
}

void IterationFailures::interrupted(std::exception_ptr error) {
    fail_as_is(std::move(error), "interrupted");
}

void IterationFailures::fail_as_is(std::exception_ptr error, const std::string& what) {
    auto remote = std::make_shared<RemoteFailure>(RemoteFailure{
        .rank = world_rank_, .task = {}, .text = fmt::format("{}: {}", what, text_of(error))});
    progress_.fail(std::move(error), std::move(remote));
}

void IterationFailures::fail_without_task(std::string text) {
    fail(std::make_shared<RemoteFailure>(
             RemoteFailure{.rank = world_rank_, .task = {}, .text = std::move(text)}),
         nullptr);
}

void IterationFailures::fail(std::shared_ptr<const RemoteFailure> failure,
                             std::exception_ptr cause) {
    auto error =
        failure->task
            ? std::make_exception_ptr(TaskFailure(failure->rank, *failure->task, std::move(cause)))
            : std::make_exception_ptr(RankFailure(failure->rank, failure->text));
    progress_.fail(std::move(error), std::move(failure));
}

}  // namespace rrfp
