#include <numeric>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "adapters/jobs/job/gpt_shape.h"
#include "adapters/jobs/job/job.h"
#include "adapters/jobs/training/text_data.h"
#include "adapters/jobs/training/trainer.h"

namespace rrfp {

void check_gpt_model(const Job& job) {
    const std::vector<int> layers = job.layers_of_stages();
    if (std::reduce(layers.begin(), layers.end()) != job.model.layers) {
        throw std::invalid_argument(fmt::format(
            "model.layers = {}: cannot be cut into {} equal stages; make it a multiple of {}, or "
            "give model.layers_per_stage",
            job.model.layers, layers.size(), layers.size()));
    }
    for (const KeyFault& fault : gpt_faults(job)) {
        throw std::invalid_argument(fmt::format("{} = {}: {}", fault.key, fault.value, fault.what));
    }
}

FileIdentity check_text(const Job& job) {
    const TextData text(job.data, job.model.sequence);
    if (job.train.evaluate_every > 0) text.require_validation();
    return text.identity();
}

}  // namespace rrfp
