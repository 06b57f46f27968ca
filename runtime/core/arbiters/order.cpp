#include "runtime/core/arbiters/hint_positions.h"

namespace rrfp {
namespace {

/// The first entry of the hint order that is ready and admitted.
class Order final : public Arbiter {
  public:
    explicit Order(const ArbiterSetup& setup) : hint_(setup) {}

    std::string_view name() const override { return "order"; }
    bool ranks_weight_gradients() const override { return true; }
    void begin_iteration() override { hint_.clear(); }
    void ready(const Task& task) override { hint_.insert(task); }
    void dispatched(const Task& task) override { hint_.erase(task); }

    std::optional<Task> choose(const Candidates& candidates) override {
        std::optional<int> best;
        for (int kind = 0; kind < task_kinds; ++kind) {
            const auto position = hint_.first(candidates, static_cast<TaskKind>(kind));
            if (position && (!best || *position < *best)) {
                best = position;
            }
        }
        return best ? std::optional(hint_.task(*best)) : std::nullopt;
    }

  private:
    HintPositions hint_;
};

}  // namespace

std::unique_ptr<Arbiter> make_order(const ArbiterSetup& setup) {
    return std::make_unique<Order>(setup);
}

}  // namespace rrfp
