#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace rrfp {

/// A line of text that even a signal handler may build: it allocates nothing, and cuts what does
/// not fit.
class SafeLine {
  public:
    SafeLine& operator<<(std::string_view text) {
        const std::size_t fits = std::min(text.size(), bytes_.size() - size_);
        std::memcpy(bytes_.data() + size_, text.data(), fits);
        size_ += fits;
        return *this;
    }
    SafeLine& operator<<(std::int64_t number) {
        std::array<char, 20> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        return *this << std::string_view(digits.data(),
                                         static_cast<std::size_t>(end - digits.data()));
    }
    std::string_view text() const { return {bytes_.data(), size_}; }

  private:
    std::array<char, 600> bytes_{};
    std::size_t size_ = 0;
};

}  // namespace rrfp
