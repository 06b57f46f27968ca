#pragma once

#include <string>
#include <vector>

#include "runtime/core/pipeline.h"

namespace rrfp {

/// A pipeline's shape: what a user of the defaults gives.
struct Shape {
    std::string placement;  ///< `loop` or `v`
    int ranks = 1;
    int chunks = 1;
    int microbatches = 1;
    bool split_weight = false;

    Pipeline pipeline() const;
};

/// How durations vary: log-normal factors on tasks, exponential messages, and whether the first and
/// the last stage are longer than the others.
struct Variation {
    double cv = 0;
    double message_ms = 0;
    bool uneven = false;
};

/// The defaults against the fixed schedule of the shape, at one limit, over all seeds.
struct Cell {
    Shape shape;
    std::string limit;  ///< see `limit_names`
    Variation variation;
    std::string admission;
    std::string arbiter;
    double speedup = 0;  ///< geometric mean of the fixed schedule's makespan over the default's
    /// The same of the best of the rules that the limit allows; 0 where the limit reaches the fixed
    /// schedule's memory, where it is the reference.
    double best = 0;
};

/// `least` (one for each stage), `half` and `own-1` are below the fixed schedule's own memory at
/// each rank; `own`, `own+P`, `default` (where none is given) and `none` are not.
const std::vector<std::string>& limit_names();

/// What is simulated for `ranks` ranks: loops of 1 to 4 chunks and the V, whole and split backward,
/// P to 8 P microbatches.
std::vector<Shape> shapes(int ranks);
/// CV 0 to 1, messages of 0 and 5 ms, even and uneven stages.
std::vector<Variation> variations();

/// The cells of `shape` under `variation`, one a limit, on the samples of `seeds` seeds from 1 on.
std::vector<Cell> sweep(const Shape& shape, const Variation& variation, int seeds);

}  // namespace rrfp
