#pragma once

#include "runtime/core/pipeline.h"

namespace rrfp {

/// Refuses a hint order that is not a list a rank with each task of that rank once: the
/// std::invalid_argument names the rank, the task and the remedy.
void check_hint_cover(const Pipeline& pipeline, const HintOrder& hint);

/// Refuses a hint order that no execution can follow to its end when every rank waits for the next
/// entry of its list: names, for each rank that is stuck, the entry it waits for.
void check_hint_runs(const Pipeline& pipeline, const HintOrder& hint);

/// Refuses a hint order in which the backwards or the weight gradients of a stage do not come in
/// microbatch order, so that gradients would not be bit-identical to those of other orders.
void check_hint_accumulates_in_order(const Pipeline& pipeline, const HintOrder& hint);

/// Refuses a hint order in which the forwards of a stage do not come in microbatch order.
void check_hint_forwards_in_order(const Pipeline& pipeline, const HintOrder& hint);

/// The most microbatches in flight at a rank that follows `list`.
int peak_in_flight(const Pipeline& pipeline, const std::vector<Task>& list);

/// The hint's own memory: that peak at each rank.
std::vector<int> hint_levels(const Pipeline& pipeline, const HintOrder& hint);

}  // namespace rrfp
