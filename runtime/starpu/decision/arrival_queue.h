#pragma once

#include <cstdint>
#include <map>
#include <utility>

namespace rrfp {

/// Items in order of priority, the greatest first, then of arrival. Not thread-safe.
template <typename Item>
class ArrivalQueue {
  public:
    void push(int priority, Item item) {
        // ~priority falls as priority rises, for every int.
        items_.emplace(std::pair(~priority, arrivals_++), std::move(item));
    }

    /// Takes the first item that `admits` accepts; a default-constructed one when it accepts none.
    template <typename Admits>
    Item pop(Admits&& admits) {
        for (auto it = items_.begin(); it != items_.end(); ++it) {
            if (!admits(it->second)) continue;
            Item item = std::move(it->second);
            items_.erase(it);
            return item;
        }
        return {};
    }

    bool empty() const { return items_.empty(); }

  private:
    std::map<std::pair<int, std::uint64_t>, Item> items_;
    std::uint64_t arrivals_ = 0;
};

}  // namespace rrfp
