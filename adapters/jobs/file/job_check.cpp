#include "adapters/jobs/file/job_check.h"

#include <algorithm>

#include "adapters/jobs/file/faults.h"
#include "adapters/jobs/file/job_shape.h"
#include "adapters/plan/nearest.h"
#include "adapters/jobs/job/job_agreement.h"
#include "adapters/jobs/job/kept_bytes.h"
#include "adapters/jobs/training/checkpoint.h"
#include "adapters/schedules/registry.h"
#include "runtime/core/plugin_loader.h"

namespace rrfp {
namespace {

class JobCheck {
  public:
    JobCheck(const Job& job, const Origins& origins)
        : job_(job), origins_(origins), faults_(job, origins) {}

    std::vector<std::string> run() {
        faults_.messages() = shape_faults(job_, origins_);
        const bool one_pipeline = faults_.empty();
        job_.synthetic() ? check_synthetic() : check_gpt();
        if (one_pipeline) {
            check_output();
            check_scale();
            if (check_limit() && check_arbiter() && check_hint()) {
                check_schedule();
                check_agreement();
            }
        }
        check_training();
        return std::move(faults_.messages());
    }

  private:
    void check_synthetic() {
        if (!job_.model.forward_ms) {
            faults_.add("model.forward_ms", "a synthetic job needs it; add one");
        }
        if (!job_.model.backward_ms) {
            faults_.add("model.backward_ms", "a synthetic job needs it; add one");
            return;
        }
        if (job_.model.weight_ms > *job_.model.backward_ms) {
            faults_.add("model.weight_ms", "is a part of model.backward_ms = {}; make it no larger",
                        *job_.model.backward_ms);
        }
        if (!job_.output.checkpoint.empty()) {
            faults_.add("output.checkpoint", "a synthetic job has nothing to keep; remove it");
        }
    }

    void check_gpt() {
        const ModelSection& model = job_.model;
        if (job_.data.text.empty()) {
            faults_.add("data.text", "a gpt job needs a text to train on; give the path of one");
        }
        if (model.hidden % model.heads != 0) {
            faults_.add("model.heads", "does not divide model.hidden = {}; choose a divisor",
                        model.hidden);
        }
        if (model.forward_ms.has_value() != model.backward_ms.has_value()) {
            faults_.add(model.forward_ms ? "model.backward_ms" : "model.forward_ms",
                        "forward_ms and backward_ms go together; give both or neither");
        }
    }

    void check_scale() {
        const std::size_t given = job_.model.stage_scale.size();
        const int stages = job_.placement().stages();
        if (given != 0 && given != static_cast<std::size_t>(stages)) {
            faults_.add("model.stage_scale", "has {} entries for {} stages; give one a stage",
                        given, stages);
        }
    }

    bool check_limit() {
        try {
            limits_of(job_);
            return true;
        } catch (const std::invalid_argument& error) {
            faults_.add("schedule.limit", "{}", error.what());
            return false;
        }
    }

    bool check_arbiter() {
        std::vector<std::string> known;
        try {
            known = arbiters_of(job_);
        } catch (const std::invalid_argument& error) {
            faults_.add("schedule.plugin", "{}", error.what());
            return false;
        }
        const std::string name = job_.arbiter_name();
        if (std::ranges::find(known, name) != known.end()) return true;
        faults_.add("schedule.arbiter", "unknown arbiter; {}", known_words(name, known));
        return false;
    }

    bool check_hint() {
        const std::string& hint = job_.schedule.hint;
        const auto known = schedule_names();
        if (!hint.empty() && !is_hint_file(hint) && std::ranges::find(known, hint) == known.end()) {
            faults_.add("schedule.hint", "unknown schedule; {}", known_words(hint, known));
            return false;
        }
        try {
            hint_of(job_.hint_name(), job_.pipeline());
        } catch (const std::invalid_argument& error) {
            faults_.add("schedule.hint", "{}", error.what());
            return false;
        }
        return true;
    }

    void check_schedule() {
        try {
            validate(job_.pipeline(), job_.schedule_options());
        } catch (const std::invalid_argument& error) {
            const bool limited = job_.schedule.limit_given;
            faults_.add(limited ? "schedule.limit" : "schedule.arbiter", "{}", error.what());
        }
    }

    void check_agreement() {
        const bool alone = agreement_of(job_, 0).members.size() == 1;
        if (alone || job_.schedule.agreement != "allgather" || !chooses_locally(job_)) return;
        faults_.add(
            "schedule.arbiter",
            "chooses by what a rank alone knows, and under schedule.agreement = \"allgather\" "
            "every rank chooses; use \"board\", or another arbiter");
    }

    void check_training() {
        if (job_.train.min_learning_rate > job_.train.learning_rate) {
            faults_.add(
                "train.min_learning_rate",
                "is above train.learning_rate = {}; the rate decays towards it, so lower it",
                job_.train.learning_rate);
        }
        if (job_.train.evaluate_every > 0 && !job_.synthetic() &&
            job_.data.validation_fraction == 0) {
            faults_.add(
                "data.validation_fraction",
                "leaves nothing to evaluate on, but train.evaluate_every = {}; raise it, or set "
                "evaluate_every = 0",
                job_.train.evaluate_every);
        }
    }

    void check_output() {
        if (!job_.output.checkpoint.empty()) return check_resume();
        constexpr auto what = "needs output.checkpoint, the folder; give one";
        if (job_.output.resume) faults_.add("output.resume", what);
        if (job_.output.checkpoint_every > 0) faults_.add("output.checkpoint_every", what);
    }

    void check_resume() {
        try {
            check_checkpoint(job_);
        } catch (const std::runtime_error& error) {
            faults_.add("output.checkpoint", "{}", error.what());
        }
    }

    const Job& job_;
    const Origins& origins_;
    Faults faults_;
};

}  // namespace

std::vector<std::string> check_job(const Job& job, const Origins& origins) {
    return JobCheck(job, origins).run();
}

std::vector<std::string> arbiters_of(const Job& job) {
    std::vector<std::string> names = arbiter_names();
    if (const auto plugin = job.plugin()) {
        for (const ArbiterEntry& entry : plugin->arbiters()) names.emplace_back(entry.name);
    }
    return names;
}

void resolve_schedule(Job& job) {
    const std::vector<int> limits = job.schedule_options().limits;
    const auto* numbers = std::get_if<std::vector<int>>(&job.schedule.limit);
    const bool own_memory = job.arbiter_name() == "fixed" && !job.schedule.limit_given;
    if (!numbers || own_memory) job.schedule.limit = limits;
    job.schedule.arbiter = job.arbiter_name();
    job.schedule.hint = job.hint_name();
}

}  // namespace rrfp
