#include "runtime/core/arbiters/directions.h"
#include "runtime/core/arbiters/registry.h"

namespace rrfp {
namespace {

/// A forward whenever one is admitted.
class ForwardPriority final : public Arbiter {
  public:
    std::string_view name() const override { return "f-priority"; }
    std::optional<Task> choose(const Candidates& candidates) override {
        return prefer(TaskKind::forward, candidates);
    }
};

}  // namespace

std::unique_ptr<Arbiter> make_f_priority(const ArbiterSetup& /*setup*/) {
    return std::make_unique<ForwardPriority>();
}

}  // namespace rrfp
