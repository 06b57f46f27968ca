#include "runtime/starpu/tracing/fxt_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace rrfp {
namespace {

// StarPU-MPI's barrier event (starpu_mpi_fxt.h): rank, ranks, run, common time, thread.
constexpr std::uint64_t barrier_code = 0x5203;
constexpr std::uint64_t barrier_parameters = 5;
constexpr std::uint64_t recorded_code = (barrier_code << 8) + barrier_parameters + 1;

constexpr std::size_t word = sizeof(std::uint64_t);
constexpr std::size_t code_at = 2 * word;
constexpr std::size_t common_time_at = 6 * word;
constexpr std::size_t event_bytes = 8 * word;

std::string read_file(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string bytes(std::istreambuf_iterator<char>(stream), {});
    if (!stream.good() && !stream.eof()) throw std::runtime_error("cannot read " + file);
    return bytes;
}

SyncPoint sync_point_at(const std::string& bytes, std::size_t offset) {
    std::array<std::uint64_t, event_bytes / word> words{};
    std::memcpy(words.data(), bytes.data() + offset, event_bytes);
    return {.offset = offset,
            .time_ns = words[0],
            .rank = words[3],
            .ranks = words[4],
            .run = words[5]};
}

bool plausible(const SyncPoint& point) {
    constexpr std::uint64_t most_ranks = 1U << 20U;
    return point.time_ns > 0 && point.ranks > 1 && point.ranks < most_ranks &&
           point.rank < point.ranks;
}

}  // namespace

std::vector<SyncPoint> find_sync_points(const std::string& file) {
    const std::string bytes = read_file(file);
    std::array<char, word> pattern{};
    std::memcpy(pattern.data(), &recorded_code, word);
    const std::string_view code(pattern.data(), pattern.size());
    std::vector<SyncPoint> points;
    for (std::size_t at = bytes.find(code); at != std::string::npos;
         at = bytes.find(code, at + 1)) {
        if (at < code_at || at - code_at + event_bytes > bytes.size()) continue;
        const SyncPoint point = sync_point_at(bytes, at - code_at);
        if (plausible(point)) points.push_back(point);
    }
    return points;
}

void write_sync_time(const std::string& file, const SyncPoint& point, std::uint64_t time_ns) {
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    std::array<char, word> bytes{};
    std::memcpy(bytes.data(), &time_ns, word);
    stream.seekp(static_cast<std::streamoff>(point.offset + common_time_at));
    stream.write(bytes.data(), bytes.size());
    stream.close();
    if (!stream) throw std::runtime_error("cannot write " + file);
}

}  // namespace rrfp
