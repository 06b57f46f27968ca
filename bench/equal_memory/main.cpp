// What readiness-first arbiters gain over a fixed schedule at its own memory and above, in
// simulation: prints every cell of the tables as JSON, for equal_memory.py.
//
//     equal_memory [FIRST_SEED COUNT]

#include <cstdio>
#include <cstdlib>
#include <exception>

#include <fmt/format.h>

#include "bench/equal_memory/comparison.h"

namespace rrfp {
namespace {

const std::vector<Comparison>& comparisons() {
    static const std::vector<Comparison> all = {
        {.name = "1f1b", .baseline = "1f1b", .arbiters = {"bf", "tide"}},
        {.name = "zb-h1", .baseline = "zb-h1", .split_weight = true, .arbiters = {"bfw", "tide-w"}},
        {.name = "interleaved-1f1b",
         .baseline = "interleaved-1f1b",
         .chunks = 2,
         .admission = AdmissionRule::window,
         .arbiters = {"bf", "tide"}},
        {.name = "interleaved-1f1b, 4",
         .baseline = "interleaved-1f1b",
         .chunks = 4,
         .admission = AdmissionRule::window,
         .arbiters = {"bf", "tide"}},
        {.name = "zbv",
         .baseline = "zbv",
         .chunks = 2,
         .turns = true,
         .split_weight = true,
         .admission = AdmissionRule::window,
         .arbiters = {"bfw", "tide-w"}},
    };
    return all;
}

void print(const std::vector<Cell>& cells, bool& first) {
    for (const Cell& cell : cells) {
        fmt::print(
            "{}{{\"baseline\": \"{}\", \"ranks\": {}, \"limit\": \"{}\", \"scenario\": "
            "\"{}\", \"arbiter\": \"{}\", \"speedup\": {:.6f}, \"percentile5\": {:.6f}}}",
            first ? "" : ",\n", cell.baseline, cell.ranks, cell.limit, cell.scenario, cell.arbiter,
            cell.speedup, cell.percentile5);
        first = false;
    }
}

int run(const Seeds& seeds) {
    bool first = true;
    fmt::print("[");
    for (const Comparison& comparison : comparisons()) {
        for (const int ranks : {4, 8, 16}) {
            print(compare(comparison, ranks, seeds), first);
        }
    }
    fmt::print("]\n");
    return 0;
}

}  // namespace
}  // namespace rrfp

int main(int count, char** arguments) {
    rrfp::Seeds seeds;
    if (count == 3) {
        seeds.first = std::strtoull(arguments[1], nullptr, 10);
        seeds.count = std::atoi(arguments[2]);
    }
    if ((count != 1 && count != 3) || seeds.count < 1) {
        fmt::print(stderr, "usage: equal_memory [FIRST_SEED COUNT], COUNT from 1\n");
        return 2;
    }
    try {
        return rrfp::run(seeds);
    } catch (const std::exception& error) {
        fmt::print(stderr, "equal_memory: {}\n", error.what());
        return 1;
    }
}
