#include "adapters/jobs/file/job_reader.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "adapters/jobs/file/job_value.h"
#include "adapters/plan/nearest.h"
#include "adapters/schedules/registry.h"
#include "runtime/core/shown_text.h"

namespace rrfp {
namespace {

std::string place_in(const std::string& file, const toml::node& node) {
    return fmt::format("{}: line {}", file, node.source().begin.line);
}

std::string as_toml(const toml::node& node) {
    std::ostringstream text;
    node.visit([&](const auto& value) { text << toml::toml_formatter(value); });
    return shown(text.view());
}

/// What the rest of a file adds to so many faults is told in a next run.
bool enough(const std::vector<std::string>& faults) { return faults.size() > most_messages; }

/// Whether the text of `key` is a path; a hint may be a schedule's name instead.
bool is_path(const JobKey& key, const std::string& text) {
    const std::string path = key.path();
    return path == "data.text" || path == "output.checkpoint" || path == "schedule.plugin" ||
           (path == "schedule.hint" && is_hint_file(text));
}

std::string unknown_section(const std::string& section) {
    const auto sections = job_sections();
    if (const auto near = nearest(section, sections)) {
        return fmt::format("unknown section; did you mean [{}]?", *near);
    }
    return fmt::format("unknown section; the sections are [{}]", fmt::join(sections, "], ["));
}

std::string unknown_key(const std::string& section, const std::string& name) {
    const auto names = job_key_names(section);
    if (const auto near = nearest(name, names)) {
        return fmt::format("unknown key; did you mean {}.{}?", section, *near);
    }
    return fmt::format("unknown key; the keys of [{}] are {}", section, fmt::join(names, ", "));
}

}  // namespace

void JobReader::read(const toml::table& document, const std::string& file,
                     const std::filesystem::path& folder) {
    for (const auto& [name, node] : document) {
        if (enough(faults_)) return;
        read_section(std::string(name.str()), node, file, folder);
    }
}

void JobReader::read_section(const std::string& section, const toml::node& node,
                             const std::string& file, const std::filesystem::path& folder) {
    const auto sections = job_sections();
    if (const toml::table* table = node.as_table();
        table && std::find(sections.begin(), sections.end(), section) != sections.end()) {
        for (const auto& [name, value] : *table) {
            if (enough(faults_)) return;
            read(section, std::string(name.str()), value, place_in(file, value), folder);
        }
        return;
    }
    const std::string place = place_in(file, node);
    const bool known = std::find(sections.begin(), sections.end(), section) != sections.end();
    if (known) {
        add_fault(fmt::format("{}: {} = {}: is a section; write [{}] on a line of its own", place,
                              section, as_toml(node), section));
    } else if (node.is_table()) {
        add_fault(fmt::format("{}: [{}]: {}", place, shown(section), unknown_section(section)));
    } else {
        refuse_unknown("", section, as_toml(node), place);
    }
}

void JobReader::read(const std::string& section, const std::string& name, const toml::node& value,
                     const std::string& place, const std::filesystem::path& folder) {
    const JobKey* key = find_job_key(section, name);
    const std::string text = as_toml(value);
    if (!key) return refuse_unknown(section, name, text, place);

    origins_.record(key->path(), place, text);
    if (const auto fault = set_value(*key, value, job_)) {
        add_fault(origins_.fault(key->path(), job_, *fault));
        return;
    }
    note_given(*key, folder);
}

void JobReader::refuse_unknown(const std::string& section, const std::string& name,
                               const std::string& value, const std::string& place) {
    const auto sections = job_sections();
    const bool known = std::find(sections.begin(), sections.end(), section) != sections.end();
    const std::string path = shown(section.empty() ? name : section + "." + name);
    std::string remedy;
    if (!section.empty() && !known) {
        remedy = unknown_section(section);
    } else {
        const auto keys = job_keys();
        const auto elsewhere = std::find_if(keys.begin(), keys.end(),
                                            [&](const JobKey& key) { return key.name == name; });
        if (elsewhere != keys.end()) {
            remedy = fmt::format("{} belongs to section [{}]", name, elsewhere->section);
        } else if (section.empty()) {
            remedy = fmt::format("stands outside a section; the sections are [{}]",
                                 fmt::join(sections, "], ["));
        } else {
            remedy = unknown_key(section, name);
        }
    }
    add_fault(fmt::format("{}: {} = {}: {}", place, path, value, remedy));
}

void JobReader::note_given(const JobKey& key, const std::filesystem::path& folder) {
    if (key.path() == "schedule.limit") job_.schedule.limit_given = true;
    const auto* target = std::get_if<std::string& (*)(Job&)>(&key.target);
    if (!target) return;
    std::string& text = (*target)(job_);
    if (!text.empty() && is_path(key, text)) text = (folder / text).lexically_normal().string();
}

}  // namespace rrfp
