#pragma once

#include <vector>

#include "adapters/jobs/surroundings/demand.h"
#include "runtime/system/fact.h"

namespace rrfp {

/// What is to be said of a job whose threads must share the `cores` of one machine: empty where
/// that costs little, as sleeping ranks do. Pure.
std::vector<Fact> examine_crowding(const Demand& demand, double cores);

/// Whether the threads that compute operations outnumber the cores. They should sleep then while
/// they wait for each other: polling, they were seen to take 40 to 270 times as long.
bool crowds_threads(const Demand& demand, double cores);

}  // namespace rrfp
