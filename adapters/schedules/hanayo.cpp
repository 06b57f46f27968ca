#include "adapters/schedules/generators.h"
#include "adapters/schedules/list_scheduling.h"
#include "adapters/schedules/require_placement.h"

namespace rrfp {

/// Hanayo (Liu et al., "Hanayo: Harnessing Wave-like Pipeline Parallelism for Enhanced Large Model
/// Training Efficiency", 2023): stages run down the ranks and up again, once a wave, so each turn
/// saves a message and a rank's next chunk comes sooner. The paper gives the order of one round of
/// P microbatches; this one is drawn in unit time (F = 1, B = 2), so it also covers other numbers.
HintOrder generate_hanayo(const Pipeline& pipeline) {
    require_waves("hanayo", pipeline.placement);
    return schedule_lists(
        {.ranks = pipeline.placement.ranks(),
         .stages = pipeline.placement.stages(),
         .microbatches = pipeline.microbatches,
         .backward_units = 2,
         .rank_of = [&](int stage, int) { return pipeline.placement.rank_of(stage); },
         .age = [](int microbatch) { return microbatch; }});
}

}  // namespace rrfp
