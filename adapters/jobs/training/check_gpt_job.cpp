#include <numeric>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "adapters/jobs/job/job.h"
#include "adapters/jobs/training/text_data.h"
#include "adapters/jobs/training/trainer.h"

namespace rrfp {
namespace {

void require(bool holds, const std::string& message) {
    if (!holds) throw std::invalid_argument(message);
}

/// Each rank of a tensor group holds whole heads, and equal parts of everything else.
void require_tensor_parts(const Job& job) {
    const int parts = job.parallel.tensor;
    const auto divides = [&](const char* what, int value) {
        require(value % parts == 0,
                fmt::format("parallel.tensor = {}: does not divide {} = {}; choose a divisor",
                            parts, what, value));
    };
    divides("model.heads", job.model.heads);
    divides("the vocabulary", text_vocabulary);
    if (job.parallel.sequence_parallel) divides("model.sequence", job.model.sequence);
}

}  // namespace

void check_gpt_job(const Job& job) {
    const ModelSection& model = job.model;
    const std::vector<int> layers = job.layers_of_stages();
    const std::size_t stages = layers.size();
    require(std::reduce(layers.begin(), layers.end()) == model.layers,
            fmt::format("model.layers = {}: cannot be cut into {} equal stages; make it a multiple "
                        "of {}, or give model.layers_per_stage",
                        model.layers, stages, stages));
    require(model.hidden % model.heads == 0,
            fmt::format("model.heads = {}: does not divide model.hidden = {}; choose a divisor",
                        model.heads, model.hidden));
    require_tensor_parts(job);
    const TextData text(job.data.text, job.data.validation_fraction, model.sequence);
    if (job.train.evaluate_every > 0) text.require_validation();
}

}  // namespace rrfp
