#include "adapters/jobs/run/rank_run.h"

#include <exception>
#include <map>
#include <string>

#include "adapters/collectives/confirm.h"
#include "adapters/jobs/run/rank_loop.h"
#include "runtime/starpu/failing/life_sign.h"
#include "runtime/starpu/runtime.h"

namespace rrfp {
namespace {

Waiting waiting_of(const std::string& word) {
    static const std::map<std::string, Waiting> words = {{"auto", Waiting::automatic},
                                                         {"doorbell", Waiting::doorbell},
                                                         {"nap", Waiting::nap},
                                                         {"spin", Waiting::spin}};
    return words.at(word);
}

RuntimeOptions runtime_options(const Job& job, const RunHooks& hooks) {
    return {.waiting = waiting_of(job.schedule.waiting),
            .watchdog_seconds = job.watchdog_seconds,
            .watchdog_key = "[watchdog] seconds",
            .trace_folder = hooks.trace_folder};
}

void confirm(const Plan& plan) {
    try {
        confirm_alike(shared_facts(plan));
    } catch (const RanksDiffer& differ) {
        throw RunStopped(differ.what());
    }
}

}  // namespace

std::optional<RunResult> run_rank(const Job& job, const Plan& plan, const RunHooks& hooks) {
    std::exception_ptr stopped;
    std::optional<RunResult> result;
    {
        Runtime runtime(runtime_options(job, hooks));
        // Outlives the handlers: after a failure the worker may still be in one of its tasks.
        std::optional<RankLoop> loop;
        try {
            confirm(plan);
            loop.emplace(job, plan, hooks, runtime);
            result = loop->run();
            if (result && hooks.finished) {
                const InPhase phase(Phase::report);
                hooks.finished(*result);
            }
        } catch (const RunStopped&) {
            // Every rank knows: an orderly end. Left to fly, it would abort the job in ~Runtime.
            stopped = std::current_exception();
        } catch (const std::exception& error) {
            // The peers wait for this rank's messages and would wait for ever.
            runtime.abort(1, std::string("rrfp: ") + error.what());
        }
    }
    if (stopped) {
        std::rethrow_exception(stopped);
    }
    return result;
}

}  // namespace rrfp
