#include "runtime/core/jitter.h"

#include "runtime/core/keyed_random.h"

namespace rrfp {
namespace {

/// The first word of each key, so that draws for different purposes are independent.
enum class Draw : std::uint64_t { compute = 1, microbatch = 2, message = 3 };

std::uint64_t word(Draw draw) { return static_cast<std::uint64_t>(draw); }
std::uint64_t word(int value) { return static_cast<std::uint64_t>(value); }
std::uint64_t word(TaskKind kind) { return static_cast<std::uint64_t>(kind); }

}  // namespace

double Jitter::task_factor(std::uint64_t iteration, const Task& task) const {
    return keyed_log_normal(compute_cv, {word(Draw::compute), seed, iteration, word(task.stage),
                                         word(task.microbatch), word(task.kind)}) *
           keyed_log_normal(microbatch_cv,
                            {word(Draw::microbatch), seed, iteration, word(task.microbatch)});
}

double Jitter::message_delay_ms(std::uint64_t iteration, const Task& producer) const {
    if (comm_mean_ms == 0) {
        return 0;
    }
    const std::initializer_list<std::uint64_t> key = {
        word(Draw::message), seed, iteration, word(producer.stage), word(producer.microbatch),
        word(producer.kind)};
    return comm_mean_ms * (comm_cv ? keyed_log_normal(*comm_cv, key) : keyed_exponential(key));
}

double StageTimes::base_ms(const Task& task, bool split_weight) const {
    const double scale = stage_scale.empty() ? 1 : stage_scale.at(task.stage);
    switch (task.kind) {
        case TaskKind::forward:
            return scale * forward_ms;
        case TaskKind::backward:
            return scale * (split_weight ? backward_ms - weight_ms : backward_ms);
        case TaskKind::weight_gradient:
            return scale * weight_ms;
    }
    return 0;
}

}  // namespace rrfp
