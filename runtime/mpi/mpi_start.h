#pragma once

namespace rrfp {

/// MPI with MPI_THREAD_MULTIPLE from here to the end of this object, unless somebody else has
/// initialised it, who then finalises it, too. Both ends are collective. Where processes may not
/// read each other's memory, Open MPI is told so by an environment variable that it reads.
class MpiStart {
  public:
    /// Throws std::runtime_error when MPI gives less than MPI_THREAD_MULTIPLE.
    MpiStart();
    ~MpiStart();
    MpiStart(const MpiStart&) = delete;
    MpiStart& operator=(const MpiStart&) = delete;

  private:
    bool finalize_ = false;
};

}  // namespace rrfp
