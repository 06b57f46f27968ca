#include "runtime/starpu/failing/life_sign.h"

#include <algorithm>

#include "runtime/starpu/failing/failure.h"

namespace rrfp {
namespace {

constexpr int number_bits = 28;
constexpr std::uint64_t number_mask = (std::uint64_t{1} << number_bits) - 1;
constexpr int kind_shift = 2 * number_bits;
constexpr std::uint64_t kind_mask = 3;

std::uint64_t number_of(int value) { return static_cast<std::uint64_t>(value) & number_mask; }

}  // namespace

std::uint64_t LifeSign::pack(const Task& task, bool in_task) {
    return known | (in_task ? running : 0) | static_cast<std::uint64_t>(task.kind) << kind_shift |
           number_of(task.stage) << number_bits | number_of(task.microbatch);
}

void LifeSign::begin(int pid) {
    enter(Phase::starting);
    pid_.store(pid, order);
}

LifeReading LifeSign::read() const {
    LifeReading reading{.pid = pid_.load(order),
                        .phase = std::min(phase(), Phase::leaving),
                        .iteration = iteration_.load(order),
                        .task = std::nullopt,
                        .beating = beating_.load(order) != 0,
                        .beats = beats_.load(order)};
    const std::uint64_t task = task_.load(order);
    if ((task & known) != 0) {
        const std::uint64_t kind = std::min<std::uint64_t>(task >> kind_shift & kind_mask, 2);
        reading.task = Task{.kind = static_cast<TaskKind>(kind),
                            .stage = static_cast<int>(task >> number_bits & number_mask),
                            .microbatch = static_cast<int>(task & number_mask)};
        reading.in_task = (task & running) != 0;
    }
    return reading;
}

void LifeReading::append_to(SafeLine& line) const {
    append(line, phase, iteration);
    if (!task) return;
    line << (in_task ? ", in the " : "; its last task was the ") << noun(task->kind) << " of stage "
         << task->stage << ", microbatch " << task->microbatch;
}

std::string LifeReading::text() const {
    SafeLine line;
    append_to(line);
    return std::string(line.text());
}

}  // namespace rrfp
