#include "runtime/starpu/tracing/trace.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <starpu.h>
#include <stdexcept>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "runtime/starpu/calls/starpu_prefix.h"
#include "runtime/starpu/tracing/fxt_file.h"
#include "runtime/starpu/tracing/paje_counts.h"
#include "runtime/system/child_process.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view own_prefix = "prof_file_rrfp_";

/// StarPU names its files prof_file_<user>_<rank>, rrfp itself prof_file_rrfp_<rank>. What has such
/// a name and is no regular file is none of them.
std::optional<int> rank_of_file(const fs::directory_entry& entry) {
    const std::string name = entry.path().filename();
    if (!name.starts_with("prof_file_") || !fs::is_regular_file(entry.symlink_status())) {
        return std::nullopt;
    }
    const char* first = name.data() + name.rfind('_') + 1;
    const char* last = name.data() + name.size();
    int rank = 0;
    const auto [end, error] = std::from_chars(first, last, rank);
    if (error != std::errc() || end != last || rank < 0) return std::nullopt;
    return rank;
}

/// StarPU's tools put the names of their files behind it in 256 bytes, and cut what is longer.
constexpr std::size_t longest_folder = 200;

std::vector<fs::directory_entry> entries_of(const std::string& folder) {
    return {fs::directory_iterator(folder), {}};
}

/// Why `entries` keep a run from leaving its trace among them: rank files of other programs, which
/// are not ours to remove and would be merged with its own.
std::optional<std::string> strangers_among(const std::vector<fs::directory_entry>& entries) {
    for (const fs::directory_entry& entry : entries) {
        const std::string name = entry.path().filename();
        if (!rank_of_file(entry) || name.starts_with(own_prefix)) continue;
        return fmt::format(
            "holds {}, a trace of another program; give another folder, or move it "
            "away",
            name);
    }
    return std::nullopt;
}

using RankFiles = std::map<int, std::string>;

RankFiles find_rank_files(const std::string& folder) {
    RankFiles files;
    if (!fs::is_directory(folder)) {
        throw std::runtime_error(fmt::format(
            "trace folder {} does not exist; give the folder of rrfp run --trace", folder));
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const auto rank = rank_of_file(entry);
        if (!rank) continue;
        const auto [other, added] = files.emplace(*rank, entry.path());
        if (!added) {
            throw std::runtime_error(fmt::format(
                "trace folder {} holds two files of rank {}: {} and {}. Remove those of "
                "the older run",
                folder, *rank, other->second, entry.path().string()));
        }
    }
    if (files.empty()) {
        throw NoTraces(fmt::format(
            "trace folder {} holds no prof_file_*_<rank>: the run was not traced, or did not end "
            "well. Run with --trace {}",
            folder, folder));
    }
    return files;
}

/// What one rank recorded. Runs of one rank record no synchronisation.
struct RankTrace {
    std::string file;
    std::vector<SyncPoint> points;
};

std::vector<RankTrace> read_ranks(const RankFiles& files) {
    std::vector<RankTrace> traces;
    for (const auto& [rank, file] : files) traces.push_back({file, find_sync_points(file)});
    return traces;
}

void check_complete(const std::string& folder, const RankFiles& files,
                    const std::vector<RankTrace>& traces) {
    std::size_t ranks = files.size();
    for (const RankTrace& trace : traces) {
        for (const SyncPoint& point : trace.points) ranks = std::max(ranks, point.ranks);
    }
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        if (files.contains(static_cast<int>(rank))) continue;
        throw std::runtime_error(fmt::format(
            "trace folder {} lacks the file of rank {} (of {} ranks). That rank did not end well, "
            "or ran on another node: copy its prof_file_*_{} here",
            folder, rank, ranks, rank));
    }
}

void check_one_run(const std::vector<RankTrace>& traces) {
    const auto& first = traces.front().points;
    for (const RankTrace& trace : traces) {
        if (trace.points.size() == first.size() &&
            (first.empty() ||
             (trace.points[0].run == first[0].run && trace.points[0].ranks == traces.size()))) {
            continue;
        }
        throw std::runtime_error(
            fmt::format("{} and {} come from different runs, or one of them is cut short. Remove "
                        "the files of other runs and trace again",
                        traces.front().file, trace.file));
    }
}

std::uint64_t latest_exit(const std::vector<RankTrace>& traces, std::size_t barrier) {
    std::uint64_t latest = 0;
    for (const RankTrace& trace : traces) {
        latest = std::max(latest, trace.points[barrier].time_ns);
    }
    return latest;
}

