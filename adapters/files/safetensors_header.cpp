#include "adapters/files/safetensors_header.h"

#include <algorithm>
#include <bit>
#include <istream>
#include <limits>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "adapters/files/bounded_json.h"
#include "runtime/core/shown_text.h"

namespace rrfp {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors is little-endian");

constexpr std::uint64_t longest_header = 100'000'000;

template <class... Parts>
[[noreturn]] void refuse(fmt::format_string<Parts...> text, Parts&&... parts) {
    throw SafetensorsFault(fmt::format(text, std::forward<Parts>(parts)...));
}

[[noreturn]] void refuse_header(const std::string& why) {
    refuse("its header is damaged, or it is of another format: {}", why);
}

/// A number of bytes or a length. The JSON library would round others, and wrap negative ones.
std::uint64_t whole(const nlohmann::json& number, const std::string& name) {
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    if (!number.is_number_unsigned() || number.get<std::uint64_t>() > most) {
        refuse_header(fmt::format("{}: {} is not a whole number of 0 to {}", shown(name),
                                  shown(json_text(number, -1)), most));
    }
    return number.get<std::uint64_t>();
}

SafetensorsEntry parse_entry(const std::string& name, const nlohmann::json& value) {
    SafetensorsEntry entry{.type = value.at("dtype").get<std::string>()};
    for (const nlohmann::json& length :
         value.at("shape").get_ref<const nlohmann::json::array_t&>()) {
        entry.shape.push_back(static_cast<std::int64_t>(whole(length, name)));
    }
    const auto& place = value.at("data_offsets").get_ref<const nlohmann::json::array_t&>();
    if (place.size() != 2) {
        refuse_header(
            fmt::format("{}: data_offsets has {} numbers, not 2", shown(name), place.size()));
    }
    entry.begin = whole(place[0], name);
    entry.end = whole(place[1], name);
    return entry;
}

void parse(const std::string& text, SafetensorsHeader& header) {
    try {
        const nlohmann::json json = parse_json(text);
        for (const auto& [name, value] : json.get_ref<const nlohmann::json::object_t&>()) {
            if (name == safetensors_notes_key) {
                header.notes = value.get<std::map<std::string, std::string>>();
            } else {
                header.tensors.emplace(name, parse_entry(name, value));
            }
        }
    } catch (const nlohmann::json::exception& error) {
        refuse_header(shown(error.what()));
    } catch (const std::invalid_argument& error) {
        refuse_header(error.what());
    }
}

/// The tensors fill `bytes`, without holes or overlaps. Compares places only: no sum can overflow.
void check_places(const SafetensorsHeader& header, std::uint64_t bytes) {
    std::vector<std::tuple<std::uint64_t, std::uint64_t, std::string_view>> places;
    for (const auto& [name, entry] : header.tensors) {
        places.emplace_back(entry.begin, entry.end, name);
    }
    std::ranges::sort(places);
    std::uint64_t filled = 0;
    for (const auto& [begin, end, name] : places) {
        if (begin != filled || end < begin) {
            refuse_header(fmt::format("{}: its place is {} to {}, where the data so far end at {}",
                                      shown(name), begin, end, filled));
        }
        filled = end;
    }
    if (filled != bytes) {
        refuse("{}its header names {} bytes of data, {} follow",
               filled > bytes ? "cut short: " : "", filled, bytes);
    }
}

}  // namespace

SafetensorsHeader read_safetensors_header(std::istream& file, std::uint64_t size) {
    std::uint64_t length = 0;
    if (size >= sizeof length && !file.read(reinterpret_cast<char*>(&length), sizeof length)) {
        refuse("cannot be read");
    }
    if (size < sizeof length || length > size - sizeof length) {
        refuse("cut short or of another format: {} bytes", size);
    }
    if (length > longest_header) {
        refuse_header(fmt::format("a header of {} bytes, where the format allows {}", length,
                                  longest_header));
    }
    std::string text(length, '\0');
    if (!file.read(text.data(), static_cast<std::streamsize>(length))) refuse("cannot be read");
    SafetensorsHeader header{.data_begin = sizeof length + length};
    parse(text, header);
    check_places(header, size - header.data_begin);
    return header;
}

}  // namespace rrfp
