// Guards: greater priority first, then earlier arrival, over the whole range of priorities; what a
// taker cannot use stays for others in its place.

#include "runtime/starpu/decision/arrival_queue.h"

#include <climits>
#include <vector>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

const auto any = [](int) { return true; };

TEST(ArrivalQueue, OrdersByPriorityThenArrival) {
    ArrivalQueue<int> queue;
    queue.push(0, 1);
    queue.push(INT_MIN, 2);
    queue.push(INT_MAX, 3);
    queue.push(0, 4);
    queue.push(-1, 5);
    std::vector<int> order;
    while (!queue.empty()) order.push_back(queue.pop(any));
    EXPECT_EQ(order, (std::vector{3, 1, 4, 5, 2}));
}

TEST(ArrivalQueue, LeavesWhatIsNotAdmitted) {
    ArrivalQueue<int> queue;
    for (const int item : {1, 2, 3, 4}) queue.push(0, item);
    EXPECT_EQ(queue.pop([](int item) { return item % 2 == 0; }), 2);
    EXPECT_EQ(queue.pop([](int) { return false; }), 0);
    EXPECT_EQ(queue.pop(any), 1);
    EXPECT_EQ(queue.pop(any), 3);
}

}  // namespace
}  // namespace rrfp