/// Ranks leave a barrier within a second of each other; clocks of different nodes, which count from
/// each node's start, do not agree so well.
bool share_a_clock(const std::vector<RankTrace>& traces) {
    constexpr std::uint64_t second_ns = 1'000'000'000;
    for (std::size_t barrier = 0; barrier < traces.front().points.size(); ++barrier) {
        const std::uint64_t latest = latest_exit(traces, barrier);
        for (const RankTrace& trace : traces) {
            if (latest - trace.points[barrier].time_ns > second_ns) return false;
        }
    }
    return true;
}

/// starpu_fxt_tool shifts each rank by when it left the barriers. On one clock these shifts are
/// errors, of milliseconds on a loaded machine, and messages seem to arrive before they are sent.
/// One time for all ranks makes every shift zero.
void write_common_times(const std::vector<RankTrace>& traces) {
    for (std::size_t barrier = 0; barrier < traces.front().points.size(); ++barrier) {
        const std::uint64_t latest = latest_exit(traces, barrier);
        for (const RankTrace& trace : traces) {
            write_sync_time(trace.file, trace.points[barrier], latest);
        }
    }
}

void run_fxt_tool(const std::string& folder, const std::vector<RankTrace>& traces) {
    const std::string tool = starpu_prefix() + "/bin/starpu_fxt_tool";
    if (!fs::exists(tool)) {
        throw std::runtime_error(fmt::format(
            "{} does not exist: StarPU was built without FxT. Build it with scripts/setup, or with "
            "--with-fxt",
            tool));
    }
    std::vector<std::string> command{tool, "-d", folder, "-i"};
    for (const RankTrace& trace : traces) command.push_back(trace.file);
    const ProgramResult result = run_program(command);
    if (result.exit_code != 0) {
        throw std::runtime_error(
            fmt::format("{} failed with code {}: {}", tool, result.exit_code, result.output));
    }
}

}  // namespace

bool starpu_has_fxt() {
#ifdef STARPU_USE_FXT
    return true;
#else
    return false;
#endif
}

std::optional<std::string> why_trace_is_cut(const std::string& folder, std::uint64_t least_bytes) {
    std::error_code error;
    const std::uint64_t free = fs::space(folder, error).available;
    if (error || free >= least_bytes) return std::nullopt;
    return fmt::format(
        "trace folder {}: its disk has {} bytes left, so that files there ({}* and "
        "what they are merged into) are cut; make room, or give another folder",
        folder, free, own_prefix);
}

void prepare_trace_folder(const std::string& folder) {
    if (!starpu_has_fxt()) {
        throw std::runtime_error(fmt::format(
            "a trace into {} needs a StarPU with FxT, and this one has none. Build StarPU with "
            "scripts/setup, or with --with-fxt",
            folder));
    }
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || access(folder.c_str(), W_OK | X_OK) != 0) {
        throw std::runtime_error(
            fmt::format("trace folder {} cannot be created or written ({}); choose another", folder,
                        error ? error.message() : "no permission"));
    }
    const std::vector<fs::directory_entry> before = entries_of(folder);
    if (const auto why = strangers_among(before)) {
        throw std::runtime_error(fmt::format("trace folder {} {}", folder, *why));
    }
    for (const fs::directory_entry& entry : before) {
        if (rank_of_file(entry)) fs::remove(entry.path());
    }
}

std::optional<std::string> why_no_trace_folder(const std::string& folder) {
    if (folder.size() > longest_folder) {
        return fmt::format(
            "has a path of {} bytes; StarPU's tools take {} at most, give a shorter "
            "one",
            folder.size(), longest_folder);
    }
    std::error_code none;
    return fs::is_directory(folder, none) ? strangers_among(entries_of(folder)) : std::nullopt;
}

MergedTrace merge_trace(const std::string& folder) {
    const RankFiles files = find_rank_files(folder);
    const std::vector<RankTrace> traces = read_ranks(files);
    check_complete(folder, files, traces);
    check_one_run(traces);
    MergedTrace merged;
    merged.ranks = static_cast<int>(traces.size());
    merged.one_clock = share_a_clock(traces);
    if (merged.one_clock) write_common_times(traces);
    run_fxt_tool(folder, traces);
    merged.file = (fs::path(folder) / "paje.trace").string();
    // The tool does not look whether what it writes arrives.
    if (const auto cut = why_trace_is_cut(folder)) throw std::runtime_error(*cut);
    const PajeCounts counts = count_paje(merged.file);
    merged.states = counts.states;
    merged.links = counts.links;
    return merged;
}

}  // namespace rrfp
