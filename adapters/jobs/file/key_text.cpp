#include "adapters/jobs/file/key_text.h"

#include <type_traits>

#include <fmt/format.h>

#include "adapters/jobs/file/toml_text.h"

namespace rrfp {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // older compilers do not deduce it

/// `a whole number`, `a list of numbers`, ...
std::string type_text(const KeyTarget& target) {
    return std::visit(
        Overloaded{[](bool& (*)(Job&)) { return "true or false"; },
                   [](int& (*)(Job&)) { return "a whole number"; },
                   [](std::int64_t& (*)(Job&)) { return "a whole number"; },
                   [](std::uint64_t& (*)(Job&)) { return "a whole number"; },
                   [](double& (*)(Job&)) { return "a number"; },
                   [](std::optional<double>& (*)(Job&)) { return "a number"; },
                   [](std::string& (*)(Job&)) { return "a text"; },
                   [](std::vector<int>& (*)(Job&)) { return "a list of whole numbers"; },
                   [](std::vector<double>& (*)(Job&)) { return "a list of numbers"; },
                   [](WordOrNumbers& (*)(Job&)) { return "a whole number or a list of them"; }},
        target);
}

std::string range_text(const JobKey& key) {
    if (!key.minimum) return {};
    if (!key.maximum) {
        return key.above_minimum ? fmt::format(" above {}", *key.minimum)
                                 : fmt::format(" of at least {}", *key.minimum);
    }
    return key.above_minimum ? fmt::format(" above {}, up to {}", *key.minimum, *key.maximum)
                             : fmt::format(" from {} to {}", *key.minimum, *key.maximum);
}

}  // namespace

std::string expected_value(const JobKey& key) {
    const bool words_too = std::holds_alternative<WordOrNumbers& (*)(Job&)>(key.target);
    std::string numbers = type_text(key.target) + range_text(key);
    if (!key.choices) return words_too ? numbers + ", or a rule" : numbers;
    const std::string words = fmt::format("one of {}", fmt::join(key.choices(), ", "));
    return words_too ? words + ", or a list of whole numbers" + range_text(key) : words;
}

std::string value_text(const JobKey& key, const Job& job) {
    // The accessors only hand out references; `job` is not changed.
    Job& readable = const_cast<Job&>(job);
    return std::visit([&](auto target) { return toml_text(target(readable)); }, key.target);
}

}  // namespace rrfp
