#include "adapters/jobs/training/manifest.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "adapters/files/bounded_json.h"
#include "runtime/system/regular_file.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* format_name = "rrfp checkpoint 3";
constexpr const char* format_before = "rrfp checkpoint 2";
constexpr std::uint64_t most_bytes = 16u << 20;  // of a manifest: enough for 100000 ranks

template <class... Parts>
[[noreturn]] void fail(fmt::format_string<Parts...> text, Parts&&... parts) {
    throw std::runtime_error(fmt::format(text, std::forward<Parts>(parts)...));
}

const json& member(const json& object, const char* name) {
    if (!object.is_object()) fail("it is no JSON object but {}", object.type_name());
    const auto found = object.find(name);
    if (found == object.end()) fail("it has no {}", name);
    return *found;
}

std::string text(const json& object, const char* name) {
    const json& value = member(object, name);
    if (!value.is_string()) fail("its {} is no text but {}", name, value.type_name());
    return value.get<std::string>();
}

/// The JSON library would round other numbers, and wrap negative ones.
std::uint64_t number(const json& object, const char* name, std::uint64_t least,
                     std::uint64_t most) {
    const json& value = member(object, name);
    if (value.is_number_unsigned()) {
        const auto found = value.get<std::uint64_t>();
        if (found >= least && found <= most) return found;
    }
    fail("its {} is {}, no whole number from {} to {}", name,
         value.is_number() ? value.dump() : value.type_name(), least, most);
}

constexpr std::uint64_t most_number = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t most_ranks = std::numeric_limits<int>::max();

bool is_number(std::string_view word) {
    return !word.empty() &&
           std::ranges::all_of(word, [](char letter) { return letter >= '0' && letter <= '9'; });
}

std::string save_name(const json& manifest) {
    std::string name = text(manifest, "folder");
    if (!is_save_name(name)) fail("its folder is no name as iteration-12 is one");
    return name;
}

FileIdentity parse_file(const json& entry, std::uint64_t rank, std::uint64_t iteration) {
    number(entry, "rank", rank, rank);
    number(entry, "iteration", iteration, iteration);
    FileIdentity file{.bytes = static_cast<std::int64_t>(number(entry, "bytes", 0, most_number)),
                      .sha256 = text(entry, "sha256")};
    const auto is_digit = [](char letter) {
        return is_number({&letter, 1}) || (letter >= 'a' && letter <= 'f');
    };
    if (file.sha256.size() != 64 || !std::ranges::all_of(file.sha256, is_digit)) {
        fail("the sha256 of rank {}'s file is none", rank);
    }
    return file;
}

RunFacts parse_facts(const json& manifest) {
    RunFacts facts;
    for (const auto& [key, value] : member(manifest, "trained_with").items()) {
        if (!value.is_string()) fail("its {} is no text but {}", key, value.type_name());
        facts.emplace(key, value.get<std::string>());
    }
    for (const auto& [key, value] : facts_of({})) {
        if (!facts.contains(key)) fail("it does not say what {} was", key);
    }
    return facts;
}

/// Has neither hashes nor facts, but for one.
void parse_format_before(const json& manifest, Checkpoint& checkpoint) {
    checkpoint.ranks = static_cast<int>(number(manifest, "ranks", 1, most_ranks));
    checkpoint.facts["train.seed"] =
        std::to_string(number(manifest, "seed", 0, std::numeric_limits<std::uint64_t>::max()));
}

void parse_format(const json& manifest, Checkpoint& checkpoint) {
    checkpoint.facts = parse_facts(manifest);
    const json& files = member(manifest, "files");
    if (!files.is_array() || files.empty() || files.size() > most_ranks) {
        fail("its files are no list with one entry a rank");
    }
    for (const json& file : files) {
        checkpoint.files.push_back(parse_file(file, checkpoint.files.size(), checkpoint.iteration));
    }
    checkpoint.ranks = static_cast<int>(checkpoint.files.size());
    checkpoint.run = run_of(checkpoint);
    if (checkpoint.run != text(manifest, "run")) {
        fail("its run is not that of its model, layout and trained_with: one of them was changed");
    }
}

Checkpoint parse(const std::string& content, const std::string& folder) {
    const json manifest = parse_json(content);
    const std::string format = text(manifest, "format");
    if (format != format_name && format != format_before) {
        fail("its format is neither \"{}\" nor \"{}\"", format_name, format_before);
    }
    Checkpoint checkpoint{.iteration = number(manifest, "iteration", 0, most_number),
                          .layout = text(manifest, "layout"),
                          .model = text(manifest, "model"),
                          .folder = fs::path(folder) / save_name(manifest)};
    format == format_name ? parse_format(manifest, checkpoint)
                          : parse_format_before(manifest, checkpoint);
    return checkpoint;
}

[[noreturn]] void refuse(const std::string& folder, const std::string& why) {
    fail(
        "{}: no manifest of a checkpoint: {}; restore it, or choose another "
        "output.checkpoint",
        manifest_path(folder), why);
}

}  // namespace

std::string manifest_path(const std::string& folder) {
    return fs::path(folder) / "checkpoint.json";
}

std::optional<std::string> read_manifest(const std::string& folder) {
    const std::string path = manifest_path(folder);
    std::error_code unknown;
    if (!fs::exists(path, unknown) && !unknown) return std::nullopt;
    constexpr FileKind kind{.remedy = "a manifest is a file that a save has left",
                            .most_bytes = most_bytes};
    try {
        return read_file(path, kind);
    } catch (const FileFault& fault) {
        refuse(folder, fault.what());
    }
}

Checkpoint parse_manifest(const std::string& content, const std::string& folder) {
    try {
        return parse(content, folder);
    } catch (const json::parse_error& error) {
        refuse(folder, fmt::format("it is no JSON from byte {} on", error.byte));
    } catch (const json::exception& error) {
        refuse(folder, error.what());
    } catch (const std::invalid_argument& error) {
        refuse(folder, error.what());
    } catch (const std::runtime_error& error) {
        refuse(folder, error.what());
    }
}

std::optional<Checkpoint> current_checkpoint(const std::string& folder) {
    const std::optional<std::string> content = read_manifest(folder);
    if (!content) return std::nullopt;
    return parse_manifest(*content, folder);
}

std::string manifest_text(const Checkpoint& checkpoint) {
    json files = json::array();
    for (const FileIdentity& file : checkpoint.files) {
        files.push_back({{"rank", files.size()},
                         {"iteration", checkpoint.iteration},
                         {"bytes", file.bytes},
                         {"sha256", file.sha256}});
    }
    const json manifest = {{"format", format_name},
                           {"iteration", checkpoint.iteration},
                           {"folder", fs::path(checkpoint.folder).filename().string()},
                           {"model", checkpoint.model},
                           {"layout", checkpoint.layout},
                           {"trained_with", checkpoint.facts},
                           {"run", checkpoint.run},
                           {"files", files}};
    return json_text(manifest) + "\n";
}

bool is_save_name(const std::string& name) {
    constexpr std::string_view prefix = "iteration-";
    if (!name.starts_with(prefix)) return false;
    const std::string_view rest = std::string_view(name).substr(prefix.size());
    const std::size_t dash = rest.find('-');
    if (!is_number(rest.substr(0, dash))) return false;
    if (dash == std::string_view::npos) return true;
    const std::string_view last = rest.substr(dash + 1);
    return last == "again" || is_number(last);
}

}  // namespace rrfp
