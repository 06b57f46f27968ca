// What is written is read as the same actions; PyTorch's files go in and come out equal in meaning;
// what is no cell is refused with its place.

#include "adapters/schedules/csv.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/schedules/faults.h"
#include "adapters/schedules/table_check.h"
#include "tests/schedules/shapes.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::vector<std::string>> cells(const ScheduleTable& table) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& row : table.rows) {
        auto& words = rows.emplace_back();
        for (const TableEntry& entry : row) {
            words.push_back(to_cell(entry.action));
        }
    }
    return rows;
}

std::string asset(const std::string& name) {
    return std::string(RRFP_SCHEDULE_ASSETS) + "/" + name;
}

TEST(Csv, EverySchedulePrintsAndParsesAsItself) {
    for (const Shape& shape : all_shapes()) {
        const Schedule schedule = shape.schedule();
        const std::string text = to_csv(schedule);
        const Schedule again = check_table(parse_schedule_csv(text, shape.name));
        ASSERT_EQ(again.order, schedule.order) << shape;
        ASSERT_EQ(to_csv(again), text) << shape;
        ASSERT_TRUE(again.pipeline.placement == schedule.pipeline.placement) << shape;
        ASSERT_EQ(again.pipeline.split_weight, schedule.pipeline.split_weight) << shape;
    }
}

// R19: blanks, line ends, a trailing comma, a final empty line, a byte order mark, and I and W for
// some microbatches only are all the same schedule.
TEST(Csv, R19TheSameScheduleHoweverItIsTyped) {
    const std::string clean = "0F0,0F1,0B0,0I1,0W1\n1F0,1B0,1F1,1I1,1W1\n";
    const auto expected = cells(parse_schedule_csv(clean, "clean"));
    EXPECT_THAT(expected, ElementsAre(ElementsAre("0F0", "0F1", "0B0", "0I1", "0W1"),
                                      ElementsAre("1F0", "1B0", "1F1", "1I1", "1W1")));
    for (const std::string text : {" 0F0 ,\t0F1, 0B0,0I1 , 0W1 \n1F0, 1B0 ,1F1,1I1,\t1W1\t\n",
                                   "0F0,0F1,0B0,0I1,0W1\r\n1F0,1B0,1F1,1I1,1W1\r\n",
                                   "0F0,0F1,0B0,0I1,0W1,\n1F0,1B0,1F1,1I1,1W1,\n",
                                   "0F0,0F1,0B0,0I1,0W1\n1F0,1B0,1F1,1I1,1W1\n\n",
                                   "0F0,0F1,0B0,0I1,0W1\r\n1F0,1B0,1F1,1I1,1W1\r\n\r\n \r\n",
                                   "\xEF\xBB\xBF"
                                   "0F0,0F1,0B0,0I1,0W1\n1F0,1B0,1F1,1I1,1W1",
                                   "0F0,0F1,,0B0,,0I1,0W1\n,1F0,1B0,1F1,1I1,1W1,,\n"}) {
        const ScheduleTable table = parse_schedule_csv(text, "typed");
        EXPECT_EQ(cells(table), expected) << text;
        EXPECT_EQ(to_csv(check_table(table)), clean) << text;
    }
}

TEST(Csv, CommunicationIsPassedOverAndOverlapReadInOrder) {
    const ScheduleTable table = parse_schedule_csv(
        "0UNSHARD,0F0,0SEND_F0,0RECV_B0,0B0,0RESHARD,0REDUCE_GRAD,( 0F1 ; 0B1)OVERLAP_F_B\n", "x");
    EXPECT_TRUE(table.faults.empty());
    EXPECT_THAT(cells(table), ElementsAre(ElementsAre("0F0", "0B0", "0F1", "0B1")));
    EXPECT_EQ(table.rows[0][2].column, 8);
    EXPECT_EQ(table.rows[0][3].column, 8);
}

TEST(Csv, EveryCellThatIsNoneIsNamedWithItsPlace) {
    for (const std::string bad : {"0F0x",
                                  "0F",
                                  "F0",
                                  "0f0",
                                  "0X0",
                                  "0F0 1",
                                  "0UNSHARD0",
                                  "0SEND_F",
                                  "0SEND_G1",
                                  "SEND_F1",
                                  "0RESHARD 1",
                                  "0F0)OVERLAP_F_B",
                                  "()OVERLAP_F_B",
                                  "(;)OVERLAP_F_B",
                                  "(0F0;0B0)OVERLAP",
                                  "(0F0;0B0)OVERLAP_F_B1",
                                  "((0F0)OVERLAP_F_B)OVERLAP_F_B",
                                  "(0F0;0SEND_F0)OVERLAP_F_B",
                                  "\"0F0\"",
                                  "0F0;0B0",
                                  "99999999999F0"}) {
        try {
            check_table(parse_schedule_csv("0F1,0B1\n" + bad + ",1F1,1Q1\n", "dir/x.csv"));
            ADD_FAILURE() << "accepted " << bad;
        } catch (const ScheduleFaults& faults) {
            EXPECT_THAT(faults.messages(),
                        Contains(AllOf(HasSubstr("dir/x.csv: row 2 (rank 1), column 1: '"),
                                       HasSubstr("' "))))
                << bad;
            EXPECT_THAT(faults.messages(), Contains(HasSubstr("row 2 (rank 1), column 3: '1Q1'")))
                << bad;
        }
    }
}

