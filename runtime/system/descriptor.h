#pragma once

#include <unistd.h>
#include <utility>

namespace rrfp {

/// A file descriptor, closed when it goes.
class Descriptor {
  public:
    explicit Descriptor(int value = -1) : value_(value) {}
    Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~Descriptor() { close(); }

    int get() const { return value_; }
    bool is_open() const { return value_ >= 0; }
    /// Closes now, for network file systems tell of a failed write only here.
    bool close() { return value_ < 0 || ::close(std::exchange(value_, -1)) == 0; }

  private:
    int value_;
};

}  // namespace rrfp
