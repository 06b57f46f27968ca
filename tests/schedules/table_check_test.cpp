// The check finds what is planted in a sound table, all of it, at its place, and nothing else.

#include "adapters/schedules/table_check.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "adapters/schedules/csv.h"
#include "adapters/schedules/faults.h"
#include "tests/schedules/shapes.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> faults_of(const ScheduleTable& table, const TableShape& shape = {}) {
    try {
        check_table(table, shape);
    } catch (const ScheduleFaults& faults) {
        return faults.messages();
    }
    return {};
}

std::vector<std::string> faults_of(const std::string& text, const TableShape& shape = {}) {
    return faults_of(parse_schedule_csv(text, "t.csv"), shape);
}

TEST(TableCheck, AcceptsASoundTable) {
    EXPECT_THAT(faults_of("0F0,0B0\n1F0,1B0\n"), IsEmpty());
    EXPECT_THAT(faults_of("0F0,1F0,1B0,0B0\n"), IsEmpty());
}

TEST(TableCheck, OneHugeNumberIsOneFault) {
    // Not one for each of the pairs that such a table would have, nor memory for them.
    std::string text = "0F0,0B0,99999F0,0F99999\n";
    for (int i = 1; i < 100'000; ++i) text.insert(text.size() - 1, fmt::format(",0F{}", i));
    text += "1F0,1B0\n";
    EXPECT_THAT(faults_of(text), ::testing::Contains(HasSubstr("by the largest numbers in it")));
}

TEST(TableCheck, OfManyFaultsTheFirstAreTold) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += "nonsense,";
    EXPECT_LE(faults_of(text).size(), 21u);
    EXPECT_THAT(faults_of(text).back(), HasSubstr("more; mend the first ones"));
}

TEST(TableCheck, FindsMissingActions) {
    EXPECT_THAT(
        faults_of("0F0,0F1,0B0,0B1\n1F0,1B0,1F1\n"),
        ElementsAre(AllOf(HasSubstr("row 2 (rank 1), column 3"), HasSubstr("1B1 is missing"))));
    EXPECT_THAT(
        faults_of("0F0,0I0\n1F0,1B0\n"),
        ElementsAre(AllOf(HasSubstr("row 1 (rank 0), column 2"), HasSubstr("0W0 is missing"))));
    EXPECT_THAT(faults_of("0F0,0W0\n1F0,1B0\n"), ElementsAre(HasSubstr("0I0 is missing")));
    EXPECT_THAT(faults_of("0F0,0B0\n2F0,2B0\n"),
                ElementsAre(HasSubstr("1F0 is missing, as all of stage 1"), HasSubstr("1B0")));
}

TEST(TableCheck, FindsDuplicates) {
    EXPECT_THAT(faults_of("0F0,0B0,0B0\n1F0,1B0\n"),
                ElementsAre(AllOf(HasSubstr("row 1 (rank 0), column 3"),
                                  HasSubstr("0B0 is a duplicate: 0B0 stands in row 1, column 2"))));
    EXPECT_THAT(faults_of("0F0,0B0\n1F0,1B0,0F0\n"),
                ElementsAre(AllOf(HasSubstr("row 2 (rank 1), column 3"), HasSubstr("duplicate"))));
    EXPECT_THAT(faults_of("0F0,0B0,0I0,0W0\n1F0,1B0\n"),
                ElementsAre(HasSubstr("column 3: 0I0 is a duplicate: 0B0"),
                            HasSubstr("column 4: 0W0 repeats what 0B0 in column 2 computes")));
}

TEST(TableCheck, RefusesOldFilesWhoseBIsASplitBackward) {
    EXPECT_THAT(faults_of("0F0,0B0,0W0\n"),
                ElementsAre(AllOf(HasSubstr("row 1 (rank 0), column 3"), HasSubstr("as I"))));
}

TEST(TableCheck, FindsMisplacedActions) {
    EXPECT_THAT(faults_of("0F0,0F1,0B0\n1F0,1F1,1B0,1B1,0B1\n"),
                ElementsAre(AllOf(HasSubstr("row 2 (rank 1), column 5"),
                                  HasSubstr("0B1 is misplaced; stage 0 is on row 1 (rank 0)"))));
    EXPECT_THAT(faults_of("0F0,1F0,1B0,0B0\n\n2F0,2B0\n"),
                ElementsAre(HasSubstr("row 2 (rank 1), column 1: holds no action")));
}

TEST(TableCheck, FindsActionsOutOfOrder) {
    EXPECT_THAT(faults_of("0B0,0F0\n1F0,1B0\n"),
                ElementsAre(AllOf(HasSubstr("row 1 (rank 0), column 1: 0B0 is out of order"),
                                  HasSubstr("0F0, which it reads, comes later, in column 2"))));
    EXPECT_THAT(faults_of("0F0,0W0,0I0\n1F0,1B0\n"),
                ElementsAre(HasSubstr("column 2: 0W0 is out of order; 0I0")));
    EXPECT_THAT(faults_of("1F0,0F0,1B0,0B0\n"), ElementsAre(HasSubstr("1F0 is out of order; 0F0")));
}

