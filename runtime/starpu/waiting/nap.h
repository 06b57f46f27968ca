#pragma once

namespace rrfp {

/// Makes StarPU-MPI's polling sleep 30 us whenever ten cycles in a row have found nothing: what is
/// left to a StarPU without progress hooks. It acts through MPI's profiling interface, where
/// StarPU-MPI partly holds its progress lock, so naps must stay short: an idle rank uses about a
/// tenth of a core, and a message waits up to a nap.
///
/// Throws std::runtime_error when StarPU-MPI does not call our MPI_Test, as in a plug-in that is
/// loaded after MPI.
void enable_naps();

/// Polls without pause again.
void disable_naps();

}  // namespace rrfp
