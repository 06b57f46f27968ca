#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rrfp {

/// The value of an environment variable; empty where it is not set, or set to nothing.
std::optional<std::string> variable(const char* name);

/// Environment variables that hold while this object lives, for the processes started meanwhile.
class ScopedVariables {
  public:
    ScopedVariables() = default;
    ~ScopedVariables();
    ScopedVariables(const ScopedVariables&) = delete;
    ScopedVariables& operator=(const ScopedVariables&) = delete;

    void set(const std::string& name, const std::string& value);
    /// The names of those set, in their order.
    std::vector<std::string> names() const;
    /// Leaves what the user has set as it is; returns whether it did not.
    bool set_default(const std::string& name, const std::string& value);

  private:
    std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

}  // namespace rrfp
