#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/starpu/failing/life_sign.h"
#include "runtime/system/descriptor.h"

namespace rrfp {

/// The life signs of a job's ranks in memory of the process that launches them. It has no name, so
/// nothing is left behind: ranks of the launcher's node reach it through /proc while that lives.
class LifeSigns {
  public:
    /// The variable that tells ranks where the life signs are. Its value is that of no other job,
    /// so it also tells whose process one is.
    static constexpr const char* variable = "RRFP_LIFE_SIGNS";

    /// Throws std::runtime_error that names the call.
    explicit LifeSigns(int ranks);
    ~LifeSigns();
    LifeSigns(const LifeSigns&) = delete;
    LifeSigns& operator=(const LifeSigns&) = delete;

    /// The variable's value.
    std::string mark() const;
    /// Nothing for a rank that has not shown itself: another node's, or one that has not got there.
    std::optional<LifeReading> read(int rank) const;

  private:
    Descriptor file_;
    LifeSign* signs_ = nullptr;
    int ranks_;
    std::int64_t created_ns_;
};

/// From here on this process is `rank`, whose launcher sees its life sign where there is one that
/// looks. Call it once, before threads start.
void show_life_sign(int rank);

}  // namespace rrfp
