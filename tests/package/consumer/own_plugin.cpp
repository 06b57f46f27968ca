// A stranger's plugin: it sees one installed header, and links nothing.

#include "runtime/core/plugin.h"

namespace {

class Eager final : public rrfp::plugin::Arbiter {
  public:
    explicit Eager(const rrfp::plugin::Setup& /*setup*/) {}
    std::optional<rrfp::plugin::Task> choose(const rrfp::plugin::Candidates& candidates) override {
        const auto backward = candidates.first_backward();
        return backward ? backward : candidates.first_forward();
    }
};

}  // namespace

RRFP_PLUGIN(rrfp::plugin::arbiter<Eager>("eager"))
