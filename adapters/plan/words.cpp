#include "adapters/plan/words.h"

#include <stdexcept>

#include <fmt/format.h>

#include "adapters/plan/nearest.h"

namespace rrfp {
namespace {

constexpr std::string_view by_default = "auto";

}  // namespace

std::vector<std::string> placements() { return {"loop", "v", "wave"}; }
std::vector<std::string> agreements() { return {"board", "allgather"}; }
std::vector<std::string> agreement_scopes() { return {"tensor", "stage"}; }
std::vector<std::string> waitings() { return {"auto", "doorbell", "nap", "spin"}; }

std::vector<std::string> admissions() {
    std::vector<std::string> words = {std::string(by_default)};
    for (const std::string& rule : admission_rule_names()) words.push_back(rule);
    return words;
}

Placement placement_of(const WordOrNumbers& placement, int ranks, int chunks) {
    if (const auto* list = std::get_if<std::vector<int>>(&placement)) return Placement(*list);
    const auto& word = std::get<std::string>(placement);
    if (word == "v") return Placement::v(ranks);
    if (word == "wave") return Placement::wave(ranks, chunks);
    return Placement::loop(ranks, chunks);
}

std::optional<AdmissionRule> admission_of(std::string_view word) {
    if (word == by_default) return std::nullopt;
    if (const auto rule = find_admission_rule(word)) return rule;
    throw std::invalid_argument(
        fmt::format("unknown admission; {}", known_words(word, admissions())));
}

}  // namespace rrfp
