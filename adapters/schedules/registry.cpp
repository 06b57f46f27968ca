#include "adapters/schedules/registry.h"

#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapters/schedules/fit.h"
#include "adapters/schedules/generators.h"
#include "adapters/schedules/hint_file.h"

namespace rrfp {
namespace {

struct Entry {
    const char* name;
    Placement (*place)(int ranks, int chunks);
    HintOrder (*generate)(const Pipeline&);
};

/// A V has two chunks; the generator refuses other numbers by name.
constexpr std::array schedules = {
    Entry{"gpipe", Placement::loop, generate_gpipe},
    Entry{"1f1b", Placement::loop, generate_one_f_one_b},
    Entry{"interleaved-1f1b", Placement::loop, generate_interleaved},
    Entry{"looped-bfs", Placement::loop, generate_looped_bfs},
    Entry{"zb-h1", Placement::loop, generate_zb_h1},
    Entry{"zb-h2", Placement::loop, generate_zb_h2},
    Entry{"zb-2p", Placement::loop, generate_zb_h2},
    Entry{"zbv", Placement::wave, generate_zbv},
    Entry{"v-half", Placement::wave, generate_v_half},
    Entry{"v-min", Placement::wave, generate_v_min},
    Entry{"hanayo", Placement::wave, generate_hanayo},
};

/// Stands apart: two directions are no order of a Pipeline.
constexpr auto chimera = "chimera";

const Entry& entry_of(std::string_view name) {
    for (const Entry& entry : schedules) {
        if (name == entry.name) {
            return entry;
        }
    }
    throw std::invalid_argument(fmt::format("unknown schedule '{}'; known are {}", name,
                                            fmt::join(schedule_names(), ", ")));
}

bool has_weight_gradients(const HintOrder& order) {
    for (const Task& task : order.front()) {
        if (task.kind == TaskKind::weight_gradient) {
            return true;
        }
    }
    return false;
}

}  // namespace

HintOrder make_hint(std::string_view name, const Pipeline& pipeline) {
    if (name == chimera) {
        throw std::invalid_argument(
            "schedule 'chimera' runs each stage on two ranks, which no job's placement does; it "
            "can be printed, drawn and checked by `rrfp schedule`; choose another schedule");
    }
    return fit_hint(pipeline, entry_of(name).generate(pipeline));
}

Schedule make_schedule(std::string_view name, int stages, int ranks, int microbatches) {
    if (stages < 1 || ranks < 1 || microbatches < 1) {
        throw std::invalid_argument(
            fmt::format("{} stages, {} ranks, {} microbatches: each must be 1 or more", stages,
                        ranks, microbatches));
    }
    if (name == chimera) {
        if (stages != ranks) {
            throw std::invalid_argument(
                fmt::format("schedule 'chimera' has one stage a rank in each direction; {} stages "
                            "on {} ranks are not; make them equal",
                            stages, ranks));
        }
        return generate_chimera(ranks, microbatches);
    }
    const Entry& entry = entry_of(name);
    if (stages % ranks != 0) {
        throw std::invalid_argument(
            fmt::format("{} stages are not the same number on each of {} ranks; make stages a "
                        "multiple of ranks",
                        stages, ranks));
    }
    Schedule schedule{.pipeline = {.placement = entry.place(ranks, stages / ranks),
                                   .microbatches = microbatches}};
    schedule.order = entry.generate(schedule.pipeline);
    schedule.pipeline.split_weight = has_weight_gradients(schedule.order);
    return schedule;
}

bool is_hint_file(std::string_view name_or_path) {
    return name_or_path.ends_with(".csv") || name_or_path.find('/') != std::string_view::npos;
}

HintOrder hint_of(const std::string& name_or_path, const Pipeline& pipeline) {
    return is_hint_file(name_or_path) ? read_hint(name_or_path, pipeline)
                                      : make_hint(name_or_path, pipeline);
}

std::string default_hint(const Pipeline& pipeline, std::string_view placement) {
    const Placement& stages = pipeline.placement;
    const int ranks = stages.ranks();
    const int chunks = stages.chunks(0);
    const bool named = placement == "loop" || placement == "v" || placement == "wave";
    if (placement == "loop" || (!named && stages == Placement::loop(ranks, chunks))) {
        if (chunks > 1) {
            return "interleaved-1f1b";
        }
        return pipeline.split_weight ? "zb-h1" : "1f1b";
    }
    if (placement == "v" || (!named && stages == Placement::v(ranks))) {
        return "zbv";
    }
    const bool waves = chunks % 2 == 0 && stages == Placement::wave(ranks, chunks);
    return waves ? "hanayo" : "gpipe";
}

std::vector<std::string> schedule_names() {
    std::vector<std::string> names;
    for (const Entry& entry : schedules) {
        names.emplace_back(entry.name);
    }
    names.emplace_back(chimera);
    return names;
}

}  // namespace rrfp
