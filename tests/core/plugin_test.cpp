// Invariant: an arbiter of a plugin takes part as the library's own do; a plugin that cannot is
// refused before anything starts, by its path, the loader's reason and what to do; an arbiter that
// fails is an error that names the plugin, and nothing ever runs in its name.

#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "runtime/core/plugin_loader.h"
#include "runtime/core/schedule_options.h"
#include "tests/support/plugins.h"
#include "tests/support/scratch_folder.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto F = TaskKind::forward;
constexpr auto B = TaskKind::backward;
constexpr auto W = TaskKind::weight_gradient;

template <typename Error, typename Call>
std::string error_of(Call&& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

std::string refusal(const std::string& path) {
    return error_of<std::invalid_argument>([&] { ArbiterPlugin::load(path); });
}

Pipeline one_rank(bool split = false) {
    return {.placement = Placement::loop(1), .microbatches = 3, .split_weight = split};
}

std::unique_ptr<Dispatcher> dispatcher_of(const std::string& arbiter,
                                          const Pipeline& pipeline = one_rank(),
                                          HintOrder hint = {}) {
    const ScheduleOptions options{.arbiter = arbiter,
                                  .hint = std::move(hint),
                                  .limits = std::vector<int>(pipeline.placement.ranks(), 2),
                                  .plugin = ArbiterPlugin::load(test_plugin("arbiters"))};
    validate(pipeline, options);
    auto made = make_dispatcher(pipeline, 0, options);
    made->begin_iteration();
    return made;
}

/// Runs to the end of what is ready; each forward makes its backward ready.
std::vector<std::string> run(Dispatcher& dispatcher) {
    std::vector<std::string> actions;
    while (const auto task = dispatcher.choose()) {
        actions.push_back(to_action(*task));
        dispatcher.completed(*task, 1);
        if (task->kind == F) {
            dispatcher.ready({B, 0, task->microbatch});
        }
        if (task->kind == B && dispatcher.state().pipeline().split_weight) {
            dispatcher.ready({W, 0, task->microbatch});
        }
    }
    return actions;
}

TEST(Plugin, ItsArbiterRunsAsTheLibrarysOwn) {
    for (const bool split : {false, true}) {
        std::vector<std::string> by_bf;
        for (const std::string arbiter : {"bf", "alternate"}) {
            const auto dispatcher = dispatcher_of(arbiter, one_rank(split));
            for (int microbatch = 0; microbatch < 3; ++microbatch) {
                dispatcher->ready({F, 0, microbatch});
            }
            const auto actions = run(*dispatcher);
            EXPECT_EQ(actions.size(), split ? 9U : 6U);
            if (arbiter == "bf") {
                by_bf = actions;
            } else {
                EXPECT_EQ(actions, by_bf);
            }
        }
    }
}

TEST(Plugin, ItsArbiterSeesTheHint) {
    const HintOrder hint = {{{F, 0, 2}, {B, 0, 2}, {F, 0, 0}, {F, 0, 1}, {B, 0, 1}, {B, 0, 0}}};
    const auto follow = dispatcher_of("follow", one_rank(), hint);
    for (int microbatch = 0; microbatch < 3; ++microbatch) {
        follow->ready({F, 0, microbatch});
    }
    EXPECT_THAT(run(*follow), ElementsAre("0F2", "0B2", "0F0", "0F1", "0B1", "0B0"));
    EXPECT_THAT(error_of<std::invalid_argument>([] { dispatcher_of("follow"); }),
                HasSubstr("needs a hint"));
}

TEST(Plugin, SaysWhichOfItsArbitersRanksOfAGroupMayEachAsk) {
    const auto plugin = ArbiterPlugin::load(test_plugin("arbiters"));
    EXPECT_FALSE(plugin->find("alternate")->local);
    EXPECT_TRUE(plugin->find("hesitant")->local);
    EXPECT_EQ(plugin->find("bf"), nullptr);
}

TEST(PluginR17, AMissingFileIsRefused) {
    EXPECT_THAT(refusal("no/such/plugin.so"),
                AllOf(HasSubstr("plugin 'no/such/plugin.so'"), HasSubstr("No such file"),
                      HasSubstr("give the path")));
}

TEST(PluginR17, ANameIsNeverSearchedForInTheSystemsFolders) {
    EXPECT_THAT(refusal("libm.so.6"), HasSubstr("No such file"));
}

TEST(PluginR17, ATextFileIsRefused) {
    const std::string path = ::testing::TempDir() + "plugin_r17.so";
    std::ofstream(path) << "an arbiter, in words, and long enough to be a header of a library file";
    EXPECT_THAT(refusal(path), AllOf(HasSubstr(path), HasSubstr("invalid ELF header")));
    std::filesystem::remove(path);
}

TEST(PluginR17, AnUndefinedSymbolIsRefused) {
    EXPECT_THAT(refusal(test_plugin("broken_symbol")),
                AllOf(HasSubstr("broken_symbol.so'"), HasSubstr("a_function_that_is_nowhere"),
                      HasSubstr("links all it uses")));
}

TEST(PluginR17, ALibraryWithoutTheEntryPointIsRefused) {
    EXPECT_THAT(refusal(test_plugin("broken_entry")),
                AllOf(HasSubstr("broken_entry.so'"), HasSubstr("rrfp_plugin_entry"),
                      HasSubstr("RRFP_PLUGIN")));
}

TEST(PluginR17, AnotherAbiVersionIsRefused) {
    EXPECT_THAT(refusal(test_plugin("broken_abi")),
                AllOf(HasSubstr("broken_abi.so'"), HasSubstr("ABI 2, and this rrfp has 1"),
                      HasSubstr("build it against")));
}

TEST(PluginR17, AMisspeltArbiterListsThoseThereAre) {
    EXPECT_THAT(error_of<std::invalid_argument>([] { dispatcher_of("alternatte"); }),
                AllOf(HasSubstr("'alternatte'"), HasSubstr("known are bf"),
                      HasSubstr("arbiters.so': alternate, follow")));
}

TEST(Plugin, ATableThatIsNotFilledInIsRefused) {
    EXPECT_THAT(refusal(test_plugin("broken_taken")), HasSubstr("'bf' is taken"));
    EXPECT_THAT(refusal(test_plugin("broken_empty")), HasSubstr("registers no arbiter"));
    EXPECT_THAT(refusal(test_plugin("broken_choice")), HasSubstr("'own' lacks create, destroy or"));
    EXPECT_THAT(refusal(test_plugin("broken_size")), HasSubstr("too small a structure"));
    EXPECT_THAT(refusal(test_plugin("broken_list")), HasSubstr("1 arbiters and has no list"));
}

TEST(Plugin, OneThatKnowsFewerMembersRunsAndTheRestIsNull) {
    const auto plugin = ArbiterPlugin::load(test_plugin("broken_old"));
    const Pipeline pipeline = one_rank();
    const std::vector<Task> no_hint;
    const auto arbiter =
        plugin->find("own")->make(ArbiterSetup{.pipeline = pipeline, .hint = no_hint});
    arbiter->ready({F, 0, 0});
    EXPECT_EQ(arbiter->name().substr(0, 3), "own");
}

TEST(Plugin, ALibraryThatWasCutShortIsRefusedInsteadOfMapped) {
    namespace fs = std::filesystem;
    const rrfp::testing::ScratchFolder scratch;
    const fs::path whole = test_plugin("arbiters");
    const fs::path cut = scratch.path() / "cut.so";
    // The header alone, some segments, and all but the last byte that is mapped.
    for (const std::uintmax_t size : {std::uintmax_t{64}, fs::file_size(whole) / 2}) {
        fs::copy_file(whole, cut, fs::copy_options::overwrite_existing);
        fs::resize_file(cut, size);
        EXPECT_THAT(refusal(cut), AllOf(HasSubstr("cut.so'"), HasSubstr("is cut short"))) << size;
    }
}

TEST(Plugin, WhatIsNoRegularFileIsRefusedInsteadOfWaitedFor) {
    const rrfp::testing::ScratchFolder scratch;
    const std::string pipe = scratch.path() / "pipe.so";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_THAT(refusal(pipe), HasSubstr("is no regular file"));
    EXPECT_THAT(refusal(scratch.path()), HasSubstr("is no regular file"));
}

TEST(PluginDeathTest, AProcessThatEndsInItsCallTellsWhoseItWas) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto choose = [](const char* arbiter) {
        const auto dispatcher = dispatcher_of(arbiter);
        dispatcher->ready({F, 0, 0});
        dispatcher->choose();
    };
    EXPECT_EXIT(choose("crashing"), ::testing::KilledBySignal(SIGSEGV),
                "arbiter 'crashing \\(plugin .*arbiters.so\\)': the process ends in choose, by "
                "signal SIGSEGV");
    EXPECT_EXIT(choose("leaving"), ::testing::ExitedWithCode(1),
                "'leaving .*: the process ends in choose, which calls exit");
}

