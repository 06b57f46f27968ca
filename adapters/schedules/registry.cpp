#include "adapters/schedules/registry.h"

#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapters/schedules/fit.h"

namespace rrfp {
namespace {

struct Schedule {
    const char* name;
    HintOrder (*generate)(const Pipeline&);
};

constexpr std::array schedules = {
    Schedule{"gpipe", generate_gpipe},
    Schedule{"1f1b", generate_one_f_one_b},
};

}  // namespace

HintOrder make_hint(std::string_view name, const Pipeline& pipeline) {
    for (const Schedule& schedule : schedules) {
        if (name == schedule.name) {
            return fit_hint(pipeline, schedule.generate(pipeline));
        }
    }
    throw std::invalid_argument(fmt::format("unknown schedule '{}'; known are {}", name,
                                            fmt::join(schedule_names(), ", ")));
}

std::vector<std::string> schedule_names() {
    std::vector<std::string> names;
    for (const Schedule& schedule : schedules) {
        names.emplace_back(schedule.name);
    }
    return names;
}

}  // namespace rrfp
