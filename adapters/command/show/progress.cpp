#include "adapters/command/show/progress.h"

#include <fmt/format.h>

#include "adapters/command/show/console.h"

namespace rrfp {
namespace {

std::string duration_text(double seconds) {
    if (seconds < 60) return fmt::format("{:.0f} s", seconds);
    const auto whole = static_cast<long>(seconds);
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace

Progress::Progress(int columns, std::string label) : columns_(columns), label_(std::move(label)) {
    if (!label_.empty()) label_ += "  ";
}

Progress::~Progress() {
    if (line_open_) print_progress("\n");
}

void Progress::iteration_ended(const IterationNews& news) {
    using Clock = std::chrono::steady_clock;
    if (first_ < 0) {
        first_ = news.iteration;
        begin_ =
            Clock::now() - std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double, std::milli>(news.result.milliseconds));
    }
    const std::chrono::duration<double> passed = Clock::now() - begin_;
    const int done = news.iteration + 1 - first_;
    const double left = passed.count() / done * (news.iterations - news.iteration - 1);
    const auto& loss = news.result.loss;
    show(fmt::format("{}iteration {}/{}{}  {:.1f} ms  ETA {}", label_, news.iteration + 1,
                     news.iterations, loss ? fmt::format("  loss {:.5f}", *loss) : "",
                     news.result.milliseconds, duration_text(left)));
}

void Progress::resumed(const std::string& line) { print(label_ + line + "\n"); }

void Progress::evaluated(int iteration, double loss) {
    show(fmt::format("{}iteration {}  validation loss {:.5f}", label_, iteration + 1, loss));
    if (line_open_) print_progress("\n");  // it stays, the next line is a new one
    line_open_ = false;
}

void Progress::show(const std::string& line) {
    if (columns_ == 0) return print_progress(line + "\n");
    const auto width = static_cast<std::size_t>(columns_ > 1 ? columns_ - 1 : 1);
    print_progress("\r\033[K" + line.substr(0, width));
    line_open_ = true;
}

}  // namespace rrfp
