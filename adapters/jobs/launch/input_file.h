#pragma once

#include <string>
#include <string_view>

#include "runtime/system/descriptor.h"

namespace rrfp {

/// A file without a name that holds a text, for a child's standard input: unlike a pipe it needs
/// nobody to write while the child reads. It goes with its last descriptor.
class InputFile {
  public:
    /// Throws std::runtime_error that names the call.
    explicit InputFile(std::string_view text);

    int descriptor() const { return file_.number(); }

  private:
    Descriptor file_;
};

/// All of standard input, to its end. Throws std::runtime_error with the reason.
std::string read_input();

}  // namespace rrfp
