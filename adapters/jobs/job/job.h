#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "adapters/plan/file_identity.h"
#include "adapters/plan/layout.h"
#include "adapters/plan/words.h"
#include "runtime/core/jitter.h"
#include "runtime/core/pipeline.h"

namespace rrfp {

/// Tokens that a text can have: it is read as bytes.
inline constexpr int text_vocabulary = 256;

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
    FileIdentity text_file;  ///< what the text held when the job was checked; unknown = unchecked
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
    std::string arbiter;  ///< empty = the plan's default
    std::string hint;     ///< a schedule's name or a CSV file; empty = likewise
    WordOrNumbers limit =
        std::vector{32};             ///< a number, one a pipeline rank, or a rule (limit_rule.h)
    bool limit_given = false;        ///< whether the job or --set names a limit
    std::string admission = "auto";  ///< a rule; auto = the plan's default
    bool split_weight = false;
    bool deterministic = false;
    bool guard = false;  ///< take the fixed order where a replay finds it faster
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
    int evaluation_microbatches = 0;  ///< of all replicas together; 0 = as many as in training
    bool continue_on_nan = false;
};

struct OutputSection {
    std::string checkpoint;       ///< folder; empty = none
    int checkpoint_every = 0;     ///< iterations; 0 = at the end only
    bool resume = false;          ///< continue from `checkpoint` when it holds one
    bool resume_changed = false;  ///< also where keys that determine the training have changed
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
    StageTimes stage_times() const;
    /// Of an evaluation pass at one replica.
    int evaluation_microbatches() const;
};

}  // namespace rrfp
