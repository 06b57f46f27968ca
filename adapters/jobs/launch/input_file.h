#pragma once

#include <string>
#include <string_view>

namespace rrfp {

/// A file without a name that holds a text, for a child's standard input: unlike a pipe it needs
/// nobody to write while the child reads. It goes with its last descriptor.
class InputFile {
  public:
    /// Throws std::runtime_error that names the call.
    explicit InputFile(std::string_view text);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    int descriptor() const { return descriptor_; }

  private:
    int descriptor_ = -1;
};

/// All of standard input, to its end. Throws std::runtime_error with the reason.
std::string read_input();

}  // namespace rrfp
