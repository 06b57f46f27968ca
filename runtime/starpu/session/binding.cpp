#include "runtime/starpu/session/binding.h"

#include <hwloc.h>
#include <memory>
#include <stdexcept>

namespace rrfp {
namespace {

struct TopologyDeleter {
    void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, TopologyDeleter>;

struct BitmapDeleter {
    void operator()(hwloc_bitmap_s* bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, BitmapDeleter>;

Topology load_topology() {
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0) throw std::runtime_error("hwloc_topology_init failed");
    Topology topology(raw);
    if (hwloc_topology_load(raw) != 0) {
        throw std::runtime_error(
            "hwloc_topology_load failed: hwloc cannot read this machine (try lstopo), run with "
            "binding off");
    }
    return topology;
}

bool is_restricted(hwloc_topology_t topology) {
    const Bitmap bound(hwloc_bitmap_alloc());
    // Where the system cannot tell, nobody has bound us.
    if (hwloc_get_cpubind(topology, bound.get(), HWLOC_CPUBIND_PROCESS) != 0) return false;
    return hwloc_bitmap_isincluded(hwloc_topology_get_topology_cpuset(topology), bound.get()) == 0;
}

}  // namespace

NodeCores find_node_cores() {
    const Topology topology = load_topology();
    NodeCores cores;
    cores.restricted = is_restricted(topology.get());
    hwloc_obj_t core = nullptr;
    while ((core = hwloc_get_next_obj_by_type(topology.get(), HWLOC_OBJ_CORE, core)) != nullptr) {
        const hwloc_obj_t pu =
            hwloc_get_obj_inside_cpuset_by_type(topology.get(), core->cpuset, HWLOC_OBJ_PU, 0);
        if (pu != nullptr) cores.first_pu.push_back(pu->logical_index);
    }
    return cores;
}

std::optional<Binding> plan_binding(const NodeCores& cores, int node_rank, int node_ranks) {
    const std::size_t needed = 2 * static_cast<std::size_t>(node_ranks);
    if (cores.restricted || cores.first_pu.size() < needed) return std::nullopt;
    const std::size_t first = 2 * static_cast<std::size_t>(node_rank);
    return Binding{cores.first_pu[first], cores.first_pu[first + 1]};
}

}  // namespace rrfp
