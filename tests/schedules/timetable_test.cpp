// Unit-time tables have the papers' lengths; two directions, which no simulated job has, included.

#include "adapters/schedules/timetable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/schedules/csv.h"
#include "adapters/schedules/table_check.h"
#include "tests/schedules/shapes.h"

namespace rrfp {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Le;

TEST(Timetable, Of1F1BIsTheTextbooks) {
    const Timetable table = unit_timetable(make_schedule("1f1b", 4, 4, 8));
    EXPECT_EQ(table.units, 3 * (8 + 3));
    EXPECT_DOUBLE_EQ(table.idle, 3.0 / 11);
    EXPECT_THAT(table.in_flight, ElementsAre(4, 3, 2, 1));
    EXPECT_EQ(table.ranks[3][0].start, 3);
    EXPECT_EQ(table.ranks[3][1].end, 6);
}

TEST(Timetable, GivesAWholeBackwardTwoUnitsAndEachHalfOne) {
    const Timetable table =
        unit_timetable(check_table(parse_schedule_csv("0F0,0F1,0B0,0I1,0W1\n", "mixed")));
    EXPECT_EQ(table.units, 6);
    EXPECT_EQ(table.ranks[0][2].end, 4);
    EXPECT_EQ(to_cell(table.ranks[0][3].action), "0I1");
    EXPECT_EQ(table.ranks[0][3].end, 5);
    EXPECT_THAT(table.in_flight, ElementsAre(2));
}

TEST(Timetable, ChimeraHalvesTheBubbleOf1F1B) {
    for (const int ranks : {2, 4, 6, 8}) {
        for (const int rounds : {1, 2, 4}) {
            const int microbatches = rounds * ranks;
            const Timetable table =
                unit_timetable(make_schedule("chimera", ranks, ranks, microbatches));
            EXPECT_THAT(table.in_flight, Each(Le(ranks)));
            EXPECT_LT(table.units, 3 * (microbatches + ranks - 1));
            if (rounds == 1) {
                // P/2 - 1 forwards and as many backwards idle on each side of the middle.
                EXPECT_EQ(table.units, 3 * ranks + 2 * (ranks - 2)) << ranks;
            }
        }
    }
}

}  // namespace
}  // namespace rrfp
