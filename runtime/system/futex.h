#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace rrfp::futex {

using Word = std::atomic<std::uint32_t>;
static_assert(sizeof(Word) == 4 && Word::is_always_lock_free);

/// Sleeps while `word` equals `seen`, at most `timeout`; may return early. The kernel compares and
/// goes to sleep as one step, so a change followed by `wake` is never missed. Works between
/// processes that share the word's page. True when woken, or when the word had changed already.
bool wait(const Word& word, std::uint32_t seen, std::chrono::nanoseconds timeout);

/// Wakes every sleeper on `word`, in any process. Safe in a signal handler.
void wake(const Word& word);

}  // namespace rrfp::futex
