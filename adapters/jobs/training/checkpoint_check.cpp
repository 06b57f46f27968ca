#include "adapters/jobs/training/checkpoint_check.h"

#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapters/jobs/training/manifest.h"
#include "adapters/jobs/training/rank_file.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;

constexpr const char* another = "set output.resume = false and choose another output.checkpoint";

template <class... Parts>
[[noreturn]] void refuse(const Job& job, fmt::format_string<Parts...> why, Parts&&... parts) {
    throw std::runtime_error(fmt::format("{}: {}", manifest_path(job.output.checkpoint),
                                         fmt::format(why, std::forward<Parts>(parts)...)));
}

[[noreturn]] void refuse_file(const Checkpoint& checkpoint, int rank, const std::string& fault) {
    throw std::runtime_error(
        fmt::format("{}: {}; restore the file of rank {} of {}, or move {} away to start anew",
                    checkpoint.file(rank), fault, rank, checkpoint.ranks,
                    fs::path(checkpoint.folder).parent_path().string()));
}

void check_model(const Checkpoint& found, const Job& job) {
    if (found.model != describe_model(job)) {
        refuse(job, "of another model ({}) than the job's ({}); {}", found.model,
               describe_model(job), another);
    }
    if (found.layout != describe_layout(job)) {
        refuse(job, "of another layout ({}) than the job's ({}); give the job that one, or {}",
               found.layout, describe_layout(job), another);
    }
    if (const int ranks = job.layout().world_size(); found.ranks != ranks) {
        refuse(job, "names the files of {} ranks, its layout has {}; restore it, or {}",
               found.ranks, ranks, another);
    }
}

std::vector<std::string> texts_of(const std::vector<FactChange>& changes) {
    std::vector<std::string> texts;
    for (const FactChange& change : changes) texts.push_back(change.text());
    return texts;
}

void check_facts(const Checkpoint& found, const Job& job) {
    if (found.iteration > static_cast<std::uint64_t>(job.train.iterations)) {
        refuse(job, "has {} iterations done, the job has train.iterations = {}; raise it, or {}",
               found.iteration, job.train.iterations, another);
    }
    const std::vector<FactChange> changed = changes_of(found.facts, job, found.iteration).numbers;
    if (changed.empty() || job.output.resume_changed) return;
    refuse(job,
           "trained with {}: give the job what it was, {}, or set output.resume_changed = true to "
           "go on with what it has now; no uninterrupted run would have come to the same",
           fmt::join(texts_of(changed), "; "), another);
}

void check_files(const Checkpoint& found) {
    for (int rank = 0; rank < found.ranks; ++rank) {
        if (const auto fault = rank_file_fault(found.file(rank), found.notes(rank))) {
            refuse_file(found, rank, *fault);
        }
        if (!found.verifiable()) continue;
        const auto bytes = fs::file_size(found.file(rank));
        const auto expected = found.files[static_cast<std::size_t>(rank)].bytes;
        if (bytes != static_cast<std::uintmax_t>(expected)) {
            refuse_file(found, rank,
                        fmt::format("has {} bytes, its checkpoint says {}", bytes, expected));
        }
    }
}

}  // namespace

std::optional<Checkpoint> check_checkpoint(const Job& job) {
    if (!job.output.resume) return std::nullopt;
    std::optional<Checkpoint> found = current_checkpoint(job.output.checkpoint);
    if (!found) return std::nullopt;
    check_model(*found, job);
    check_facts(*found, job);
    check_files(*found);
    return found;
}

std::vector<std::string> warnings_of(const Checkpoint& found, const Job& job) {
    std::vector<std::string> lines;
    if (!found.verifiable()) {
        lines.push_back(fmt::format(
            "{} is of an older format: neither can its files be verified, nor whether the job has "
            "what they were trained with; the next save is of the new one",
            manifest_path(job.output.checkpoint)));
    }
    const FactChanges changes = changes_of(found.facts, job, found.iteration);
    for (const FactChange& change : changes.numbers) {
        lines.push_back(
            fmt::format("the checkpoint was trained with {}: no uninterrupted run "
                        "would come to what this one does",
                        change.text()));
    }
    for (const FactChange& change : changes.rounding) {
        lines.push_back(
            fmt::format("the checkpoint was trained with {}: from here on sums may be "
                        "rounded in another way",
                        change.text()));
    }
    return lines;
}

void require_nothing_replaced(const Job& job) {
    if (job.output.resume || job.output.checkpoint.empty()) return;
    const std::optional<Checkpoint> found = current_checkpoint(job.output.checkpoint);
    if (!found) return;
    throw std::runtime_error(fmt::format(
        "holds a checkpoint of {} iterations, which this job would replace; set output.resume = "
        "true to continue it, choose another folder, or move it away",
        found->iteration));
}

}  // namespace rrfp
