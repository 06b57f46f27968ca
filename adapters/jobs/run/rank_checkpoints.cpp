#include "adapters/jobs/run/rank_checkpoints.h"

#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapters/collectives/world.h"
#include "adapters/jobs/training/checkpoint_check.h"
#include "adapters/jobs/training/checkpoint_save.h"
#include "adapters/jobs/training/manifest.h"
#include "adapters/jobs/training/rank_file.h"
#include "runtime/starpu/failing/life_sign.h"

namespace rrfp {
namespace {

constexpr char refused = 'r';  // what leads rank 0's text: why not, or the manifest
constexpr char opened = 'o';

constexpr int bad_input = 2;  // the exit code: nothing has been trained

std::string remedy(const Checkpoint& checkpoint, int rank) {
    return fmt::format(
        "restore the file of rank {} of {}, or move the checkpoint away to start "
        "anew",
        rank, checkpoint.ranks);
}

/// What the ranks found, each of them once a line.
std::string joined(const std::vector<std::string>& faults) {
    constexpr std::size_t shown = 4;
    std::vector<std::string> lines;
    for (const std::string& fault : faults) {
        if (!fault.empty()) lines.push_back(fault);
    }
    if (lines.size() > shown) {
        const std::size_t more = lines.size() - shown;
        lines.resize(shown);
        lines.push_back(fmt::format("and {} files more", more));
    }
    return fmt::format("{}", fmt::join(lines, "\n"));
}

/// Does `work` as one who writes a checkpoint.
template <class Work>
auto writing(Work&& work) {
    const InPhase phase(Phase::checkpoint);
    return work();
}

FileIdentity read_identity(const std::string& text) {
    const std::size_t blank = text.find(' ');
    return {.bytes = std::stoll(text.substr(0, blank)), .sha256 = text.substr(blank + 1)};
}

}  // namespace

RankCheckpoints::RankCheckpoints(const Job& job, const RunHooks& hooks, int world_rank,
                                 Trainer* trainer)
    : job_(job), hooks_(hooks), rank_(world_rank), trainer_(trainer) {}

std::string RankCheckpoints::open_folder() {
    const InPhase phase(Phase::loading);
    const std::string& folder = job_.output.checkpoint;
    lock_.emplace(folder);
    if (hooks_.warned && !lock_->notice().empty()) hooks_.warned(lock_->notice());
    require_nothing_replaced(job_);
    const std::optional<Checkpoint> found = check_checkpoint(job_);
    if (!found) return {};
    tell(*found);
    return read_manifest(folder).value();
}

void RankCheckpoints::tell(const Checkpoint& found) const {
    if (hooks_.resumed) {
        hooks_.resumed(fmt::format("continues {}: {} of {} iterations done", found.folder,
                                   found.iteration, job_.train.iterations));
    }
    if (!hooks_.warned) return;
    for (const std::string& line : warnings_of(found, job_)) hooks_.warned(line);
}

int RankCheckpoints::resume() {
    if (!keeps()) return 0;
    std::string text;
    if (rank_ == 0) {
        try {
            text = opened + open_folder();
        } catch (const std::runtime_error& error) {
            text = refused + std::string(error.what());
        }
    }
    text = broadcast(std::move(text));
    if (text.front() == refused) throw RunStopped(text.substr(1), bad_input);
    text.erase(0, 1);
    if (text.empty()) return 0;
    const Checkpoint checkpoint = parse_manifest(text, job_.output.checkpoint);
    const std::string faults = joined(all_gather(load(checkpoint)));
    if (!faults.empty()) throw RunStopped(faults, bad_input);
    return static_cast<int>(checkpoint.iteration);
}

std::string RankCheckpoints::load(const Checkpoint& checkpoint) {
    const InPhase phase(Phase::loading);
    const std::string file = checkpoint.file(rank_);
    const auto refuse = [&](const std::string& why) {
        return fmt::format("{}: {}; {}", file, why, remedy(checkpoint, rank_));
    };
    try {
        if (const auto fault = rank_file_fault(file, checkpoint.notes(rank_))) {
            return refuse(*fault);
        }
        const FileIdentity found = trainer_->load(file);
        if (!checkpoint.verifiable()) return {};
        const FileIdentity& expected = checkpoint.files.at(static_cast<std::size_t>(rank_));
        if (found == expected) return {};
        return refuse(
            fmt::format("damaged: has {}, was written as {}", to_text(found), to_text(expected)));
    } catch (const std::runtime_error& error) {
        return fmt::format("{}; {}", error.what(), remedy(checkpoint, rank_));
    }
}

void RankCheckpoints::save(int done) {
    if (!keeps()) return;
    const auto iteration = static_cast<std::uint64_t>(done);
    Checkpoint mine = describe_checkpoint(job_, iteration);
    const auto begin = [&] { return begin_save(job_.output.checkpoint, iteration); };
    mine.folder = broadcast(rank_ == 0 ? writing(begin) : "");
    const FileIdentity written =
        writing([&] { return trainer_->save(mine.file(rank_), mine.notes(rank_)); });
    const auto texts = gather(fmt::format("{} {}", written.bytes, written.sha256));
    if (rank_ == 0) {
        std::vector<FileIdentity> files;
        for (const std::string& text : texts) files.push_back(read_identity(text));
        writing([&] { commit_save(job_, iteration, mine.folder, std::move(files)); });
    }
    broadcast("");
}

}  // namespace rrfp
