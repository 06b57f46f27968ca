#include "adapters/jobs/training/checkpoint.h"

#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "adapters/files/bounded_json.h"
#include "adapters/files/durable_file.h"
#include "adapters/files/safetensors_check.h"
#include "runtime/system/regular_file.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;

constexpr const char* format_name = "rrfp checkpoint 2";

fs::path manifest_path(const std::string& folder) { return fs::path(folder) / "checkpoint.json"; }

nlohmann::json to_json(const Checkpoint& checkpoint) {
    return {{"format", format_name},
            {"iteration", checkpoint.iteration},
            {"ranks", checkpoint.ranks},
            {"layout", checkpoint.layout},
            {"seed", checkpoint.seed},
            {"model", checkpoint.model},
            {"folder", fs::path(checkpoint.folder).filename().string()}};
}

Checkpoint from_json(const nlohmann::json& manifest, const std::string& folder) {
    if (manifest.at("format") != format_name) {
        throw std::runtime_error(
            fmt::format("its format is {}, not \"{}\"", manifest.at("format").dump(), format_name));
    }
    const fs::path name = manifest.at("folder").get<std::string>();
    return {.iteration = manifest.at("iteration"),
            .ranks = manifest.at("ranks"),
            .layout = manifest.at("layout"),
            .seed = manifest.at("seed"),
            .model = manifest.at("model"),
            .folder = fs::path(folder) / name.filename()};
}

std::optional<Checkpoint> read_manifest(const std::string& folder) {
    const fs::path path = manifest_path(folder);
    std::error_code unknown;
    if (!fs::exists(path, unknown) && !unknown) return std::nullopt;
    try {
        constexpr FileKind manifest{.remedy = "it must be a file", .most_bytes = 1 << 20};
        return from_json(parse_json(read_file(path, manifest)), folder);
    } catch (const std::exception& error) {
        throw std::runtime_error(fmt::format(
            "{}: no manifest of a checkpoint: {}; restore it, or choose another output.checkpoint",
            path.string(), error.what()));
    }
}

/// Two names take turns where one iteration is saved twice, so that the checkpoint in force is
/// never written over.
fs::path next_folder(const std::string& folder, std::uint64_t iteration) {
    const fs::path name = fs::path(folder) / fmt::format("iteration-{}", iteration);
    const std::optional<Checkpoint> in_force = read_manifest(folder);
    return in_force && in_force->folder == name ? fs::path(name.string() + "-again") : name;
}

[[noreturn]] void refuse_file(const Checkpoint& checkpoint, int rank, const std::string& fault) {
    throw std::runtime_error(
        fmt::format("{}: {}; restore the file of rank {} of {}, or remove {} to start anew",
                    checkpoint.file(rank), fault, rank, checkpoint.ranks,
                    fs::path(checkpoint.folder).parent_path().string()));
}

void require_files(const Checkpoint& checkpoint) {
    for (int rank = 0; rank < checkpoint.ranks; ++rank) {
        if (!fs::is_regular_file(checkpoint.file(rank))) refuse_file(checkpoint, rank, "missing");
    }
}

void require_whole_files(const Checkpoint& checkpoint) {
    for (int rank = 0; rank < checkpoint.ranks; ++rank) {
        if (const auto fault = safetensors_fault(checkpoint.file(rank))) {
            refuse_file(checkpoint, rank, *fault);
        }
    }
}

/// Removes what earlier saves left beside `kept`; a folder that stays costs space alone, so errors
/// are no reason to stop.
void remove_others(const std::string& folder, const fs::path& kept) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename();
        if (name.starts_with("iteration-") && entry.path() != kept) {
            fs::remove_all(entry.path(), ignored);
        }
    }
}

}  // namespace

std::string Checkpoint::file(int rank) const {
    return fs::path(folder) / fmt::format("rank-{}.safetensors", rank);
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

std::optional<Checkpoint> find_checkpoint(const std::string& folder) {
    const std::optional<Checkpoint> found = read_manifest(folder);
    if (found) require_files(*found);
    return found;
}

std::optional<Checkpoint> check_checkpoint(const Job& job) {
    if (!job.output.resume) return std::nullopt;
    const std::optional<Checkpoint> found = find_checkpoint(job.output.checkpoint);
    if (!found) return std::nullopt;
    const std::string place = manifest_path(job.output.checkpoint);
    constexpr const char* remedy = "set output.resume = false or choose another output.checkpoint";
    if (found->model != describe_model(job)) {
        throw std::runtime_error(fmt::format("{}: of another model ({}) than the job's ({}); {}",
                                             place, found->model, describe_model(job), remedy));
    }
    if (found->layout != describe_layout(job)) {
        throw std::runtime_error(
            fmt::format("{}: of another layout ({}) than the job's ({}); give the job that one, {}",
                        place, found->layout, describe_layout(job), remedy));
    }
    if (found->seed != job.train.seed) {
        throw std::runtime_error(
            fmt::format("{}: trained with seed {}, the job has train.seed = {}; set it to {}, {}",
                        place, found->seed, job.train.seed, found->seed, remedy));
    }
    if (found->iteration > static_cast<std::uint64_t>(job.train.iterations)) {
        throw std::runtime_error(fmt::format(
            "{}: has {} iterations done, the job has train.iterations = {}; raise it, {}", place,
            found->iteration, job.train.iterations, remedy));
    }
    require_whole_files(*found);
    return found;
}

std::string checkpoint_file(const std::string& folder, std::uint64_t iteration, int rank) {
    const Checkpoint next{.folder = next_folder(folder, iteration)};
    std::error_code error;
    fs::create_directories(next.folder, error);
    if (error) {
        throw std::runtime_error(
            fmt::format("{}: cannot create the folder: {}", next.folder, error.message()));
    }
    return next.file(rank);
}

void commit_checkpoint(const Job& job, std::uint64_t iteration) {
    const std::string& folder = job.output.checkpoint;
    const Checkpoint next{.iteration = iteration,
                          .ranks = job.layout().world_size(),
                          .layout = describe_layout(job),
                          .seed = job.train.seed,
                          .model = describe_model(job),
                          .folder = next_folder(folder, iteration)};
    require_files(next);
    write_durably(manifest_path(folder), json_text(to_json(next)) + "\n");
    remove_others(folder, next.folder);
}

}  // namespace rrfp
