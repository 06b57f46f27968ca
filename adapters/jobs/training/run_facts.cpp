#include "adapters/jobs/training/run_facts.h"

#include <fmt/format.h>

namespace rrfp {
namespace {

constexpr const char* text_key = "data.text";
constexpr const char* iterations_key = "train.iterations";

/// What changes no sample and no step, only the order in which a sum is taken.
RunFacts rounding_facts(const Job& job) {
    return {{"parallel.sequence_parallel", fmt::format("{}", job.parallel.sequence_parallel)},
            {"parallel.threads", fmt::format("{}", job.parallel.threads)},
            {"schedule.deterministic", fmt::format("{}", job.schedule.deterministic)}};
}

/// Doubles are written so that they read back as the same bits.
RunFacts number_facts(const Job& job) {
    const TrainSection& train = job.train;
    const FileIdentity& text = job.data.text_file;
    return {{text_key, text.known() ? to_text(text) : ""},
            {"data.validation_fraction", fmt::format("{}", job.data.validation_fraction)},
            {"model.dropout", fmt::format("{}", job.model.dropout)},
            {"train.beta1", fmt::format("{}", train.beta1)},
            {"train.beta2", fmt::format("{}", train.beta2)},
            {"train.clip_norm", fmt::format("{}", train.clip_norm)},
            {"train.epsilon", fmt::format("{}", train.epsilon)},
            {iterations_key, fmt::format("{}", train.iterations)},
            {"train.learning_rate", fmt::format("{}", train.learning_rate)},
            {"train.microbatch_size", fmt::format("{}", train.microbatch_size)},
            {"train.microbatches", fmt::format("{}", train.microbatches)},
            {"train.min_learning_rate", fmt::format("{}", train.min_learning_rate)},
            {"train.seed", fmt::format("{}", train.seed)},
            {"train.warmup_iterations", fmt::format("{}", train.warmup_iterations)},
            {"train.weight_decay", fmt::format("{}", train.weight_decay)}};
}

/// Whether the number of iterations had a part in the rates of the first `done` of them.
bool iterations_matter(const TrainSection& train, std::uint64_t done) {
    const bool decays = train.min_learning_rate != train.learning_rate;
    // The first iteration after the warm-up has the peak rate, however long the decay will be.
    return decays && done > static_cast<std::uint64_t>(train.warmup_iterations) + 1;
}

bool matters(const std::string& key, const std::string& saved, const std::string& now,
             const Job& job, std::uint64_t done) {
    if (key == text_key) return !saved.empty() && !now.empty();
    if (key == iterations_key) return iterations_matter(job.train, done);
    return true;
}

std::vector<FactChange> differences(const RunFacts& saved, const RunFacts& now, const Job& job,
                                    std::uint64_t done) {
    std::vector<FactChange> changes;
    for (const auto& [key, value] : now) {
        const auto found = saved.find(key);
        if (found == saved.end() || found->second == value) continue;
        if (matters(key, found->second, value, job, done)) {
            changes.push_back({.key = key, .saved = found->second, .now = value});
        }
    }
    return changes;
}

}  // namespace

RunFacts facts_of(const Job& job) {
    RunFacts facts = number_facts(job);
    facts.merge(rounding_facts(job));
    return facts;
}

std::string FactChange::text() const { return fmt::format("{} = {}, now {}", key, saved, now); }

FactChanges changes_of(const RunFacts& saved, const Job& job, std::uint64_t done) {
    return {.numbers = differences(saved, number_facts(job), job, done),
            .rounding = differences(saved, rounding_facts(job), job, done)};
}

}  // namespace rrfp