TEST(TableCheck, FindsRowsThatWaitForEachOther) {
    EXPECT_THAT(
        faults_of("0F0,0B0,0F1,0B1\n1F0,1F1,1B0,1B1\n"),
        ElementsAre(AllOf(HasSubstr("row 1 (rank 0), column 2: deadlock"),
                          HasSubstr("0B0 in row 1, column 2 waits for 1B0 in row 2, column 3"),
                          HasSubstr("1F1 in row 2, column 2 waits for 0F1 in row 1, column 3"))));
}

TEST(TableCheck, NamesEveryDeadlock) {
    const std::string twice = "0F0,0B0,0F1,0B1,0F2,0B2,0F3,0B3\n1F0,1F1,1B0,1B1,1F2,1F3,1B2,1B3\n";
    EXPECT_THAT(faults_of(twice), ElementsAre(HasSubstr("row 1 (rank 0), column 2: deadlock"),
                                              HasSubstr("row 1 (rank 0), column 6: deadlock")));
}

TEST(TableCheck, ReportsEverythingAtOnce) {
    EXPECT_THAT(faults_of("0F0,0F1,0F1,0B1,0B0\n1B0,1F0,zap,1F1\n"),
                ElementsAre(HasSubstr("row 1 (rank 0), column 3: 0F1 is a duplicate"),
                            HasSubstr("row 2 (rank 1), column 1: 1B0 is out of order"),
                            HasSubstr("row 2 (rank 1), column 3: 'zap' is no action"),
                            HasSubstr("row 2 (rank 1), column 4: 1B1 is missing")));
}

TEST(TableCheck, ComparesWithWhatIsGiven) {
    const std::string sound = "0F0,0B0\n1F0,1B0\n";
    EXPECT_THAT(faults_of(sound, {.stages = 2, .ranks = 2, .microbatches = 1}), IsEmpty());
    EXPECT_THAT(faults_of(sound, {.ranks = 3}), ElementsAre(HasSubstr("there must be 3")));
    EXPECT_THAT(
        faults_of(sound, {.stages = 1}),
        ElementsAre(HasSubstr("row 2 (rank 1), column 1: 1F0 is of stage 1"),
                    HasSubstr("holds no action"), HasSubstr("column 2: 1B0 is of stage 1")));
    EXPECT_THAT(faults_of(sound, {.microbatches = 2}), testing::SizeIs(4));
}

TEST(TableCheck, WildNumbersAreFaultsAndSizeNothing) {
    EXPECT_THAT(faults_of("0F0,0B0,2000000000F0,0F2000000000\n"),
                ElementsAre(AllOf(HasSubstr("column 3"), HasSubstr("stage 2000000000")),
                            AllOf(HasSubstr("column 4"), HasSubstr("microbatch 2000000000"))));
    EXPECT_THAT(faults_of("0F0,0B0\n", {.stages = 2000000000, .microbatches = 2000000000}),
                ElementsAre(HasSubstr("too few for 2000000000 stages"),
                            HasSubstr("too few for 2000000000 microbatches")));
}

TEST(TableCheck, KnowsTwoDirections) {
    const Schedule chimera = make_schedule("chimera", 4, 4, 8);
    const Schedule again = check_table(to_table(chimera, "chimera"));
    EXPECT_EQ(again.upward, chimera.upward);
    // One action elsewhere is a misplaced one, not a third direction.
    ScheduleTable table = to_table(chimera, "chimera");
    std::swap(table.rows[0].back(), table.rows[1].back());
    EXPECT_THAT(faults_of(table), testing::Contains(HasSubstr("misplaced")));
}

// A single change to a sound schedule is found, whatever it is.
RC_GTEST_PROP(TableCheck, FindsAnyPlantedFault, ()) {
    static const std::vector<Shape> shapes = all_shapes();
    const Shape shape = *rc::gen::elementOf(shapes);
    ScheduleTable table = to_table(shape.schedule(), shape.name);
    auto& row = table.rows[*rc::gen::inRange<std::size_t>(0, table.rows.size())];
    const auto entry = *rc::gen::inRange<std::size_t>(0, row.size());
    const Action action = row[entry].action;
    switch (*rc::gen::inRange(0, 3)) {
        case 0:
            // One microbatch fewer is a sound table where it was the last of one.
            RC_PRE(shape.microbatches > 1 || row.size() > 3);
            row.erase(row.begin() + static_cast<std::ptrdiff_t>(entry));
            RC_ASSERT(faults_of(table, {.stages = shape.ranks * shape.chunks,
                                        .ranks = shape.ranks,
                                        .microbatches = shape.microbatches})
                          .size() >= 1);
            break;
        case 1:
            row.push_back(row[entry]);
            RC_ASSERT(faults_of(table).size() == 1);
            break;
        default: {
            // Before what it reads, or after what reads it, of the same microbatch and stage.
            const auto reads = [&](const TableEntry& other) {
                return other.action.task.stage == action.task.stage &&
                       other.action.task.microbatch == action.task.microbatch &&
                       other.action.task.kind != action.task.kind;
            };
            const auto other = std::find_if(row.begin(), row.end(), reads);
            RC_PRE(other != row.end());
            std::swap(other->action, row[entry].action);
            RC_ASSERT(faults_of(table).size() >= 1);
        }
    }
}

}  // namespace
}  // namespace rrfp
