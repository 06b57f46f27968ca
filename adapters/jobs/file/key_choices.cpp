#include "adapters/jobs/file/key_choices.h"

#include "runtime/core/admission_rule.h"

namespace rrfp {

std::vector<std::string> model_kinds() { return {"gpt", "synthetic"}; }
std::vector<std::string> placements() { return {"loop", "v", "wave"}; }
std::vector<std::string> admissions() {
    std::vector<std::string> words = {"auto"};
    for (const std::string& rule : admission_rule_names()) words.push_back(rule);
    return words;
}
std::vector<std::string> agreements() { return {"board", "allgather"}; }
std::vector<std::string> agreement_scopes() { return {"tensor", "stage"}; }
std::vector<std::string> waitings() { return {"auto", "doorbell", "nap", "spin"}; }

}  // namespace rrfp
