#include "adapters/jobs/surroundings/environment.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace rrfp {

std::optional<std::string> variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? std::optional<std::string>(value) : std::nullopt;
}

ScopedVariables::~ScopedVariables() {
    for (auto pair = before_.rbegin(); pair != before_.rend(); ++pair) {
        if (pair->second) {
            setenv(pair->first.c_str(), pair->second->c_str(), 1);
        } else {
            unsetenv(pair->first.c_str());
        }
    }
}

std::vector<std::string> ScopedVariables::names() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : before_) names.push_back(name);
    return names;
}

void ScopedVariables::set(const std::string& name, const std::string& value) {
    const char* before = std::getenv(name.c_str());
    before_.emplace_back(name, before ? std::optional<std::string>(before) : std::nullopt);
    if (setenv(name.c_str(), value.c_str(), 1) != 0) {
        throw std::runtime_error("setenv " + name + ": " + std::strerror(errno));
    }
}

bool ScopedVariables::set_default(const std::string& name, const std::string& value) {
    if (std::getenv(name.c_str()) != nullptr) return false;
    set(name, value);
    return true;
}

}  // namespace rrfp
