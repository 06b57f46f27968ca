#include "adapters/command/show/svg.h"

#include <fmt/format.h>

namespace rrfp {
namespace {

const char* name(Anchor anchor) {
    switch (anchor) {
        case Anchor::start:
            return "start";
        case Anchor::middle:
            return "middle";
        case Anchor::end:
            return "end";
    }
    return "start";
}

}  // namespace

std::string escape_xml(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            default:
                escaped += c;
        }
    }
    return escaped;
}

Svg::Svg(double width, double height) : width_(width), height_(height) {}

void Svg::rectangle(double x, double y, double width, double height, std::string_view fill,
                    std::string_view title, double corner) {
    shapes_ +=
        fmt::format(R"(<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" fill="{}")", x, y,
                    width, height, fill);
    if (corner > 0) shapes_ += fmt::format(R"( rx="{:.1f}")", corner);
    shapes_ +=
        title.empty() ? "/>\n" : fmt::format("><title>{}</title></rect>\n", escape_xml(title));
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view stroke, double width,
               bool dashed) {
    shapes_ += fmt::format(
        R"(<line x1="{:.2f}" y1="{:.2f}" x2="{:.2f}" y2="{:.2f}" stroke="{}" stroke-width="{}"{}/>)",
        x1, y1, x2, y2, stroke, width, dashed ? R"( stroke-dasharray="4 3")" : "");
    shapes_ += '\n';
}

void Svg::text(double x, double y, std::string_view text, double size, std::string_view fill,
               Anchor anchor, bool bold) {
    shapes_ += fmt::format(
        R"(<text x="{:.2f}" y="{:.2f}" font-size="{}" fill="{}" text-anchor="{}"{}>{}</text>)", x,
        y, size, fill, name(anchor), bold ? R"( font-weight="bold")" : "", escape_xml(text));
    shapes_ += '\n';
}

std::string Svg::document() const {
    return fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" )"
        R"(viewBox="0 0 {0:.0f} {1:.0f}" font-family="DejaVu Sans, Helvetica, Arial, sans-serif">)"
        "\n{2}</svg>\n",
        width_, height_, shapes_);
}

}  // namespace rrfp
