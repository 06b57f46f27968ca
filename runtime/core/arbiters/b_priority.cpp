#include "runtime/core/arbiters/directions.h"
#include "runtime/core/arbiters/registry.h"

namespace rrfp {
namespace {

/// A backward whenever one is ready.
class BackwardPriority final : public Arbiter {
  public:
    std::string_view name() const override { return "b-priority"; }
    std::optional<Task> choose(const Candidates& candidates) override {
        return prefer(TaskKind::backward, candidates);
    }
};

}  // namespace

std::unique_ptr<Arbiter> make_b_priority(const ArbiterSetup& /*setup*/) {
    return std::make_unique<BackwardPriority>();
}

}  // namespace rrfp
