#include "runtime/core/arbiters/directions.h"
#include "runtime/core/arbiters/registry.h"

namespace rrfp {
namespace {

/// Alternation as in `bf`, but a round that begins after an idle wait begins with a forward.
class ForwardBackward final : public Arbiter {
  public:
    std::string_view name() const override { return "fb"; }
    std::optional<Task> choose(const Candidates& candidates) override {
        const RankState& state = candidates.state();
        return prefer(state.waited() ? TaskKind::forward : alternate(state), candidates);
    }
};

}  // namespace

std::unique_ptr<Arbiter> make_fb(const ArbiterSetup& /*setup*/) {
    return std::make_unique<ForwardBackward>();
}

}  // namespace rrfp
