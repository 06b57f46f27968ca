#include "adapters/schedules/require_placement.h"

#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rrfp {
namespace {

void require(bool fits, std::string_view schedule, const Placement& placement,
             std::string_view needed) {
    if (fits) {
        return;
    }
    constexpr int shown = 16;
    std::vector<int> ranks;
    for (int stage = 0; stage < placement.stages() && stage < shown; ++stage) {
        ranks.push_back(placement.rank_of(stage));
    }
    throw std::invalid_argument(fmt::format(
        "schedule '{}' is for {}; here stages 0 to {} are on ranks {}{}; choose another schedule "
        "or placement",
        schedule, needed, placement.stages() - 1, fmt::join(ranks, ", "),
        placement.stages() > shown ? ", …" : ""));
}

}  // namespace

void require_one_stage_a_rank(std::string_view schedule, const Placement& placement) {
    require(placement == Placement::loop(placement.ranks()), schedule, placement,
            "one stage a rank in rank order");
}

void require_loop(std::string_view schedule, const Placement& placement) {
    require(placement == Placement::loop(placement.ranks(), placement.chunks(0)), schedule,
            placement, "the placement loop (stage = chunk * ranks + rank)");
}

void require_v(std::string_view schedule, const Placement& placement) {
    require(placement == Placement::v(placement.ranks()), schedule, placement,
            "the placement v (rank r holds stages r and 2P-1-r)");
}

void require_waves(std::string_view schedule, const Placement& placement) {
    const int chunks = placement.chunks(0);
    require(chunks % 2 == 0 && placement == Placement::wave(placement.ranks(), chunks), schedule,
            placement, "the placement wave (stages down the ranks and up again, once or more)");
}

}  // namespace rrfp
