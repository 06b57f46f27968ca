#include "adapters/command/show/timeline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "adapters/command/show/svg.h"
#include "runtime/core/task_colors.h"

namespace rrfp {
namespace {

constexpr double left = 64;  // for the names of the lanes
constexpr double right = 24;
constexpr double chart = 1280;  // width of the lanes
constexpr double top = 44;      // for the legend
constexpr double heading = 28;  // of a panel
constexpr double lane = 26;
constexpr double gap = 4;         // between lanes
constexpr double panel_gap = 14;  // below a panel
constexpr double axis = 44;

constexpr auto lane_fill = "#eef0f3";
constexpr auto faint = "#667";

constexpr auto ink = "#ffffff";  // on a task

const char* name(TaskKind kind) {
    static constexpr std::array names = {"forward", "backward", "weight gradient"};
    return names[static_cast<std::size_t>(kind)];
}

/// Of a task: a quarter darker for each of the first three steps of `shade`. Microbatches alternate
/// with a lighter one, so that neighbours differ.
std::string fill(TaskKind kind, int microbatch = 0, int shade = 0) {
    const double factor = std::pow(0.75, std::min(shade, 3));
    std::string text = "#";
    for (const int shift : {16, 8, 0}) {
        const unsigned channel = task_colors[static_cast<std::size_t>(kind)] >> shift & 0xFF;
        const unsigned lighter = microbatch % 2 == 0 ? channel : channel + (0xFF - channel) / 5;
        text += fmt::format("{:02x}", static_cast<int>(lighter * factor));
    }
    return text;
}

struct Span {
    double begin = std::numeric_limits<double>::infinity();
    double end = -std::numeric_limits<double>::infinity();
    double length() const { return end > begin ? end - begin : 0; }
};

Span span_of(const TimelinePanel& panel) {
    Span span;
    for (const auto& tasks : panel.ranks) {
        for (const TaskRecord& record : tasks) {
            span.begin = std::min(span.begin, record.start_ms);
            span.end = std::max(span.end, record.end_ms);
        }
    }
    return span;
}

/// A round distance between ticks that gives about ten of them.
double tick_step(double length) {
    const double raw = length / 10;
    const double power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1., 2., 5.}) {
        if (raw <= factor * power) return factor * power;
    }
    return 10 * power;
}

double panel_height(const TimelinePanel& panel) {
    return heading + static_cast<double>(panel.ranks.size()) * (lane + gap) + panel_gap;
}

/// Draws panels downwards on one scale.
class TimelinePicture {
  public:
    TimelinePicture(const std::vector<TimelinePanel>& panels, double height, std::string_view unit)
        : svg_(left + chart + right, height), unit_(unit) {
        for (const TimelinePanel& panel : panels) {
            longest_ = std::max(longest_, span_of(panel).length());
        }
        // The scale ends with room for the label of the longest panel.
        pixels_per_ms_ = longest_ > 0 ? chart / (longest_ * 1.04) : 1;
        svg_.rectangle(0, 0, left + chart + right, height, "#ffffff");
    }

    std::string draw(const std::vector<TimelinePanel>& panels) {
        draw_legend(panels);
        for (const TimelinePanel& panel : panels) draw_panel(panel);
        draw_axis();
        return svg_.document();
    }

  private:
    double x_of(double ms) const { return left + ms * pixels_per_ms_; }

    void draw_legend(const std::vector<TimelinePanel>& panels) {
        double x = left;
        for (int kind = 0; kind < task_kinds; ++kind) {
            const auto shown = static_cast<TaskKind>(kind);
            if (!holds(panels, shown)) continue;
            svg_.rectangle(x, 16, 14, 14, fill(shown), {}, 2);
            svg_.text(x + 20, 28, name(shown), 13);
            x += 44 + 8.0 * static_cast<double>(std::string_view(name(shown)).size());
        }
        svg_.rectangle(x, 16, 14, 14, lane_fill, {}, 2);
        svg_.text(x + 20, 28, "idle", 13);
        svg_.text(left + chart, 28, "numbers are microbatches", 12, faint, Anchor::end);
    }

