#include <vector>

#include "runtime/core/arbiters/registry.h"

namespace rrfp {
namespace {

/// Follows its list entry by entry and waits for the next one whatever else is ready: the baseline.
class Fixed final : public Arbiter {
  public:
    explicit Fixed(std::vector<Task> list) : list_(std::move(list)) {}

    std::string_view name() const override { return "fixed"; }
    bool filtered() const override { return false; }
    bool ranks_weight_gradients() const override { return true; }
    void begin_iteration() override { next_ = 0; }
    std::optional<Task> choose(const Candidates& candidates) override {
        if (next_ == list_.size() || !candidates.contains(list_[next_])) {
            return std::nullopt;
        }
        return list_[next_];
    }
    void dispatched(const Task& /*task*/) override { ++next_; }

  private:
    std::vector<Task> list_;
    std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Arbiter> make_fixed(const ArbiterSetup& setup) {
    return std::make_unique<Fixed>(setup.hint);
}

}  // namespace rrfp
