// Guards: the picture holds every task at its place, all panels on one scale, and is well-formed.

#include "adapters/command/show/timeline.h"

#include <cstdlib>
#include <regex>

#include <gmock/gmock.h>

namespace rrfp {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TimelinePanel panel(const std::string& title, double forward_ms, double origin_ms) {
    const double end = origin_ms + forward_ms;
    return {.title = title,
            .ranks = {{{.task = {TaskKind::forward, 0, 7}, .start_ms = origin_ms, .end_ms = end},
                       {.task = {TaskKind::backward, 0, 7}, .start_ms = end, .end_ms = end + 20}}}};
}

/// x and width of the boxes that carry a title with `words`, in the order drawn.
std::vector<std::pair<double, double>> boxes(const std::string& svg, const std::string& words) {
    const std::regex box("<rect x=\"([0-9.]+)\" y=\"[0-9.]+\" width=\"([0-9.]+)\"[^>]*><title>" +
                         words);
    std::vector<std::pair<double, double>> found;
    for (std::sregex_iterator it(svg.begin(), svg.end(), box), end; it != end; ++it) {
        found.emplace_back(std::stod((*it)[1]), std::stod((*it)[2]));
    }
    return found;
}

TEST(Timeline, PanelsShareOneScaleAndStartAtZero) {
    const std::string svg = timeline_svg({panel("slow", 40, 5000), panel("fast", 10, 123456)});
    const auto forwards = boxes(svg, "forward of microbatch 7, stage 0: 0.00 to ");
    ASSERT_EQ(forwards.size(), 2u);
    EXPECT_EQ(forwards[0].first, forwards[1].first);
    EXPECT_NEAR((forwards[0].second + 0.8) / (forwards[1].second + 0.8), 4, 0.02);
    EXPECT_EQ(boxes(svg, "backward of microbatch 7").size(), 2u);
}

TEST(Timeline, EscapesTitlesAndListsOnlyKindsThatOccur) {
    const std::string svg = timeline_svg({panel("a<b> & \"c\"", 10, 0)});
    EXPECT_THAT(svg, HasSubstr("a&lt;b&gt; &amp; &quot;c&quot;"));
    EXPECT_THAT(svg, HasSubstr("30.0 ms"));
    EXPECT_THAT(svg, Not(HasSubstr("weight gradient")));
}

TEST(Timeline, NothingToDrawIsStillAPicture) {
    EXPECT_THAT(timeline_svg({{.title = "empty", .ranks = {{}}}}), HasSubstr("</svg>"));
}

}  // namespace
}  // namespace rrfp
