#include "adapters/jobs/file/job_value.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "adapters/jobs/file/key_text.h"
#include "adapters/plan/nearest.h"

namespace rrfp {
namespace {

/// The value as `Value` where its TOML type fits, else nothing.
template <class Value>
struct Read;

template <>
struct Read<bool> {
    static std::optional<bool> from(const toml::node& node) { return node.value_exact<bool>(); }
};

template <>
struct Read<std::string> {
    static std::optional<std::string> from(const toml::node& node) {
        return node.value_exact<std::string>();
    }
};

template <>
struct Read<std::int64_t> {
    static std::optional<std::int64_t> from(const toml::node& node) {
        return node.value_exact<std::int64_t>();
    }
};

template <>
struct Read<int> {
    static std::optional<int> from(const toml::node& node) {
        const auto value = node.value_exact<std::int64_t>();
        const bool fits = value && *value >= std::numeric_limits<int>::min() &&
                          *value <= std::numeric_limits<int>::max();
        return fits ? std::optional<int>(static_cast<int>(*value)) : std::nullopt;
    }
};

template <>
struct Read<std::uint64_t> {
    static std::optional<std::uint64_t> from(const toml::node& node) {
        const auto value = node.value_exact<std::int64_t>();
        if (!value || *value < 0) return std::nullopt;
        return static_cast<std::uint64_t>(*value);
    }
};

template <>
struct Read<double> {
    static std::optional<double> from(const toml::node& node) {
        if (const auto whole = node.value_exact<std::int64_t>()) {
            return static_cast<double>(*whole);
        }
        const auto value = node.value_exact<double>();
        return value && std::isfinite(*value) ? value : std::nullopt;
    }
};

template <>
struct Read<std::optional<double>> {
    static std::optional<std::optional<double>> from(const toml::node& node) {
        const auto value = Read<double>::from(node);
        return value ? std::make_optional(value) : std::nullopt;
    }
};

template <class Entry>
struct Read<std::vector<Entry>> {
    static std::optional<std::vector<Entry>> from(const toml::node& node) {
        const auto* list = node.as_array();
        if (!list) return std::nullopt;
        std::vector<Entry> entries;
        for (const toml::node& item : *list) {
            const auto entry = Read<Entry>::from(item);
            if (!entry) return std::nullopt;
            entries.push_back(*entry);
        }
        return entries;
    }
};

/// One number stands for all ranks.
template <>
struct Read<WordOrNumbers> {
    static std::optional<WordOrNumbers> from(const toml::node& node) {
        if (const auto word = Read<std::string>::from(node)) return *word;
        if (const auto number = Read<int>::from(node)) return std::vector{*number};
        if (const auto numbers = Read<std::vector<int>>::from(node)) return *numbers;
        return std::nullopt;
    }
};

bool in_range(const JobKey& key, double value) {
    if (key.minimum && value < *key.minimum) return false;
    if (key.minimum && key.above_minimum && value == *key.minimum) return false;
    return !key.maximum || value <= *key.maximum;
}

bool in_range(const JobKey&, bool) { return true; }
bool in_range(const JobKey&, const std::string&) { return true; }
bool in_range(const JobKey& key, const std::optional<double>& value) {
    return in_range(key, *value);
}
template <class Entry>
bool in_range(const JobKey& key, const std::vector<Entry>& values) {
    return std::all_of(values.begin(), values.end(),
                       [&](Entry value) { return in_range(key, static_cast<double>(value)); });
}
bool in_range(const JobKey& key, const WordOrNumbers& value) {
    const auto* numbers = std::get_if<std::vector<int>>(&value);
    return !numbers || (!numbers->empty() && in_range(key, *numbers));
}
template <class Number>
bool in_range(const JobKey& key, Number value) requires std::is_integral_v<Number> {
    return in_range(key, static_cast<double>(value));
}

/// What is wrong with the word that `key` was set to, where it names one of several things.
std::optional<std::string> choice_fault(const JobKey& key, const std::string& word) {
    if (!key.choices) return std::nullopt;
    const auto known = key.choices();
    if (std::find(known.begin(), known.end(), word) != known.end()) return std::nullopt;
    return fmt::format("unknown {}; {}", key.name, known_words(word, known));
}
std::optional<std::string> choice_fault(const JobKey& key, const WordOrNumbers& value) {
    const auto* word = std::get_if<std::string>(&value);
    return word ? choice_fault(key, *word) : std::nullopt;
}
template <class Value>
std::optional<std::string> choice_fault(const JobKey&, const Value&) {
    return std::nullopt;
}

template <class Value>
std::optional<std::string> set_typed(const JobKey& key, Value& target, const toml::node& node) {
    const auto value = Read<Value>::from(node);
    if (!value || !in_range(key, *value)) return "must be " + expected_value(key);
    if (auto fault = choice_fault(key, *value)) return fault;
    target = *value;
    return std::nullopt;
}

}  // namespace

std::optional<std::string> set_value(const JobKey& key, const toml::node& value, Job& job) {
    return std::visit([&](auto target) { return set_typed(key, target(job), value); }, key.target);
}

}  // namespace rrfp
