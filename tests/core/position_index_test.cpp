// The index finds the first present position whose value is below the bound, as a scan would.

#include "runtime/core/position_index.h"

#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace rrfp {
namespace {

RC_GTEST_PROP(PositionIndex, AgreesWithAScan, ()) {
    const int positions = *rc::gen::inRange(1, 70);
    PositionIndex tested(positions);
    std::map<int, int> reference;
    for (int step = 0; step < 100; ++step) {
        const int position = *rc::gen::inRange(0, positions);
        if (*rc::gen::arbitrary<bool>()) {
            const int value = *rc::gen::inRange(0, 20);
            tested.insert(position, value);
            reference[position] = value;
        } else {
            tested.erase(position);
            reference.erase(position);
        }
        const int end = *rc::gen::inRange(0, 22);
        std::optional<int> expected;
        for (const auto& [at, value] : reference) {
            if (value < end) {
                expected = at;
                break;
            }
        }
        RC_ASSERT(tested.first(end) == expected);
    }
    tested.clear();
    RC_ASSERT(!tested.first(1000));
}

TEST(PositionIndex, MayBeEmpty) { EXPECT_FALSE(PositionIndex(0).first(1)); }

}  // namespace
}  // namespace rrfp
