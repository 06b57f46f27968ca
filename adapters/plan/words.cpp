#include "adapters/plan/words.h"

namespace rrfp {

std::vector<std::string> model_kinds() { return {"gpt", "synthetic"}; }
std::vector<std::string> placements() { return {"loop", "v", "wave"}; }
std::vector<std::string> admissions() { return {"drain", "window"}; }
std::vector<std::string> agreements() { return {"board", "allgather"}; }
std::vector<std::string> agreement_scopes() { return {"tensor", "stage"}; }
std::vector<std::string> waitings() { return {"auto", "doorbell", "nap", "spin"}; }

}  // namespace rrfp
