#include "runtime/core/admission_rule.h"

#include <array>

namespace rrfp {
namespace {

constexpr std::array all = {AdmissionRule::drain, AdmissionRule::window, AdmissionRule::graded};

}  // namespace

const char* name(AdmissionRule rule) {
    switch (rule) {
        case AdmissionRule::drain:
            return "drain";
        case AdmissionRule::window:
            return "window";
        case AdmissionRule::graded:
            return "graded";
    }
    return "unknown";
}

std::optional<AdmissionRule> find_admission_rule(std::string_view word) {
    for (const AdmissionRule rule : all) {
        if (word == name(rule)) {
            return rule;
        }
    }
    return std::nullopt;
}

std::vector<std::string> admission_rule_names() {
    std::vector<std::string> names;
    for (const AdmissionRule rule : all) {
        names.emplace_back(name(rule));
    }
    return names;
}

}  // namespace rrfp
