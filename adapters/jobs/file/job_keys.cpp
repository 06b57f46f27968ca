#include "adapters/jobs/file/job_keys.h"

#include <algorithm>

#include "adapters/plan/words.h"

namespace rrfp {
namespace {

template <auto Section, auto Member>
auto& at(Job& job) {
    return job.*Section.*Member;
}

template <auto Member>
constexpr auto model = &at<&Job::model, Member>;
template <auto Member>
constexpr auto parallel = &at<&Job::parallel, Member>;
template <auto Member>
constexpr auto schedule = &at<&Job::schedule, Member>;
template <auto Member>
constexpr auto train = &at<&Job::train, Member>;
template <auto Member>
constexpr auto jitter = &at<&Job::jitter, Member>;
template <auto Member>
constexpr auto output = &at<&Job::output, Member>;

using M = ModelSection;
using P = ParallelSection;
using S = ScheduleSection;
using T = TrainSection;

// Far above any machine's reach, and low enough that sizes made of them do not overflow.
constexpr double most_layers = 100'000;
constexpr double most_width = 1'000'000;
constexpr double most_bytes = 1'000'000'000;  // MPI counts a message's bytes in an int
constexpr double most_ranks = 4096;
constexpr double most_microbatches = 1'000'000;
constexpr double most_iterations = 1'000'000'000;
constexpr double most_ms = 1'000'000'000;  // eleven days; sums of an iteration's stay exact enough
constexpr double most_cv = 100;            // the draws of a wider distribution are all but 0
constexpr double most_scale = 1'000'000;
constexpr double most_seconds = 1'000'000'000;  // thirty years, and a deadline that clocks can hold
// Rates and norms become 32-bit numbers: what they can hold, with room for products.
constexpr double most_rate = 1e30;
constexpr double most_decay = 1e6;
constexpr double least_epsilon = 1e-30;
constexpr double most_norm = 1e30;

// clang-format off
const std::vector<JobKey>& table() {
    static const std::vector<JobKey> keys = {
        {.section = "model", .name = "kind", .target = model<&M::kind>, .choices = +[] { return std::vector<std::string>{"gpt", "synthetic"}; },
         .doc = "`gpt`: a byte-level GPT; `synthetic`: tasks that only take their time."},
        {.section = "model", .name = "layers", .target = model<&M::layers>, .minimum = 1, .maximum = most_layers,
         .doc = "Transformer layers; a multiple of the stages unless `layers_per_stage` says how many each has."},
        {.section = "model", .name = "layers_per_stage", .target = model<&M::layers_per_stage>, .minimum = 1, .maximum = most_layers,
         .doc = "The layers of each stage; empty is as many for each. Where `layers` is not given, it is their sum."},
        {.section = "model", .name = "hidden", .target = model<&M::hidden>, .minimum = 1, .maximum = most_width,
         .doc = "Width of the residual stream; a multiple of `heads`."},
        {.section = "model", .name = "heads", .target = model<&M::heads>, .minimum = 1, .maximum = most_width,
         .doc = "Attention heads."},
        {.section = "model", .name = "sequence", .target = model<&M::sequence>, .minimum = 1, .maximum = most_width, .unit = "tokens",
         .doc = "Length of a sample; a token is a byte."},
        {.section = "model", .name = "dropout", .target = model<&M::dropout>, .minimum = 0, .maximum = 0.99,
         .doc = "Probability; a mask depends on (seed, iteration, layer, microbatch) alone: any pipeline draws the same."},
        {.section = "model", .name = "recompute", .target = model<&M::recompute>,
         .doc = "Keep a stage's input only and compute its forward again before its backward."},
        {.section = "model", .name = "tied_embeddings", .target = model<&M::tied_embeddings>,
         .doc = "Token embedding and output head are one weight, see [training](training.md#tied-embeddings)."},
        {.section = "model", .name = "forward_ms", .target = model<&M::forward_ms>, .minimum = 0, .maximum = most_ms, .above_minimum = true,
         .unit = "ms", .doc = "Forward of one stage. Required for `synthetic`; with `gpt`, what each task is filled up to."},
        {.section = "model", .name = "backward_ms", .target = model<&M::backward_ms>, .minimum = 0, .maximum = most_ms, .above_minimum = true,
         .unit = "ms", .doc = "Backward of one stage, as `forward_ms`."},
        {.section = "model", .name = "weight_ms", .target = model<&M::weight_ms>, .minimum = 0, .maximum = most_ms,
         .unit = "ms", .doc = "The weight gradient's part of `backward_ms` where the backward is split."},
        {.section = "model", .name = "stage_scale", .target = model<&M::stage_scale>, .minimum = 0, .maximum = most_scale, .above_minimum = true,
         .doc = "One factor a stage on `forward_ms`, `backward_ms` and `weight_ms`; empty is 1 everywhere."},
        {.section = "model", .name = "sleep", .target = model<&M::sleep>,
         .doc = "A synthetic task sleeps; `false` keeps a core busy instead."},
        {.section = "model", .name = "message_bytes", .target = model<&M::message_bytes>, .minimum = 1, .maximum = most_bytes, .unit = "bytes",
         .doc = "Size of a synthetic job's activations and gradients."},

        {.section = "data", .name = "text", .target = &at<&Job::data, &DataSection::text>,
         .doc = "The training text. Required for `gpt`."},
        {.section = "data", .name = "validation_fraction", .target = &at<&Job::data, &DataSection::validation_fraction>,
         .minimum = 0, .maximum = 0.9, .doc = "The part at the end of the text that is kept for evaluation."},

        {.section = "parallel", .name = "pipeline", .target = parallel<&P::pipeline>, .minimum = 1, .maximum = most_ranks, .unit = "ranks",
         .doc = "Pipeline ranks."},
        {.section = "parallel", .name = "tensor", .target = parallel<&P::tensor>, .minimum = 1, .maximum = most_ranks,
         .unit = "ranks", .doc = "Ranks that share each layer; a divisor of `heads`."},
        {.section = "parallel", .name = "data", .target = parallel<&P::data>, .minimum = 1, .maximum = most_ranks,
         .unit = "replicas", .doc = "Data-parallel replicas."},
        {.section = "parallel", .name = "chunks", .target = parallel<&P::chunks>, .minimum = 1, .maximum = most_ranks,
         .unit = "stages", .doc = "Stages a rank holds. Where not given, as the placement says: 1, with `v` and `wave` 2, with a list the most of any rank."},
        {.section = "parallel", .name = "placement", .target = parallel<&P::placement>, .minimum = 0, .maximum = most_ranks, .choices = placements,
         .doc = "Which rank holds which stage: `loop` is stage = chunk x ranks + rank; `v` is stages r and 2P-1-r on rank r; `wave` turns at the end of each chunk; a list gives the rank of each stage."},
        {.section = "parallel", .name = "sequence_parallel", .target = parallel<&P::sequence_parallel>,
         .doc = "Between layers, cut activations along the sequence over the tensor ranks, which then divide it."},
        {.section = "parallel", .name = "threads", .target = parallel<&P::threads>, .minimum = 1, .maximum = 1024,
         .doc = "Threads of one operation at a rank. Some sums are cut among them: bits are those of one number of threads."},

        {.section = "schedule", .name = "arbiter", .target = schedule<&S::arbiter>,
         .doc = "Who chooses among the ready tasks, see [scheduling](scheduling.md#arbiters). Empty: the one [measured best](scheduling.md#which-one), `tide` or with `split_weight` `tide-w` in most cases."},
        {.section = "schedule", .name = "hint", .target = schedule<&S::hint>,
         .doc = "The order that ranks tasks: the name of a schedule, or a CSV file. Empty: `1f1b`, with chunks `interleaved-1f1b`, with placement `v` `zbv`, with `split_weight` `zb-h1`."},
        {.section = "schedule", .name = "limit", .target = schedule<&S::limit>, .minimum = 1, .maximum = most_iterations,
         .unit = "microbatches", .doc = "Bound on forwards dispatched less releases: a number, a list with one a pipeline rank, `\"P-s\"`, "
         "`\"2P-s\"`, or bytes as `\"512MiB\"`, see [Limits](#limits). Where none is given, no rank has less than the default schedule of the shape keeps there; `fixed` has its list's own peaks."},
        {.section = "schedule", .name = "admission", .target = schedule<&S::admission>, .choices = admissions,
         .doc = "How the limit is kept, see [scheduling](scheduling.md#admission): `drain` stops forwards at the limit; `window` admits them by their place in the hint; `graded` leaves a place for each later stage of the rank. `auto`: with chunks `window` where the limit reaches the hint's memory, else `graded`."},
        {.section = "schedule", .name = "split_weight", .target = schedule<&S::split_weight>,
         .doc = "Weight gradients are tasks of their own."},
        {.section = "schedule", .name = "deterministic", .target = schedule<&S::deterministic>,
         .doc = "Backwards run in microbatch order: gradients are bit-identical whatever the jitter."},
        {.section = "schedule", .name = "guard", .target = schedule<&S::guard>,
         .doc = "After the fourth iteration, replay three in simulation, and go on in the [fixed order](scheduling.md#guard) where that is faster and within the limits."},
        {.section = "schedule", .name = "agreement", .target = schedule<&S::agreement>, .choices = agreements,
         .doc = "How tensor-parallel ranks agree on an order: `board`, through their node's memory (`allgather` where they share none), or `allgather`."},
        {.section = "schedule", .name = "agreement_scope", .target = schedule<&S::agreement_scope>, .choices = agreement_scopes,
         .doc = "Who agrees: the ranks of a tensor group, or all that hold the same stages."},
        {.section = "schedule", .name = "plugin", .target = schedule<&S::plugin>,
         .doc = "A shared library with arbiters of its own, which `arbiter` may then name."},
        {.section = "schedule", .name = "waiting", .target = schedule<&S::waiting>, .choices = waitings,
         .doc = "How idle threads wait; `auto` is `doorbell` where StarPU-MPI has the hooks, else `nap`."},

        {.section = "train", .name = "microbatches", .target = train<&T::microbatches>, .minimum = 1, .maximum = most_microbatches,
         .doc = "Microbatches of one iteration (and replica)."},
        {.section = "train", .name = "microbatch_size", .target = train<&T::microbatch_size>, .minimum = 1, .maximum = most_microbatches,
         .unit = "samples", .doc = "Samples of a microbatch."},
        {.section = "train", .name = "iterations", .target = train<&T::iterations>, .minimum = 1, .maximum = most_iterations,
         .doc = "Iterations of the whole training, those before a resumed checkpoint included."},
        {.section = "train", .name = "seed", .target = train<&T::seed>, .minimum = 0,
         .doc = "Of parameters, data and dropout."},
        {.section = "train", .name = "learning_rate", .target = train<&T::learning_rate>, .minimum = 0, .maximum = most_rate,
         .doc = "Peak rate of AdamW: reached after the warm-up, then cosine decay."},
        {.section = "train", .name = "min_learning_rate", .target = train<&T::min_learning_rate>, .minimum = 0, .maximum = most_rate,
         .doc = "Where the decay ends."},
        {.section = "train", .name = "warmup_iterations", .target = train<&T::warmup_iterations>, .minimum = 0, .maximum = most_iterations,
         .doc = "Iterations of linear warm-up."},
        {.section = "train", .name = "weight_decay", .target = train<&T::weight_decay>, .minimum = 0, .maximum = most_decay,
         .doc = "Of AdamW."},
        {.section = "train", .name = "beta1", .target = train<&T::beta1>, .minimum = 0, .maximum = 0.9999999,
         .doc = "Of AdamW."},
        {.section = "train", .name = "beta2", .target = train<&T::beta2>, .minimum = 0, .maximum = 0.9999999,
         .doc = "Of AdamW."},
        {.section = "train", .name = "epsilon", .target = train<&T::epsilon>, .minimum = least_epsilon, .maximum = 1,
         .doc = "Of AdamW."},
        {.section = "train", .name = "clip_norm", .target = train<&T::clip_norm>, .minimum = 0, .maximum = most_norm,
         .doc = "Bound on the norm of the whole model's gradient; 0 turns clipping off."},
        {.section = "train", .name = "evaluate_every", .target = train<&T::evaluate_every>, .minimum = 0, .maximum = most_iterations,
         .unit = "iterations", .doc = "Between evaluation passes; 0 is never."},
        {.section = "train", .name = "evaluation_microbatches", .target = train<&T::evaluation_microbatches>,
         .minimum = 0, .maximum = most_microbatches, .doc = "Of an evaluation pass, of all replicas together, who share them out evenly; 0 is as many as an iteration trains on."},
        {.section = "train", .name = "continue_on_nan", .target = train<&T::continue_on_nan>,
         .doc = "Go on when the loss of an iteration is not a number; otherwise the job ends."},

        {.section = "jitter", .name = "compute_cv", .target = jitter<&Jitter::compute_cv>, .minimum = 0, .maximum = most_cv,
         .doc = "Coefficient of variation of each task's log-normal factor, mean 1."},
        {.section = "jitter", .name = "microbatch_cv", .target = jitter<&Jitter::microbatch_cv>, .minimum = 0, .maximum = most_cv,
         .doc = "The same of one factor a microbatch, shared by all its tasks."},
        {.section = "jitter", .name = "comm_mean_ms", .target = jitter<&Jitter::comm_mean_ms>, .minimum = 0, .maximum = most_ms, .unit = "ms",
         .doc = "Mean delay of a message between ranks; messages may overtake."},
        {.section = "jitter", .name = "comm_cv", .target = jitter<&Jitter::comm_cv>, .minimum = 0, .maximum = most_cv,
         .doc = "Absent: exponential delays. Given: log-normal ones with this coefficient of variation."},
        {.section = "jitter", .name = "seed", .target = jitter<&Jitter::seed>, .minimum = 0,
         .doc = "Of all draws, which are keyed by (seed, iteration, stage, microbatch, kind)."},

        {.section = "watchdog", .name = "seconds", .target = +[](Job& job) -> double& { return job.watchdog_seconds; },
         .minimum = 0, .maximum = most_seconds, .unit = "s", .doc = "Time without progress after which the job is ended; 0 is never."},

        {.section = "output", .name = "checkpoint", .target = output<&OutputSection::checkpoint>,
         .doc = "Folder for checkpoints; empty is none."},
        {.section = "output", .name = "checkpoint_every", .target = output<&OutputSection::checkpoint_every>,
         .minimum = 0, .maximum = most_iterations, .unit = "iterations", .doc = "Between checkpoints; 0 is at the end only."},
        {.section = "output", .name = "resume", .target = output<&OutputSection::resume>,
         .doc = "Continue from `checkpoint` where it holds one. Without it a folder that holds one is refused."},
        {.section = "output", .name = "resume_changed", .target = output<&OutputSection::resume_changed>,
         .doc = "Continue also where a key that determines the training is not what the checkpoint was trained with, see [resuming](training.md#resuming)."},
    };
    return keys;
}
// clang-format on

}  // namespace

std::string JobKey::path() const { return std::string(section) + "." + std::string(name); }

std::span<const JobKey> job_keys() { return table(); }

std::vector<std::string> job_sections() {
    std::vector<std::string> sections;
    for (const JobKey& key : table()) {
        if (sections.empty() || sections.back() != key.section) sections.emplace_back(key.section);
    }
    return sections;
}

std::vector<std::string> job_key_names(std::string_view section) {
    std::vector<std::string> names;
    for (const JobKey& key : table()) {
        if (key.section == section) names.emplace_back(key.name);
    }
    return names;
}

const JobKey* find_job_key(std::string_view section, std::string_view name) {
    const auto& keys = table();
    const auto found = std::find_if(keys.begin(), keys.end(), [&](const JobKey& key) {
        return key.section == section && key.name == name;
    });
    return found == keys.end() ? nullptr : &*found;
}

}  // namespace rrfp
