#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "adapters/jobs/job/job.h"
#include "adapters/plan/file_identity.h"

namespace rrfp {

/// Which sample of a text: everything that its draw depends on.
struct SampleKey {
    std::uint64_t seed = 0;
    std::uint64_t iteration = 0;
    std::uint64_t microbatch = 0;  ///< over all replicas
    std::uint64_t sample = 0;      ///< within the microbatch
};

/// A text as byte tokens (256 of them: `text_vocabulary`), cut into a training part and, at its
/// end, a validation part. A sample is a window whose place depends on its key alone: every rank
/// draws its own inputs and targets, and no order of work changes them. Immutable.
class TextData {
  public:
    /// Reads the file at `path`. The last `validation_fraction` of its bytes are for validation; 0
    /// leaves none. A sample has `sequence` + 1 bytes: inputs, and targets one further.
    /// Throws std::invalid_argument, naming path and remedy, when the file cannot be read, is
    /// empty, holds NUL bytes (is no text) or its training part is shorter than a sample.
    TextData(const std::string& path, double validation_fraction, int sequence);
    /// The text of `data`, which must still hold what it held when the job was checked, where that
    /// is known; std::invalid_argument says both otherwise.
    TextData(const DataSection& data, int sequence);

    /// What the file held.
    FileIdentity identity() const { return identity_of(text_); }

    /// The window of a training sample, `sequence` + 1 bytes.
    std::span<const std::uint8_t> train(const SampleKey& key) const;
    /// The window of a validation sample. It does not depend on the iteration, so that evaluations
    /// along a training compare the same text. Throws as `require_validation`.
    std::span<const std::uint8_t> validation(const SampleKey& key) const;

    /// Throws std::invalid_argument, naming path and remedy, when the validation part is shorter
    /// than a sample.
    void require_validation() const;

    std::span<const std::uint8_t> train_part() const;
    std::span<const std::uint8_t> validation_part() const;

  private:
    void require(const char* part, std::size_t bytes) const;

    std::string path_;
    double validation_fraction_;
    std::string text_;
    std::size_t train_bytes_;
    std::size_t window_;
};

}  // namespace rrfp
