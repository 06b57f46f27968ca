#include "runtime/core/arbiters/directions.h"
#include "runtime/core/arbiters/registry.h"

namespace rrfp {
namespace {

/// `bf`, and a weight gradient when neither a backward nor a forward can run.
class BackwardForwardWeight final : public Arbiter {
  public:
    std::string_view name() const override { return "bfw"; }
    bool ranks_weight_gradients() const override { return true; }
    std::optional<Task> choose(const Candidates& candidates) override {
        const auto task = prefer(alternate(candidates.state()), candidates);
        return task ? task : candidates.first_weight_gradient();
    }
};

}  // namespace

std::unique_ptr<Arbiter> make_bfw(const ArbiterSetup& /*setup*/) {
    return std::make_unique<BackwardForwardWeight>();
}

}  // namespace rrfp
