#pragma once

#include <cstddef>
#include <span>
#include <utility>

namespace rrfp {

/// A file descriptor that closes itself.
class Descriptor {
  public:
    Descriptor() = default;
    /// Takes `number` over; a negative one is none.
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }

    int number() const { return number_; }
    bool is_open() const { return number_ >= 0; }
    /// Returns whether it went well: network file systems tell of a failed write only here.
    bool close();

  private:
    int number_ = -1;
};

/// Writes all of `bytes`; false, with errno, where the system takes no more.
bool write_all(int file, std::span<const std::byte> bytes);

/// The two ends of a pipe. No program that is started meanwhile inherits them.
struct Pipe {
    Descriptor read_end;  ///< reading never blocks
    Descriptor write_end;
};

/// Throws std::runtime_error with the reason.
Pipe make_pipe();

}  // namespace rrfp
