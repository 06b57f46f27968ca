#pragma once

#include "adapters/schedules/schedule.h"

namespace rrfp {

// The generators, one a file. Each lists every task of the iteration that its schedule knows, with
// weight gradients where it places them itself, for any number of microbatches; fit_hint makes the
// list one for a job. Each throws std::invalid_argument for a placement it is not made for.

HintOrder generate_gpipe(const Pipeline& pipeline);
HintOrder generate_one_f_one_b(const Pipeline& pipeline);
HintOrder generate_interleaved(const Pipeline& pipeline);
HintOrder generate_looped_bfs(const Pipeline& pipeline);
HintOrder generate_zb_h1(const Pipeline& pipeline);
HintOrder generate_zb_h2(const Pipeline& pipeline);
HintOrder generate_zbv(const Pipeline& pipeline);
HintOrder generate_v_half(const Pipeline& pipeline);
HintOrder generate_v_min(const Pipeline& pipeline);
HintOrder generate_hanayo(const Pipeline& pipeline);

/// Runs in two directions, so it is no order of a Pipeline; `ranks` must be even.
Schedule generate_chimera(int ranks, int microbatches);

}  // namespace rrfp
