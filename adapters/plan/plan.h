#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapters/plan/file_identity.h"
#include "adapters/plan/layout.h"
#include "runtime/core/agreement/agreement_options.h"
#include "runtime/core/jitter.h"
#include "runtime/core/pipeline.h"
#include "runtime/core/schedule_options.h"

namespace rrfp {

/// Who comes to one order of tasks, and how.
struct PlannedAgreement {
    std::string protocol = "board";  ///< `board` gives way to `allgather` between nodes
    std::string scope = "tensor";    ///< `tensor` or `stage`
    bool local_choice = false;       ///< the arbiter goes by what a rank alone knows
};

/// A shared library with arbiters.
struct PlannedPlugin {
    std::string path;
    FileIdentity file;
};

/// Everything that ranks must know alike to run one pipeline: defaults filled in, rules spelt out,
/// all of it checked.
struct PlanFacts {
    PlanFacts(Pipeline shape, Layout ranks) : pipeline(std::move(shape)), layout(ranks) {}

    Pipeline pipeline;
    Layout layout;
    /// Its plugin is not loaded: `loaded_schedule` does that. The hint has every rank's list; in a
    /// plan that a rank has read, that rank's alone.
    ScheduleOptions schedule;
    std::string hint;  ///< the schedule's name or the CSV file; empty = none
    PlannedAgreement agreement;
    std::optional<PlannedPlugin> plugin;
    std::optional<FileIdentity> text;  ///< that is trained on
    int window = 1;                    ///< of submission, microbatches
    Jitter jitter;
    std::uint64_t seed = 0;
    std::string version;  ///< of the rrfp that made it
};

/// The facts, frozen, with their text and its hash. Copies share one value.
class Plan {
  public:
    /// `facts` as `make_plan` (make_plan.h) has checked them.
    explicit Plan(PlanFacts facts);
    /// What `text` says, with the hint of pipeline rank `rank` alone. Throws std::invalid_argument
    /// where it is no plan.
    static Plan read(std::string text, int world_rank);

    const PlanFacts& operator*() const { return state_->facts; }
    const PlanFacts* operator->() const { return &state_->facts; }
    /// JSON, the same bytes for the same facts.
    const std::string& text() const { return state_->text; }
    /// SHA-256 of the text.
    const std::string& hash() const { return state_->hash; }

  private:
    struct State {
        PlanFacts facts;
        std::string text;
        std::string hash;
    };
    explicit Plan(State state);

    std::shared_ptr<const State> state_;
};

/// The schedule with its plugin loaded, for dispatchers. Throws as ArbiterPlugin::load.
ScheduleOptions loaded_schedule(const Plan& plan);

/// What every rank that runs by `plan` must find the same, name and value: the plan's hash, this
/// program's version, and what the plugin's file holds here.
std::vector<std::pair<std::string, std::string>> shared_facts(const Plan& plan);

/// Whom the tasks of `world_rank` must run in one order with.
AgreementOptions agreement_of(const PlanFacts& facts, int world_rank);

}  // namespace rrfp
