#include "adapters/jobs/file/job_check.h"
#include "adapters/jobs/job/gpt_shape.h"

namespace rrfp {
namespace {

void check_weight_time(const ModelSection& model, Faults& faults) {
    if (!model.backward_ms) {
        faults.add("model.weight_ms", "is a part of model.backward_ms; give that too");
    } else if (model.weight_ms > *model.backward_ms) {
        faults.add("model.weight_ms", "is a part of model.backward_ms = {}; make it no larger",
                   *model.backward_ms);
    }
}

void check_synthetic(const Job& job, Faults& faults) {
    const ModelSection& model = job.model;
    if (!model.forward_ms) faults.add("model.forward_ms", "a synthetic job needs it; add one");
    if (!model.backward_ms) faults.add("model.backward_ms", "a synthetic job needs it; add one");
    if (!job.output.checkpoint.empty()) {
        faults.add("output.checkpoint", "a synthetic job has nothing to keep; remove it");
    }
}

void check_gpt(const Job& job, Faults& faults) {
    const ModelSection& model = job.model;
    if (job.data.text.empty()) {
        faults.add("data.text", "a gpt job needs a text to train on; give the path of one");
    }
    for (const KeyFault& fault : gpt_faults(job)) faults.add(fault.key, "{}", fault.what);
    if (model.forward_ms.has_value() != model.backward_ms.has_value()) {
        faults.add(model.forward_ms ? "model.backward_ms" : "model.forward_ms",
                   "forward_ms and backward_ms go together; give both or neither");
    }
}

}  // namespace

void check_model(const Job& job, Faults& faults) {
    if (job.model.weight_ms > 0) check_weight_time(job.model, faults);
    job.synthetic() ? check_synthetic(job, faults) : check_gpt(job, faults);
}

void check_scale(const Job& job, Faults& faults) {
    const std::size_t given = job.model.stage_scale.size();
    const int stages = job.placement().stages();
    if (given != 0 && given != static_cast<std::size_t>(stages)) {
        faults.add("model.stage_scale", "has {} entries for {} stages; give one a stage", given,
                   stages);
    }
}

}  // namespace rrfp
