// Guards: the policy serves any StarPU program (priorities, several workers, a worker's own queue),
// wakes who must run, sleeps otherwise; and lets a dispatcher alone decide over labelled tasks.

#include "runtime/starpu/decision/policy.h"

#include <barrier>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/core/schedule_options.h"
#include "tests/starpu/starpu_session_for_tests.h"
#include "tests/support/processor_time.h"

namespace rrfp {
namespace {

using namespace rrfp::testing;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Keeps the only worker busy until it goes, so that what is submitted meanwhile is ready at once.
class Held {
  public:
    Held() {
        submit(work_);
        started_.get_future().wait();
    }
    ~Held() { release_.set_value(); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

  private:
    // Static, since the task may end after this object has gone.
    static inline std::promise<void> started_;
    static inline std::promise<void> release_;
    static inline const std::function<void()> work_ = [] {
        started_.set_value();
        release_.get_future().wait();
        started_ = {};
        release_ = {};
    };
};

TEST(Policy, RunsByPriorityThenArrival) {
    PlainStarpu starpu(1, scheduling_policy());
    ASSERT_EQ(PlainStarpu::policy_name(), "rrfp");
    std::vector<int> order;
    std::deque<std::function<void()>> works;
    {
        const Held held;
        for (const int priority : {0, 5, -3, 5, 0, 1'000'000}) {
            const int name = static_cast<int>(works.size());
            works.emplace_back([&order, name] { order.push_back(name); });
            submit(works.back(), [&](starpu_task& task) { task.priority = priority; });
        }
    }
    starpu_task_wait_for_all();
    EXPECT_EQ(order, (std::vector{5, 1, 3, 0, 4, 2}));
}

TEST(Policy, WakesAsManyWorkersAsThereAreTasks) {
    // Each round needs all four workers at once. A wake-up lost would cost the round 100 ms.
    PlainStarpu starpu(4, scheduling_policy());
    std::barrier together(4);
    const std::function<void()> work = [&] { together.arrive_and_wait(); };
    const auto begin = Clock::now();
    for (int round = 0; round < 200; ++round) {
        for (int i = 0; i < 4; ++i) submit(work);
        starpu_task_wait_for_all();
    }
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(10));
}

TEST(Policy, RunsTasksOfAWorkersOwnQueue) {
    PlainStarpu starpu(2, scheduling_policy());
    std::atomic<int> wrong = 0;
    const auto begin = Clock::now();
    for (unsigned round = 0; round < 100; ++round) {
        const int worker = static_cast<int>(round % 2);
        const std::function<void()> work = [&, worker] {
            if (starpu_worker_get_id() != worker) ++wrong;
        };
        submit(work, [&](starpu_task& task) {
            task.execute_on_a_specific_worker = 1;
            task.workerid = static_cast<unsigned>(worker);
        });
        starpu_task_wait_for_all();
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(5));
}

TEST(Policy, SleepsWhenThereIsNothingToRun) {
    PlainStarpu starpu(4, scheduling_policy());
    const ProcessorTime time(ProcessorTime::Of::process);
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    EXPECT_LT(time.used_s(), 0.1);
    const PolicyMeasures measures = policy_measures(0);
    EXPECT_GT(measures.sleeps, 0U);
    EXPECT_GT(measures.asleep_ms, 400);
}

class LabelledTasks : public ::testing::Test {
  protected:
    static constexpr int microbatches = 4;

    /// Submits every task of the pipeline at once, all of them ready.
    void submit_all() {
        const Held held;
        for (int m = 0; m < microbatches; ++m) {
            for (const TaskKind kind : {TaskKind::forward, TaskKind::backward}) {
                TaskLabel& label = labels_.emplace_back();
                label.task = {kind, 0, m};
                works_.emplace_back([this, &label] { order_.push_back(label.task); });
                submit(works_.back(), [&](starpu_task& task) { task.sched_data = &label; });
            }
        }
    }

