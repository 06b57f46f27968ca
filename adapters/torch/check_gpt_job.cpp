#include <stdexcept>

#include <fmt/format.h>

#include "adapters/jobs/text_data.h"
#include "adapters/jobs/trainer.h"

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
    divides("the vocabulary", TextData::vocabulary);
    if (job.parallel.sequence_parallel) divides("model.sequence", job.model.sequence);
}

}  // namespace

void check_gpt_job(const Job& job) {
    const ModelSection& model = job.model;
    const int stages = job.parallel.pipeline * job.parallel.chunks;
    require(model.layers % stages == 0,
            fmt::format("model.layers = {}: cannot be cut into {} equal stages; make it a multiple "
                        "of {}",
                        model.layers, stages, stages));
    require(model.hidden % model.heads == 0,
            fmt::format("model.heads = {}: does not divide model.hidden = {}; choose a divisor",
                        model.heads, model.hidden));
    require_tensor_parts(job);
    require(!model.tied_embeddings,
            fmt::format("model.tied_embeddings = true: not supported: stage 0 holds the token "
                        "embedding and stage {} the head; set it to false",
                        stages - 1));
    require(!job.schedule.split_weight,
            "schedule.split_weight = true: a gpt model's backward is not split; set it to false");
    const TextData text(job.data.text, job.data.validation_fraction, model.sequence);
    if (job.train.evaluate_every > 0) text.require_validation();
}

}  // namespace rrfp