TEST(Plugin, WhatItThrowsNamesIt) {
    const auto failing = dispatcher_of("failing");
    failing->ready({F, 0, 0});
    EXPECT_THAT(error_of<std::runtime_error>([&] { run(*failing); }),
                AllOf(HasSubstr("'failing (plugin "), HasSubstr("arbiters.so"),
                      HasSubstr("in dispatched: out of ideas")));
    const Pipeline two{.placement = Placement::loop(2), .microbatches = 1};
    EXPECT_THAT(error_of<std::runtime_error>([&] { dispatcher_of("picky", two); }),
                AllOf(HasSubstr("in create: wants one rank, not 2")));
}

TEST(Plugin, AChoiceThatIsNoCandidateNamesIt) {
    const auto stray = dispatcher_of("stray");
    stray->ready({F, 0, 1});
    EXPECT_THAT(error_of<std::logic_error>([&] { stray->choose(); }),
                AllOf(HasSubstr("'stray (plugin "), HasSubstr("0B0, which is not ready")));
}

TEST(PluginR18, AWaitIsFollowedByAnotherQuestion) {
    const auto hesitant = dispatcher_of("hesitant");
    hesitant->ready({F, 0, 0});
    EXPECT_EQ(hesitant->choose(), std::nullopt);
    EXPECT_EQ(hesitant->choose(), (Task{F, 0, 0}));
}

}  // namespace
}  // namespace rrfp
