#include "adapters/jobs/job/gpt_shape.h"

#include <fmt/format.h>

namespace rrfp {
namespace {

void require_divisor(std::vector<KeyFault>& faults, const char* key, int value, const char* what,
                     int whole) {
    if (whole % value == 0) return;
    faults.push_back(
        {.key = key,
         .value = std::to_string(value),
         .what = fmt::format("does not divide {} = {}; choose a divisor", what, whole)});
}

}  // namespace

std::vector<KeyFault> gpt_faults(const Job& job) {
    std::vector<KeyFault> faults;
    const int parts = job.parallel.tensor;
    require_divisor(faults, "model.heads", job.model.heads, "model.hidden", job.model.hidden);
    constexpr auto tensor = "parallel.tensor";
    require_divisor(faults, tensor, parts, "model.heads", job.model.heads);
    require_divisor(faults, tensor, parts, "the vocabulary", text_vocabulary);
    if (job.parallel.sequence_parallel) {
        require_divisor(faults, tensor, parts, "model.sequence", job.model.sequence);
    }
    return faults;
}

}  // namespace rrfp
