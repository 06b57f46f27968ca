#include "adapters/jobs/training/checkpoint.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapters/files/sha256.h"

namespace rrfp {

std::string Checkpoint::file(int rank) const {
    return std::filesystem::path(folder) / fmt::format("rank-{}.safetensors", rank);
}

std::map<std::string, std::string> Checkpoint::notes(int rank) const {
    std::map<std::string, std::string> notes = {{"iteration", std::to_string(iteration)}};
    if (run.empty()) return notes;
    notes["rank"] = fmt::format("{} of {}", rank, ranks);
    notes["run"] = run;
    return notes;
}

std::string describe_model(const Job& job) {
    return fmt::format("{}: layers = {}, hidden = {}, heads = {}, sequence = {}{}", job.model.kind,
                       job.model.layers, job.model.hidden, job.model.heads, job.model.sequence,
                       job.model.tied_embeddings ? ", tied embeddings" : "");
}

std::string describe_layout(const Job& job) {
    const Placement placement = job.placement();
    std::vector<int> ranks;
    for (int stage = 0; stage < placement.stages(); ++stage) {
        ranks.push_back(placement.rank_of(stage));
    }
    return fmt::format("pipeline = {}, data = {}, tensor = {}, stages on ranks [{}], layers [{}]",
                       job.parallel.pipeline, job.parallel.data, job.parallel.tensor,
                       fmt::join(ranks, ", "), fmt::join(job.layers_of_stages(), ", "));
}

std::string run_of(const Checkpoint& checkpoint) {
    std::string text = checkpoint.model + '\n' + checkpoint.layout + '\n';
    for (const auto& [key, value] : checkpoint.facts) text += key + " = " + value + '\n';
    return sha256_hex(text.data(), text.size());
}

Checkpoint describe_checkpoint(const Job& job, std::uint64_t iteration) {
    Checkpoint checkpoint{.iteration = iteration,
                          .ranks = job.layout().world_size(),
                          .layout = describe_layout(job),
                          .model = describe_model(job),
                          .facts = facts_of(job)};
    checkpoint.run = run_of(checkpoint);
    return checkpoint;
}

}  // namespace rrfp