    PlainStarpu starpu_{1, scheduling_policy()};
    Pipeline pipeline_{.placement = Placement::loop(1), .microbatches = microbatches};
    std::deque<TaskLabel> labels_;
    std::deque<std::function<void()>> works_;
    std::vector<Task> order_;
};

TEST_F(LabelledTasks, RunInTheOrderOfTheDispatcher) {
    std::vector<Task> list;
    for (const int m : {2, 0, 3, 1}) {
        list.push_back({TaskKind::forward, 0, m});
        list.push_back({TaskKind::backward, 0, m});
    }
    const auto dispatcher = make_dispatcher(
        pipeline_, 0, {.arbiter = "fixed", .hint = {list}, .limits = {microbatches}});
    set_dispatcher(0, dispatcher.get());
    submit_all();
    starpu_task_wait_for_all();
    set_dispatcher(0, nullptr);
    EXPECT_EQ(order_, list);
    EXPECT_TRUE(dispatcher->finished());
}

TEST_F(LabelledTasks, StayWithinTheLimit) {
    const auto dispatcher =
        make_dispatcher(pipeline_, 0, {.arbiter = "f-priority", .hint = {}, .limits = {2}});
    set_dispatcher(0, dispatcher.get());
    submit_all();
    starpu_task_wait_for_all();
    int in_flight = -1;
    with_dispatcher(0, 1s, [&](Dispatcher& used, Agreement*) {
        in_flight = used.state().in_flight_high_water();
    });
    set_dispatcher(0, nullptr);
    EXPECT_EQ(in_flight, 2);
    with_dispatcher(0, 1s,
                    [](Dispatcher&, Agreement*) { FAIL() << "there is no dispatcher any more"; });
}

TEST_F(LabelledTasks, AreOrdinaryWithoutADispatcher) {
    submit_all();
    starpu_task_wait_for_all();
    EXPECT_EQ(order_.size(), labels_.size());
    EXPECT_EQ(order_.front(), labels_.front().task);
}

TEST_F(LabelledTasks, ReportAFaultyArbiterOnce) {
    struct Throws : Arbiter {
        std::string_view name() const override { return "throws"; }
        std::optional<Task> choose(const Candidates&) override { throw std::domain_error("no"); }
    };
    Dispatcher dispatcher(pipeline_, 0, std::make_unique<Throws>(), {});
    std::promise<std::exception_ptr> fault;
    set_dispatcher(0, &dispatcher, [&](std::exception_ptr error) { fault.set_value(error); });
    submit_all();
    EXPECT_THROW(std::rethrow_exception(fault.get_future().get()), std::domain_error);
    // What is left ends all the same.
    starpu_task_wait_for_all();
    set_dispatcher(0, nullptr);
    EXPECT_EQ(order_.size(), labels_.size());
}

TEST_F(LabelledTasks, AllEndWhereTwoHaveOneLabel) {
    const auto dispatcher =
        make_dispatcher(pipeline_, 0, {.arbiter = "bf", .hint = {}, .limits = {microbatches}});
    std::promise<std::exception_ptr> fault;
    set_dispatcher(0, dispatcher.get(), [&](std::exception_ptr error) { fault.set_value(error); });
    {
        const Held held;
        for (int copy = 0; copy < 2; ++copy) {
            TaskLabel& label = labels_.emplace_back();
            works_.emplace_back([this, &label] { order_.push_back(label.task); });
            submit(works_.back(), [&](starpu_task& task) { task.sched_data = &label; });
        }
    }
    try {
        std::rethrow_exception(fault.get_future().get());
    } catch (const std::logic_error& error) {
        EXPECT_STREQ(error.what(), "two tasks are labelled 0F0; a label names one task at a time");
    }
    starpu_task_wait_for_all();
    set_dispatcher(0, nullptr);
    EXPECT_EQ(order_.size(), 2U);
}

TEST_F(LabelledTasks, AnUrgentOneGoesAheadAndTheDispatcherHearsNothingOfIt) {
    const auto dispatcher =
        make_dispatcher(pipeline_, 0, {.arbiter = "bf", .hint = {}, .limits = {microbatches}});
    set_dispatcher(0, dispatcher.get());
    {
        const Held held;
        for (const bool urgent : {false, true}) {
            TaskLabel& label = labels_.emplace_back();
            label.urgent = urgent;
            label.task.microbatch = urgent ? -1 : 0;
            works_.emplace_back([this, &label] { order_.push_back(label.task); });
            submit(works_.back(), [&](starpu_task& task) { task.sched_data = &label; });
        }
    }
    starpu_task_wait_for_all();
    set_dispatcher(0, nullptr);
    ASSERT_EQ(order_.size(), 2U);
    EXPECT_EQ(order_.front().microbatch, -1);
    EXPECT_EQ(dispatcher->state().tasks_completed(), 1);
}

TEST_F(LabelledTasks, NobodyWaitsForAnArbiterThatDoesNotReturn) {
    struct Endless : Arbiter {
        explicit Endless(std::promise<void>& asked_of, std::future<void> end_of)
            : asked(asked_of), end(std::move(end_of)) {}
        std::string_view name() const override { return "endless"; }
        std::optional<Task> choose(const Candidates& candidates) override {
            if (end.valid()) {
                asked.set_value();
                end.get();
            }
            return candidates.first_forward();
        }
        std::promise<void>& asked;
        std::future<void> end;
    };
    std::promise<void> asked;
    std::promise<void> end;
    Dispatcher dispatcher(pipeline_, 0, std::make_unique<Endless>(asked, end.get_future()), {});
    set_dispatcher(0, &dispatcher);
    TaskLabel label;
    const std::function<void()> nothing = [] {};
    submit(nothing, [&](starpu_task& task) { task.sched_data = &label; });
    asked.get_future().get();
    EXPECT_FALSE(with_dispatcher(0, 5ms, [](Dispatcher&, Agreement*) { FAIL(); }));
    end.set_value();
    starpu_task_wait_for_all();
    EXPECT_TRUE(with_dispatcher(0, 1s, [](Dispatcher&, Agreement*) {}));
    set_dispatcher(0, nullptr);
}

TEST(Policy, RefusesADispatcherUnderAnotherPolicy) {
    setenv("STARPU_SCHED", "eager", 1);
    PlainStarpu starpu(1, nullptr);
    EXPECT_THROW(set_dispatcher(0, nullptr), std::logic_error);
    unsetenv("STARPU_SCHED");
}

}  // namespace
}  // namespace rrfp
