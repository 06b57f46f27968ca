#include "adapters/jobs/training/checkpoint_save.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "adapters/files/durable_file.h"
#include "adapters/jobs/training/checkpoint.h"
#include "adapters/jobs/training/manifest.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;

constexpr const char* mark = "removable";
constexpr const char* mark_text =
    "Written by rrfp. Unless the manifest beside this folder names it, a later save removes the "
    "checkpoint in here: it was cut short, or another one has replaced it.\n";

[[noreturn]] void fail(const fs::path& path, const char* step, const std::error_code& error) {
    throw std::runtime_error(
        fmt::format("{}: cannot {}: {}", path.string(), step, error.message()));
}

/// At once, without waiting for the disk: a mark that is lost costs space alone.
bool set_mark(const fs::path& folder) {
    std::ofstream file(folder / mark);
    file << mark_text << std::flush;
    return file.good();
}

bool consists_of(std::string_view text, std::string_view letters) {
    return !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
}

/// Whether a rank writes a file `name`: its own, or the temporary one that becomes it, whose name
/// ends in .part or is a number.
bool is_rank_file(std::string_view name) {
    constexpr std::string_view hidden = ".rrfp-";
    if (name.starts_with(hidden)) {
        return consists_of(name.substr(hidden.size()), "0123456789abcdef");
    }
    constexpr std::string_view prefix = "rank-";
    if (!name.starts_with(prefix)) return false;
    const std::string_view rest = name.substr(prefix.size());
    const std::size_t dot = rest.find('.');
    if (dot == std::string_view::npos || !consists_of(rest.substr(0, dot), "0123456789")) {
        return false;
    }
    const std::string_view ending = rest.substr(dot);
    return ending == ".safetensors" || ending == ".safetensors.part";
}

/// Removes what a save has written in the marked `folder`, the mark last, and the folder where
/// nothing else lies in it. What stays costs space alone, so errors are no reason to stop.
void remove_save(const fs::path& folder) {
    std::error_code ignored;
    if (!fs::is_directory(fs::symlink_status(folder, ignored))) return;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (is_rank_file(entry.path().filename().native()) && entry.is_regular_file(ignored)) {
            fs::remove(entry.path(), ignored);
        }
    }
    fs::remove(folder / mark, ignored);
    fs::remove(folder, ignored);  // leaves a folder that holds anything
}

/// Everything that a save has written and the manifest, which names `kept`, does not.
void remove_marked(const fs::path& folder, const fs::path& kept) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.path() == kept || !is_save_name(entry.path().filename())) continue;
        if (fs::is_regular_file(fs::symlink_status(entry.path() / mark, ignored))) {
            remove_save(entry.path());
        }
    }
}

void require_files(const Checkpoint& checkpoint) {
    for (int rank = 0; rank < checkpoint.ranks; ++rank) {
        std::error_code error;
        const auto bytes = fs::file_size(checkpoint.file(rank), error);
        if (error) fail(checkpoint.file(rank), "find what its rank wrote", error);
        const auto written = checkpoint.files.at(static_cast<std::size_t>(rank)).bytes;
        if (bytes == static_cast<std::uintmax_t>(written)) continue;
        throw std::runtime_error(
            fmt::format("{}: has {} bytes, its rank wrote {}; let no other program write there",
                        checkpoint.file(rank), bytes, written));
    }
}

}  // namespace

std::string begin_save(const std::string& folder, std::uint64_t iteration) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) fail(folder, "create the folder", error);
    const std::string name = fmt::format("iteration-{}", iteration);
    fs::path place = fs::path(folder) / name;
    for (int next = 2; !fs::create_directory(place, error); ++next) {
        if (error && error != std::errc::file_exists) fail(place, "create the folder", error);
        place = fs::path(folder) / fmt::format("{}-{}", name, next);
    }
    if (!set_mark(place)) {
        fail(place / mark, "create", std::error_code(errno, std::generic_category()));
    }
    return place;
}

void commit_save(const Job& job, std::uint64_t iteration, const std::string& save_folder,
                 std::vector<FileIdentity> files) {
    const fs::path folder = job.output.checkpoint;
    const std::optional<Checkpoint> before = current_checkpoint(folder);
    Checkpoint next = describe_checkpoint(job, iteration);
    next.folder = save_folder;
    next.files = std::move(files);
    require_files(next);
    // Before it is replaced, and so at every moment: a mark counts for nothing where the manifest
    // names the folder.
    if (before && fs::is_directory(before->folder)) set_mark(before->folder);
    write_durably(manifest_path(folder), manifest_text(next));
    std::error_code ignored;
    fs::remove(fs::path(save_folder) / mark, ignored);
    try {
        remove_marked(folder, save_folder);
    } catch (const fs::filesystem_error&) {
        return;  // of reading the folder: the next save tries again
    }
}

}  // namespace rrfp
