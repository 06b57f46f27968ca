#pragma once

namespace rrfp {

/// Which thread is StarPU's compute worker.
enum class WorkerThread {
    own,     ///< one that StarPU starts
    calling  ///< the thread that constructs the Runtime, while it is in PipelineRunner::run
};

}  // namespace rrfp
