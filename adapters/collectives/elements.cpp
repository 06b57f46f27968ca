#include "adapters/collectives/elements.h"

#include <fmt/format.h>

namespace rrfp {

std::size_t size_of(ElementType type) { return type == ElementType::float32 ? 4 : 8; }

std::string describe(ElementType type, std::size_t count) {
    const char* name = type == ElementType::float32   ? "float32"
                       : type == ElementType::float64 ? "float64"
                                                      : "int64";
    return fmt::format("{}[{}]", name, count);
}

}  // namespace rrfp
