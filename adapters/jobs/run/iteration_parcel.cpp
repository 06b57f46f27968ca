#include "adapters/jobs/run/iteration_parcel.h"

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace rrfp {
namespace {

static_assert(std::is_trivially_copyable_v<TaskRecord>);
static_assert(std::is_trivially_copyable_v<ArrivalRecord>);

template <typename Item>
void append(std::string& bytes, const std::vector<Item>& items) {
    const std::uint64_t count = items.size();
    bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
    bytes.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(Item));
}

class Reader {
  public:
    explicit Reader(const std::string& bytes) : bytes_(bytes) {}

    bool ended() const { return place_ == bytes_.size(); }

    template <typename Item>
    std::vector<Item> items() {
        std::uint64_t count = 0;
        copy(&count, sizeof count);
        if (count > (bytes_.size() - place_) / sizeof(Item)) fail();
        std::vector<Item> result(count);
        copy(result.data(), count * sizeof(Item));
        return result;
    }

  private:
    void copy(void* to, std::size_t size) {
        if (size > bytes_.size() - place_) fail();
        if (size > 0) std::memcpy(to, bytes_.data() + place_, size);
        place_ += size;
    }
    [[noreturn]] static void fail() {
        throw std::runtime_error("the measured iterations of a rank are cut short");
    }

    const std::string& bytes_;
    std::size_t place_ = 0;
};

}  // namespace

std::string pack_iterations(std::span<const RankIteration> iterations) {
    std::string bytes;
    for (const RankIteration& iteration : iterations) {
        append(bytes, iteration.tasks);
        append(bytes, iteration.arrivals);
    }
    return bytes;
}

std::vector<RankIteration> unpack_iterations(const std::string& bytes) {
    std::vector<RankIteration> iterations;
    for (Reader reader(bytes); !reader.ended();) {
        RankIteration& iteration = iterations.emplace_back();
        iteration.tasks = reader.items<TaskRecord>();
        iteration.arrivals = reader.items<ArrivalRecord>();
    }
    return iterations;
}

}  // namespace rrfp
