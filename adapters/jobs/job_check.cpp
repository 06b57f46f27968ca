#include "adapters/jobs/job_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "adapters/jobs/checkpoint.h"
#include "adapters/jobs/nearest.h"
#include "adapters/schedules/registry.h"

namespace rrfp {
namespace {

class JobCheck {
  public:
    JobCheck(const Job& job, const Origins& origins) : job_(job), origins_(origins) {}

    std::vector<std::string> run() {
        job_.synthetic() ? check_synthetic() : check_gpt();
        check_scale();
        check_schedule();
        check_training();
        check_output();
        return std::move(faults_);
    }

  private:
    template <class... Values>
    void fault(const std::string& key, fmt::format_string<Values...> what, Values&&... values) {
        faults_.push_back(
            origins_.fault(key, job_, fmt::format(what, std::forward<Values>(values)...)));
    }

    void check_synthetic() {
        if (!job_.model.forward_ms) fault("model.forward_ms", "a synthetic job needs it; add one");
        if (!job_.model.backward_ms) {
            fault("model.backward_ms", "a synthetic job needs it; add one");
            return;
        }
        if (job_.model.weight_ms > *job_.model.backward_ms) {
            fault("model.weight_ms", "is a part of model.backward_ms = {}; make it no larger",
                  *job_.model.backward_ms);
        }
        if (!job_.output.checkpoint.empty()) {
            fault("output.checkpoint", "a synthetic job has nothing to keep; remove it");
        }
    }

    void check_gpt() {
        const ModelSection& model = job_.model;
        const int stages = job_.parallel.pipeline * job_.parallel.chunks;
        if (job_.data.text.empty()) {
            fault("data.text", "a gpt job needs a text to train on; give the path of one");
        }
        if (model.layers % stages != 0) {
            fault("model.layers", "cannot be cut into {} equal stages; make it a multiple of {}",
                  stages, stages);
        }
        if (model.hidden % model.heads != 0) {
            fault("model.heads", "does not divide model.hidden = {}; choose a divisor",
                  model.hidden);
        }
        if (model.forward_ms.has_value() != model.backward_ms.has_value()) {
            fault(model.forward_ms ? "model.backward_ms" : "model.forward_ms",
                  "forward_ms and backward_ms go together; give both or neither");
        }
    }

    void check_scale() {
        const std::size_t given = job_.model.stage_scale.size();
        const int stages = job_.parallel.pipeline * job_.parallel.chunks;
        if (given != 0 && given != static_cast<std::size_t>(stages)) {
            fault("model.stage_scale", "has {} entries for {} stages; give one a stage", given,
                  stages);
        }
    }

    void check_schedule() {
        const std::size_t limits = job_.schedule.limit.size();
        const int ranks = job_.parallel.pipeline;
        if (limits != 1 && limits != static_cast<std::size_t>(ranks)) {
            fault("schedule.limit",
                  "has {} entries for {} pipeline ranks; give a number, or one a rank", limits,
                  ranks);
            return;
        }
        // Schedules and simulations hold every task of an iteration.
        constexpr std::int64_t most_pairs = 10'000'000;
        if (std::int64_t{ranks} * job_.parallel.chunks * job_.train.microbatches > most_pairs) {
            fault("train.microbatches", "on {} stages is more than {} in all; lower one of them",
                  ranks * job_.parallel.chunks, most_pairs);
            return;
        }
        const auto hints = schedule_names();
        if (std::find(hints.begin(), hints.end(), job_.schedule.hint) == hints.end()) {
            fault("schedule.hint", "unknown schedule; {}", known_words(job_.schedule.hint, hints));
            return;
        }
        try {
            validate(job_.pipeline(), job_.schedule_options());
        } catch (const std::invalid_argument& error) {
            const bool limited = job_.schedule.limit_given;
            fault(limited ? "schedule.limit" : "schedule.arbiter", "{}", error.what());
        }
    }

    void check_training() {
        if (job_.train.min_learning_rate > job_.train.learning_rate) {
            fault("train.min_learning_rate",
                  "is above train.learning_rate = {}; the rate decays towards it, so lower it",
                  job_.train.learning_rate);
        }
        if (job_.train.evaluate_every > 0 && !job_.synthetic() &&
            job_.data.validation_fraction == 0) {
            fault("data.validation_fraction",
                  "leaves nothing to evaluate on, but train.evaluate_every = {}; raise it, or set "
                  "evaluate_every = 0",
                  job_.train.evaluate_every);
        }
    }

    void check_output() {
        if (!job_.output.checkpoint.empty()) return check_resume();
        constexpr auto what = "needs output.checkpoint, the folder; give one";
        if (job_.output.resume) fault("output.resume", what);
        if (job_.output.checkpoint_every > 0) fault("output.checkpoint_every", what);
    }

    void check_resume() {
        try {
            check_checkpoint(job_);
        } catch (const std::runtime_error& error) {
            fault("output.checkpoint", "{}", error.what());
        }
    }

    const Job& job_;
    const Origins& origins_;
    std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> check_job(const Job& job, const Origins& origins) {
    return JobCheck(job, origins).run();
}

void resolve_limits(Job& job) {
    const bool own_memory = job.schedule.arbiter == "fixed" && !job.schedule.limit_given;
    if (own_memory) job.schedule.limit = job.schedule_options().limits;
}

}  // namespace rrfp
