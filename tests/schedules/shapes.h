#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "adapters/schedules/registry.h"

namespace rrfp {

/// A schedule's name and a shape that it is made for.
struct Shape {
    std::string name;
    int ranks = 1;
    int chunks = 1;
    int microbatches = 1;

    Schedule schedule() const { return make_schedule(name, ranks * chunks, ranks, microbatches); }

    friend std::ostream& operator<<(std::ostream& out, const Shape& shape) {
        return out << shape.name << ", " << shape.ranks << " ranks, " << shape.chunks << " chunks, "
                   << shape.microbatches << " microbatches";
    }
};

/// Whether the schedule called `name` is made for this many ranks and chunks.
inline bool made_for(const std::string& name, int ranks, int chunks) {
    if (name == "gpipe" || name == "interleaved-1f1b" || name == "looped-bfs") {
        return true;
    }
    if (name == "zbv" || name == "v-half" || name == "v-min") {
        return chunks == 2;
    }
    if (name == "hanayo") {
        return chunks % 2 == 0;
    }
    return chunks == 1 && (name != "chimera" || ranks % 2 == 0);
}

/// Every schedule on 1 to 8 ranks, 1 to 3 chunks (and 4) and 1 to 20 microbatches.
inline std::vector<Shape> all_shapes() {
    std::vector<Shape> shapes;
    for (const std::string& name : schedule_names()) {
        for (int ranks = 1; ranks <= 8; ++ranks) {
            for (int chunks = 1; chunks <= 4; ++chunks) {
                for (int microbatches = 1; microbatches <= 20; ++microbatches) {
                    if (made_for(name, ranks, chunks)) {
                        shapes.push_back({name, ranks, chunks, microbatches});
                    }
                }
            }
        }
    }
    return shapes;
}

}  // namespace rrfp
