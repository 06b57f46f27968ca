// Guards: the board's words tell each member once of what became ready everywhere; an entry of an
// earlier lap reads as empty; of two members that write one entry, one wins and the other sees it.

#include "runtime/core/agreement/board_memory.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

using State = BoardEntry::State;

struct Memory {
    explicit Memory(int tasks)
        : words(BoardMemory::bytes(tasks) / 8 + 1), board(words.data(), tasks) {}
    std::vector<std::uint64_t> words;
    BoardMemory board;
};

std::vector<int> common(BoardMemory& board) {
    std::vector<int> tasks;
    board.take_common([&](int task) { tasks.push_back(task); });
    return tasks;
}

TEST(BoardMemory, TellsOnceOfWhatIsReadyEverywhere) {
    Memory memory(130);
    for (const int task : {0, 64, 129}) {
        EXPECT_FALSE(memory.board.arrive(task, 3, 1));
        EXPECT_FALSE(memory.board.arrive(task, 3, 2));
    }
    EXPECT_TRUE(common(memory.board).empty());
    EXPECT_TRUE(memory.board.arrive(129, 3, 7));
    EXPECT_TRUE(memory.board.arrive(0, 3, 8));
    EXPECT_EQ(common(memory.board), (std::vector{0, 129}));
    EXPECT_EQ(memory.board.ready_everywhere_ms(129), 7);
    EXPECT_TRUE(common(memory.board).empty());
    // The count starts anew: the next iteration.
    EXPECT_FALSE(memory.board.arrive(0, 3, 9));
}

TEST(BoardMemory, ForgetsEntriesOfAnEarlierLap) {
    Memory memory(4);
    BoardEntry seen;
    const BoardEntry entry{.state = State::final, .task = 3};
    ASSERT_TRUE(memory.board.replace(0, seen, entry));
    EXPECT_EQ(memory.board.entry(0), entry);
    EXPECT_EQ(memory.board.entry(6), BoardEntry{});  // the same place, one lap on
    ASSERT_TRUE(memory.board.replace(6, seen, {.state = State::provisional, .task = 1}));
    EXPECT_EQ(memory.board.entry(0), BoardEntry{});
}

TEST(BoardMemory, LetsOneOfTwoWritersWin) {
    constexpr int rounds = 2000;
    Memory memory(rounds);
    std::vector<int> results[2] = {std::vector<int>(rounds), std::vector<int>(rounds)};
    const auto write = [&](int writer) {
        for (int round = 0; round < rounds; ++round) {
            BoardEntry seen;
            const BoardEntry own{.state = State::final, .task = writer};
            results[writer][round] = memory.board.replace(round, seen, own) ? writer : seen.task;
        }
    };
    std::thread other(write, 1);
    write(0);
    other.join();
    EXPECT_EQ(results[0], results[1]);
}

}  // namespace
}  // namespace rrfp