    static bool holds(const std::vector<TimelinePanel>& panels, TaskKind kind) {
        for (const TimelinePanel& panel : panels) {
            for (const auto& tasks : panel.ranks) {
                if (std::any_of(tasks.begin(), tasks.end(), [&](const TaskRecord& record) {
                        return record.task.kind == kind;
                    })) {
                    return true;
                }
            }
        }
        return false;
    }

    void draw_panel(const TimelinePanel& panel) {
        const Span span = span_of(panel);
        svg_.text(left, y_ + 18, panel.title, 15, "#222", Anchor::start, true);
        y_ += heading;
        const double begin = y_;
        for (std::size_t rank = 0; rank < panel.ranks.size(); ++rank) {
            svg_.text(left - 10, y_ + lane / 2 + 4.5, fmt::format("rank {}", rank), 12.5, "#333",
                      Anchor::end);
            svg_.rectangle(left, y_, span.length() * pixels_per_ms_, lane, lane_fill);
            for (const TaskRecord& record : panel.ranks[rank]) {
                draw_task(record, span.begin, panel.shade ? panel.shade(record.task) : 0);
            }
            y_ += lane + gap;
        }
        const double end = x_of(span.length());
        svg_.line(end, begin - 4, end, y_, "#222", 1.5);
        svg_.text(end, begin - 8, fmt::format("{:.1f} {}", span.length(), unit_), 12.5, "#222",
                  Anchor::end);
        y_ += panel_gap;
    }

    void draw_task(const TaskRecord& record, double origin, int shade) {
        const Task& task = record.task;
        const double x = x_of(record.start_ms - origin);
        const double width = (record.end_ms - record.start_ms) * pixels_per_ms_;
        const double shown = std::max(width - 0.8, 0.4);  // neighbours stay apart
        svg_.rectangle(
            x, y_ + 1, shown, lane - 2, fill(task.kind, task.microbatch, shade),
            fmt::format("{} of microbatch {}, stage {}: {:.2f} to {:.2f} {} ({:.2f} {})",
                        name(task.kind), task.microbatch, task.stage, record.start_ms - origin,
                        record.end_ms - origin, unit_, record.end_ms - record.start_ms, unit_),
            1.5);
        const std::string number = std::to_string(task.microbatch);
        constexpr double digit = 7;  // width, at this size
        if (shown >= digit * static_cast<double>(number.size()) + 3) {
            svg_.text(x + shown / 2, y_ + lane / 2 + 4, number, 11, ink, Anchor::middle);
        }
    }

    void draw_axis() {
        const double y = y_ - panel_gap + 8;
        svg_.line(left, y, left + chart, y, faint);
        if (longest_ <= 0) return;
        const double step = tick_step(longest_);
        for (double ms = 0; x_of(ms) <= left + chart; ms += step) {
            svg_.line(x_of(ms), y, x_of(ms), y + 5, faint);
            svg_.text(x_of(ms), y + 19, fmt::format("{:g}", ms), 12, faint, Anchor::middle);
        }
        svg_.text(left - 10, y + 19, unit_, 12, faint, Anchor::end);
    }

    Svg svg_;
    std::string_view unit_;
    double longest_ = 0;
    double pixels_per_ms_ = 1;
    double y_ = top;
};

}  // namespace

std::vector<TimelinePanel> timeline_panels(const std::vector<RunResult>& runs) {
    std::vector<TimelinePanel> panels;
    for (const RunResult& run : runs) {
        TimelinePanel panel{.title = fmt::format("{}: median iteration {:.1f} ms",
                                                 run.job.schedule.arbiter, run.median_ms())};
        for (const RankSummary& rank : run.ranks) panel.ranks.push_back(rank.last_iteration);
        panel.shade = chunk_shade(run.job.pipeline().placement);
        panels.push_back(std::move(panel));
    }
    return panels;
}

std::function<int(const Task&)> chunk_shade(const Placement& placement) {
    return [placement](const Task& task) { return placement.chunk_of(task.stage); };
}

std::string timeline_svg(const std::vector<TimelinePanel>& panels, std::string_view unit) {
    double height = top + axis;
    for (const TimelinePanel& panel : panels) height += panel_height(panel);
    return TimelinePicture(panels, height, unit).draw(panels);
}

}  // namespace rrfp
