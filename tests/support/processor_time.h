#pragma once

#include <stdexcept>

#include <sys/resource.h>

namespace rrfp::testing {

/// Processor time, of user and kernel, from the making of this object on: of all threads of the
/// process, or of the thread that makes it and asks.
class ProcessorTime {
  public:
    enum class Of { process, thread };
    explicit ProcessorTime(Of of) : who_(of == Of::process ? RUSAGE_SELF : RUSAGE_THREAD) {}

    double used_s() const { return so_far_s() - begin_s_; }

  private:
    double so_far_s() const {
        rusage usage{};
        if (getrusage(who_, &usage) != 0) throw std::logic_error("getrusage failed");
        const auto seconds = [](const timeval& time) {
            return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
        };
        return seconds(usage.ru_utime) + seconds(usage.ru_stime);
    }

    int who_;
    double begin_s_ = so_far_s();
};

}  // namespace rrfp::testing
