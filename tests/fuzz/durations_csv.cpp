#include "runtime/simulation/durations_csv.h"

#include <stdexcept>

#include "tests/fuzz/targets.h"

namespace rrfp::fuzz {

void durations_csv(std::string_view input) {
    const Pipeline pipeline{
        .placement = Placement::loop(3), .microbatches = 2, .split_weight = true};
    try {
        parse_durations_csv(pipeline, input, "fuzz.csv");
    } catch (const std::invalid_argument&) {
    }
}

}  // namespace rrfp::fuzz
