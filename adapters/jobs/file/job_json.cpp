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

}  // namespace rrfp
