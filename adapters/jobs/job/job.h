#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "adapters/plan/layout.h"
#include "runtime/core/jitter.h"
#include "runtime/core/pipeline.h"
#include "runtime/core/schedule_options.h"

namespace rrfp {

/// Tokens that a text can have: it is read as bytes.
inline constexpr int text_vocabulary = 256;

/// A value that a job file gives as a word or as numbers.
using WordOrNumbers = std::variant<std::vector<int>, std::string>;

/// The job file, resolved: defaults filled in, every value checked. One struct a section, one
/// member a key; `docs/job-file.md` is checked against the table in job_keys.cpp.
struct ModelSection {
    std::string kind = "gpt";  ///< `gpt` or `synthetic`
    int layers = 4;
    std::vector<int> layers_per_stage;  ///< empty = as many for each stage
    int hidden = 64;
    int heads = 4;
    int sequence = 64;  ///< tokens of a sample
    double dropout = 0;
    bool recompute = false;
    bool tied_embeddings = false;
    std::optional<double> forward_ms;   ///< per stage; required for synthetic
    std::optional<double> backward_ms;  ///< per stage; required for synthetic
    double weight_ms = 0;
    std::vector<double> stage_scale;  ///< one a stage; empty = all 1
    bool sleep = true;                ///< a synthetic task sleeps; false spins
    std::int64_t message_bytes = 2048;
};

struct DataSection {
    std::string text;  ///< path, relative to the job file; required for gpt
    double validation_fraction = 0.1;
};

struct ParallelSection {
    int pipeline = 1;
    int tensor = 1;
    int data = 1;
    int chunks = 1;  ///< stages a rank; with an explicit placement the most of any rank
    WordOrNumbers placement = "loop";  ///< `loop`, `v`, `wave`, or the rank of each stage
    bool sequence_parallel = false;    ///< activations between layers are cut over the tensor group
    int threads = 1;                   ///< intra-op threads of a rank
};

struct ScheduleSection {
    std::string arbiter;  ///< empty = as `Job::arbiter_name`
    std::string hint;     ///< a schedule's name or a CSV file; empty = as `Job::hint_name`
    WordOrNumbers limit = std::vector{32};  ///< a number, one a pipeline rank, or a rule (limit.h)
    bool limit_given = false;               ///< whether the job or --set names a limit
    std::string admission = "drain";
    bool split_weight = false;
    bool deterministic = false;
    std::string agreement = "board";
    std::string agreement_scope = "tensor";  ///< `tensor` or `stage`
    std::string plugin;                      ///< path; empty = none
    std::string waiting = "auto";            ///< auto, doorbell, nap, spin
};

struct TrainSection {
    int microbatches = 8;
    int microbatch_size = 4;
    int iterations = 10;
    std::uint64_t seed = 0;
    double learning_rate = 1e-3;
    double min_learning_rate = 0;
    int warmup_iterations = 0;
    double weight_decay = 0.01;
    double beta1 = 0.9;
    double beta2 = 0.95;
    double epsilon = 1e-8;
    double clip_norm = 1.0;           ///< 0 turns clipping off
    int evaluate_every = 0;           ///< iterations between evaluation passes; 0 = never
    int evaluation_microbatches = 0;  ///< 0 = as microbatches
    bool continue_on_nan = false;
};

struct OutputSection {
    std::string checkpoint;    ///< folder; empty = none
    int checkpoint_every = 0;  ///< iterations; 0 = at the end only
    bool resume = false;       ///< continue from `checkpoint` when it holds one
};

struct Job {
    std::string path;  ///< of the job file; empty when built in memory
    ModelSection model;
    DataSection data;
    ParallelSection parallel;
    ScheduleSection schedule;
    TrainSection train;
    Jitter jitter;
    double watchdog_seconds = 60;
    OutputSection output;

    bool synthetic() const { return model.kind == "synthetic"; }
    /// Whether tasks of a trained model are lengthened: by jitter or to given durations.
    bool stretches_tasks() const;
    Layout layout() const;
    /// Throws std::invalid_argument for an explicit placement that is none.
    Placement placement() const;
    Pipeline pipeline() const;
    /// The layers of each stage of a model; they must divide where no list says how.
    std::vector<int> layers_of_stages() const;
    /// The arbiters of `schedule.plugin`; null for none. Throws as ArbiterPlugin::load.
    std::shared_ptr<const ArbiterPlugin> plugin() const;
    /// The job's arbiter, or where it names none `tide` with one stage a rank, `bf` with several,
    /// and `bfw` with a split backward.
    std::string arbiter_name() const;
    /// The job's hint, or where it names none the schedule that its placement is made for.
    std::string hint_name() const;
    /// The `[schedule]` section with its hint generated and its limits spelt out per rank. Throws
    /// std::invalid_argument for a hint or a limit that does not fit.
    ScheduleOptions schedule_options() const;
    StageTimes stage_times() const;
};

}  // namespace rrfp
