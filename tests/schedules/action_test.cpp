// Cells of a schedule table read as they print, and nothing that is not a whole cell is read.

#include "adapters/schedules/action.h"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace rrfp {
namespace {

RC_GTEST_PROP(Action, PrintsAndParsesSymmetrically, ()) {
    Action action;
    action.task.kind = static_cast<TaskKind>(*rc::gen::inRange(0, task_kinds));
    action.task.stage = *rc::gen::inRange(0, 1000);
    action.task.microbatch = *rc::gen::inRange(0, 100000);
    action.input_gradient_alone =
        action.task.kind == TaskKind::backward && *rc::gen::arbitrary<bool>();
    RC_ASSERT(parse_cell(to_cell(action)) == action);
}

TEST(Action, ReadsEachLetter) {
    EXPECT_EQ(parse_cell("2F0").task, (Task{TaskKind::forward, 2, 0}));
    EXPECT_EQ(parse_cell("0B17"), (Action{{TaskKind::backward, 0, 17}, false}));
    EXPECT_EQ(parse_cell("0I17"), (Action{{TaskKind::backward, 0, 17}, true}));
    EXPECT_EQ(parse_cell("3W1").task, (Task{TaskKind::weight_gradient, 3, 1}));
}

TEST(Action, RefusesEverythingElse) {
    for (const char* bad :
         {"",     "2",    "2F",    "F0",   "F",    "2f0",           "2X0",
          "2F0 ", " 2F0", "2F0,",  "2F0x", "-2F0", "2F-0",          "+2F0",
          "2F+0", "2.F0", "2F0.5", "2FF0", "2BW0", "99999999999F0", "0F99999999999"}) {
        try {
            parse_cell(bad);
            ADD_FAILURE() << "accepted '" << bad << "'";
        } catch (const std::invalid_argument& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr(std::string("'") + bad + "'"));
        }
    }
}

}  // namespace
}  // namespace rrfp
