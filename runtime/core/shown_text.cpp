#include "runtime/core/shown_text.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace rrfp {
namespace {

bool continues_a_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// Both ends of `text`, cut between characters of UTF-8.
std::string ends_of(std::string_view text, std::size_t most) {
    std::size_t head = most * 2 / 3;
    std::size_t tail = text.size() - (most - head);
    constexpr int longest_character = 4;
    for (int i = 1; i < longest_character && head > 0 && continues_a_character(text[head]); ++i) {
        --head;
    }
    for (int i = 1;
         i < longest_character && tail < text.size() && continues_a_character(text[tail]); ++i) {
        ++tail;
    }
    return fmt::format("{}... ({} bytes left out) ...{}", text.substr(0, head), tail - head,
                       text.substr(tail));
}

}  // namespace

std::string shown(std::string_view text, std::size_t most) {
    std::string result = text.size() > most ? ends_of(text, most) : std::string(text);
    std::ranges::replace_if(
        result, [](char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F; },
        ' ');
    return result;
}

std::vector<std::string> shown(std::vector<std::string> messages) {
    constexpr std::size_t longest = 10 * most_shown;
    const std::size_t all = messages.size();
    if (all > most_messages) messages.resize(most_messages);
    for (std::string& message : messages) {
        if (message.size() > longest) message = shown(message, longest);
    }
    if (all > most_messages) {
        messages.push_back(
            fmt::format("and {} more; mend the first ones and look again", all - most_messages));
    }
    return messages;
}

}  // namespace rrfp
