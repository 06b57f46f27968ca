#include "adapters/jobs/file/job_json.h"

#include "adapters/jobs/file/job_keys.h"

namespace rrfp {
namespace {

template <class Value>
nlohmann::json value_json(const Value& value) {
    return value;
}

nlohmann::json value_json(const std::optional<double>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
}

/// One number for all ranks stays a number, as in the job file.
nlohmann::json value_json(const WordOrNumbers& value) {
    if (const auto* word = std::get_if<std::string>(&value)) return *word;
    const auto& numbers = std::get<std::vector<int>>(value);
    return numbers.size() == 1 ? nlohmann::json(numbers.front()) : nlohmann::json(numbers);
}

template <class Value>
void read_value(const nlohmann::json& json, Value& value) {
    json.get_to(value);
}

void read_value(const nlohmann::json& json, std::optional<double>& value) {
    value = json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

void read_value(const nlohmann::json& json, WordOrNumbers& value) {
    if (json.is_string()) {
        value = json.get<std::string>();
    } else {
        value = json.is_array() ? json.get<std::vector<int>>() : std::vector{json.get<int>()};
    }
}

}  // namespace

nlohmann::json to_json(const Job& job) {
    Job readable = job;  // the table hands out references
    nlohmann::json sections = nlohmann::json::object();
    for (const JobKey& key : job_keys()) {
        sections[std::string(key.section)][std::string(key.name)] =
            std::visit([&](auto target) { return value_json(target(readable)); }, key.target);
    }
    return sections;
}

Job read_job(const nlohmann::json& sections) {
    Job job;
    for (const JobKey& key : job_keys()) {
        const auto& value = sections.at(std::string(key.section)).at(std::string(key.name));
        std::visit([&](auto target) { read_value(value, target(job)); }, key.target);
    }
    return job;
}

}  // namespace rrfp
