#include "runtime/starpu/failing/beat.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unistd.h>

namespace rrfp {
namespace {

/// Appends what fits to the end of `to`, and says how much that was.
std::size_t append_cut(char* to, std::size_t room, std::string_view text) {
    constexpr std::string_view mark = "...";
    if (text.size() <= room) {
        std::memcpy(to, text.data(), text.size());
        return text.size();
    }
    std::memcpy(to, text.data(), room);
    if (room >= mark.size()) std::memcpy(to + room - mark.size(), mark.data(), mark.size());
    return room;
}

std::string join_lines(const std::vector<std::string>& lines) {
    std::string joined;
    for (const std::string& line : lines) {
        if (!joined.empty()) joined += '\n';
        joined += line;
    }
    return joined;
}

std::vector<std::string> split_lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace

Beat::Content Beat::pack(std::int64_t now_ns, const ProgressReport& report) {
    Content content{};
    content.at_ns = now_ns;
    content.progress = report.progress;
    content.iteration = report.iteration;
    content.pid = getpid();
    content.working = report.working;
    content.busy = report.busy;
    content.phase = static_cast<std::uint8_t>(report.phase);
    // The ready tasks get at most half, so that some of what is awaited always shows.
    const std::size_t ready = append_cut(content.text, text_bytes / 2, report.ready);
    const std::size_t awaited =
        append_cut(content.text + ready, text_bytes - ready, join_lines(report.awaited));
    content.ready_bytes = static_cast<std::uint16_t>(ready);
    content.awaited_bytes = static_cast<std::uint16_t>(awaited);
    return content;
}

BeatReading Beat::unpack(const Content& content) {
    const std::size_t ready = std::min<std::size_t>(content.ready_bytes, text_bytes);
    const std::size_t awaited = std::min<std::size_t>(content.awaited_bytes, text_bytes - ready);
    BeatReading reading;
    reading.at_ns = content.at_ns;
    reading.pid = content.pid;
    reading.report.progress = content.progress;
    reading.report.iteration = content.iteration;
    reading.report.working = content.working != 0;
    reading.report.busy = content.busy != 0;
    reading.report.phase = std::min(static_cast<Phase>(content.phase), Phase::leaving);
    reading.report.ready.assign(content.text, ready);
    reading.report.awaited = split_lines({content.text + ready, awaited});
    return reading;
}

void Beat::write(std::int64_t now_ns, const ProgressReport& report) {
    const Content content = pack(now_ns, report);
    Words copy{};
    std::memcpy(copy.data(), &content, sizeof content);
    const std::uint64_t version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    for (std::size_t i = 0; i < words; ++i) words_[i].store(copy[i], std::memory_order_relaxed);
    version_.store(version + 2, std::memory_order_release);
}

bool Beat::try_read(Words& copy) const {
    const std::uint64_t before = version_.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < words; ++i) copy[i] = words_[i].load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    return before % 2 == 0 && version_.load(std::memory_order_relaxed) == before;
}

std::optional<BeatReading> Beat::read() const {
    if (version_.load(std::memory_order_acquire) < 2) return std::nullopt;
    // A writer stopped in the middle never finishes: what is torn then is text for a message, and
    // unpack() trusts none of it.
    Words copy{};
    for (int attempt = 0; attempt < 100 && !try_read(copy); ++attempt) {
    }
    Content content;
    std::memcpy(&content, copy.data(), sizeof content);
    return unpack(content);
}

}  // namespace rrfp
