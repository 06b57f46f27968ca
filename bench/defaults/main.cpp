// What a user who sets nothing but sizes gets, against the fixed schedule of the same shape, in
// simulation: prints every cell for one number of ranks as JSON lines, for defaults.py.
//
//     defaults RANKS SEEDS

#include <cstdlib>
#include <exception>

#include <fmt/format.h>

#include "bench/defaults/sweep.h"

namespace rrfp {
namespace {

void print(const Cell& cell) {
    const Shape& shape = cell.shape;
    fmt::print(
        "{{\"placement\": \"{}\", \"ranks\": {}, \"chunks\": {}, \"microbatches\": {}, "
        "\"split\": {}, \"limit\": \"{}\", \"cv\": {}, \"message_ms\": {}, \"uneven\": {}, "
        "\"admission\": \"{}\", \"arbiter\": \"{}\", \"speedup\": {:.5f}, \"best\": {:.5f}}}\n",
        shape.placement, shape.ranks, shape.chunks, shape.microbatches, shape.split_weight,
        cell.limit, cell.variation.cv, cell.variation.message_ms, cell.variation.uneven,
        cell.admission, cell.arbiter, cell.speedup, cell.best);
}

int run(int ranks, int seeds) {
    for (const Shape& shape : shapes(ranks)) {
        for (const Variation& variation : variations()) {
            for (const Cell& cell : sweep(shape, variation, seeds)) {
                print(cell);
            }
        }
    }
    return 0;
}

}  // namespace
}  // namespace rrfp

int main(int count, char** arguments) {
    const int ranks = count == 3 ? std::atoi(arguments[1]) : 0;
    const int seeds = count == 3 ? std::atoi(arguments[2]) : 0;
    if (ranks < 2 || ranks > 64 || seeds < 1) {
        fmt::print(stderr, "usage: defaults RANKS SEEDS, RANKS from 2 to 64, SEEDS from 1\n");
        return 2;
    }
    try {
        return rrfp::run(ranks, seeds);
    } catch (const std::exception& error) {
        fmt::print(stderr, "defaults: {}\n", error.what());
        return 1;
    }
}
