#include "runtime/core/arbiters/directions.h"
#include "runtime/core/arbiters/registry.h"

namespace rrfp {
namespace {

/// Alternation, the paper's default: each round considers a ready backward, then a ready forward,
/// and goes on where the last one stopped.
class BackwardForward final : public Arbiter {
  public:
    std::string_view name() const override { return "bf"; }
    std::optional<Task> choose(const Candidates& candidates) override {
        return prefer(alternate(candidates.state()), candidates);
    }
};

}  // namespace

std::unique_ptr<Arbiter> make_bf(const ArbiterSetup& /*setup*/) {
    return std::make_unique<BackwardForward>();
}

}  // namespace rrfp
