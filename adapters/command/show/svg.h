#pragma once

#include <string>
#include <string_view>

namespace rrfp {

enum class Anchor { start, middle, end };

/// A picture in SVG, drawn shape by shape. Lengths in pixels, origin at the top left.
class Svg {
  public:
    Svg(double width, double height);

    /// `title` is shown when the pointer rests on it; empty = none.
    void rectangle(double x, double y, double width, double height, std::string_view fill,
                   std::string_view title = {}, double corner = 0);
    void line(double x1, double y1, double x2, double y2, std::string_view stroke, double width = 1,
              bool dashed = false);
    void text(double x, double y, std::string_view text, double size,
              std::string_view fill = "#333", Anchor anchor = Anchor::start, bool bold = false);

    /// The whole document.
    std::string document() const;

  private:
    double width_;
    double height_;
    std::string shapes_;
};

/// `text` with what XML reserves escaped.
std::string escape_xml(std::string_view text);

}  // namespace rrfp
