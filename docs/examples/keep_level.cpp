// A plugin with one arbiter: build it as a shared library, name its path in `[schedule] plugin`.

#include "runtime/core/plugin.h"

namespace {

using rrfp::plugin::Candidates;
using rrfp::plugin::Setup;
using rrfp::plugin::Task;

/// Keeps as many microbatches in flight as the ranks from here on could work on at once: a forward
/// while there are fewer, else a backward, and the other kind where the wanted one is not ready.
class KeepLevel final : public rrfp::plugin::Arbiter {
  public:
    explicit KeepLevel(const Setup& setup) : level_(2 * setup.ranks() - setup.rank()) {}

    std::optional<Task> choose(const Candidates& candidates) override {
        const auto forward = candidates.first_forward();
        const auto backward = candidates.first_backward();
        if (candidates.in_flight() < level_) {
            return forward ? forward : backward;
        }
        return backward ? backward : forward;
    }

  private:
    int level_;
};

}  // namespace

RRFP_PLUGIN(rrfp::plugin::arbiter<KeepLevel>("keep-level", rrfp::plugin::agrees))