TEST(Csv, AFileThatCannotBeReadIsNamed) {
    for (const std::string path : {"missing.csv", "/"}) {
        try {
            check_table(read_schedule_csv(path));
            ADD_FAILURE() << "accepted " << path;
        } catch (const ScheduleFaults& faults) {
            EXPECT_THAT(faults.what(), HasSubstr(path));
        }
    }
    EXPECT_THROW(check_table(parse_schedule_csv("", "empty")), ScheduleFaults);
    EXPECT_THROW(check_table(parse_schedule_csv("\n\n", "empty")), ScheduleFaults);
    EXPECT_THROW(check_table(parse_schedule_csv(std::string(4096, '\0'), "zeros")), ScheduleFaults);
}

struct Golden {
    const char* file;
    int stages;
    int ranks;
    int microbatches;
};

class PyTorchFiles : public testing::TestWithParam<Golden> {};

TEST_P(PyTorchFiles, AreReadAndComeOutEqualInMeaning) {
    const Golden golden = GetParam();
    const Schedule schedule = check_table(read_schedule_csv(asset(golden.file)));
    EXPECT_EQ(schedule.pipeline.placement.stages(), golden.stages);
    EXPECT_EQ(schedule.pipeline.placement.ranks(), golden.ranks);
    EXPECT_EQ(schedule.pipeline.microbatches, golden.microbatches);
    const Schedule again = check_table(parse_schedule_csv(to_csv(schedule), "again"));
    EXPECT_EQ(again.order, schedule.order);
    EXPECT_EQ(to_csv(again), to_csv(schedule));
}

INSTANTIATE_TEST_SUITE_P(Assets, PyTorchFiles,
                         testing::Values(Golden{"interleaved_1f1b.csv", 8, 4, 8},
                                         Golden{"interleaved_1f1b_comms.csv", 8, 4, 8},
                                         Golden{"interleaved_zero_bubble.csv", 4, 2, 4},
                                         Golden{"looped_bfs.csv", 4, 2, 3},
                                         Golden{"zbv.csv", 8, 4, 8},
                                         Golden{"dual_pipe_v.csv", 8, 4, 10},
                                         Golden{"dual_pipe_v_comms.csv", 4, 2, 6}),
                         [](const auto& param) {
                             std::string name = param.param.file;
                             return name.substr(0, name.size() - 4);
                         });

/// The file with its cells of communication gone, or moved to the ends of their rows, found by
/// their spelling alone.
enum class Communication { dropped, moved_to_the_end };
std::string with(const std::string& file, Communication where) {
    std::ifstream lines(asset(file));
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        std::string computed;
        std::string communicated;
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, ',');) {
            const bool overlap = cell.find("OVERLAP") != std::string::npos;
            const bool communication = !overlap && (cell.find('_') != std::string::npos ||
                                                    cell.find("SHARD") != std::string::npos);
            (communication ? communicated : computed) += cell + ',';
        }
        text += computed;
        if (where == Communication::moved_to_the_end) text += communicated;
        text.back() = '\n';
    }
    return text;
}

TEST(PyTorchFiles, WhereCommunicationStandsMakesNoDifference) {
    for (const char* file : {"interleaved_1f1b_comms.csv", "dual_pipe_v_comms.csv"}) {
        const Schedule schedule = check_table(read_schedule_csv(asset(file)));
        for (const auto where : {Communication::dropped, Communication::moved_to_the_end}) {
            const Schedule other = check_table(parse_schedule_csv(with(file, where), file));
            EXPECT_EQ(other.order, schedule.order) << file;
        }
        EXPECT_THAT(to_csv(schedule), Not(HasSubstr("_"))) << "what is written has none";
    }
}

TEST(PyTorchFiles, AreTheSchedulesOfTheSameName) {
    const auto read = [](const std::string& file) {
        return check_table(read_schedule_csv(asset(file)));
    };
    const Schedule interleaved = read("interleaved_1f1b.csv");
    EXPECT_EQ(interleaved.order, make_schedule("interleaved-1f1b", 8, 4, 8).order);
    EXPECT_EQ(read("interleaved_1f1b_comms.csv").order, interleaved.order);
    const Schedule zbv = read("zbv.csv");
    EXPECT_EQ(zbv.order, make_schedule("zbv", 8, 4, 8).order);
    EXPECT_TRUE(zbv.pipeline.placement == Placement::v(4));
}

}  // namespace
}  // namespace rrfp
