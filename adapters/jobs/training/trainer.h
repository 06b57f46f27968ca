#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapters/collectives/collectives.h"
#include "adapters/jobs/job/job.h"
#include "adapters/plan/file_identity.h"
#include "codelets/stage_program.h"

namespace rrfp {

/// The groups that a rank trains in, itself among them; null or empty where it would be alone. They
/// live longer than the trainer.
struct RankGroups {
    Collectives* tensor = nullptr;  ///< the ranks that share its layers
    /// The ranks that hold its parameters, one a replica: a group for each chunk, since replicas
    /// may finish their chunks in different orders.
    std::vector<Collectives*> data;
    /// The two ranks that hold the first stage and the last, where their embeddings are tied.
    Collectives* tied = nullptr;
};

/// The part of a model that one pipeline rank trains: its stages as a StageProgram, its data, its
/// optimizer. Implemented over libtorch (adapters/torch) behind this header, so that only those
/// files see torch. Calls come from the main thread between iterations, or from the compute worker
/// within one, never both at once.
class Trainer {
  public:
    virtual ~Trainer() = default;

    virtual StageProgram& program() = 0;
    /// Zeroes gradients and losses; the program then expects the microbatches of `iteration`. With
    /// `evaluate` the validation split is read, dropout is off and nothing is kept for a backward.
    virtual void begin_iteration(std::uint64_t iteration, bool evaluate) = 0;
    /// The most bytes that the program has kept at once between backwards and their weight
    /// gradients in this iteration, beside what the rank has received; 0 where the backward is not
    /// split.
    virtual std::int64_t weight_bytes_high_water() const = 0;
    /// Sum over the microbatches of their mean losses, in microbatch order; 0 off the last stage,
    /// and on every rank but the first of a tensor group.
    virtual double loss_sum() const = 0;
    /// On the compute worker, once the gradients of a chunk are complete at this rank in this
    /// iteration: starts to sum them over replicas, and returns.
    virtual void chunk_finished(int chunk) = 0;
    /// Once all tasks of an iteration have ended: waits for the sums over replicas, then makes the
    /// gradients whole where ranks of the tensor group, or of tied weights, each hold a part of a
    /// sum. Collective over these groups.
    virtual void finish_gradients() = 0;
    /// Sum of squares of this rank's gradients, already divided by the number of microbatches.
    /// Every weight counts at one rank of the tensor group, and a tied one at one of its holders:
    /// the ranks' sums add up to the model's.
    virtual double gradient_square_sum() const = 0;
    /// One AdamW step at the learning rate of `iteration` with gradients times `gradient_scale`.
    virtual void optimizer_step(std::uint64_t iteration, double gradient_scale) = 0;
    /// (weight's name, SHA-256 of its bytes as lower-case hex), sorted by name; of a tied weight
    /// every copy, by the one name, since they must be equal. Parameters that a
    /// tensor group divides are joined; its first rank has them all, the others none. Collective
    /// over that group.
    virtual std::vector<std::pair<std::string, std::string>> parameter_digests() const = 0;

    /// Writes this rank's parameters and optimizer state to `file`, with `notes` in its header, and
    /// returns what the file then holds, without reading it. Throws std::runtime_error naming file
    /// and reason.
    virtual FileIdentity save(const std::string& file,
                              const std::map<std::string, std::string>& notes) const = 0;
    /// Reads what `save` wrote, and returns what the file held: where that is not what was expected
    /// this rank must not go on. std::runtime_error naming file, parameter, expected and found
    /// shape when it is of another model; nothing has changed then.
    virtual FileIdentity load(const std::string& file) = 0;
};

/// The trainer of pipeline rank `rank` for a gpt job, one of `groups`. Throws
/// std::invalid_argument for what the data or the model section make impossible (missing, binary or
/// too short text; layers not divisible).
std::unique_ptr<Trainer> make_gpt_trainer(const Job& job, int rank, const RankGroups& groups = {});

/// Checks the sizes of a gpt job without building a model. Throws std::invalid_argument for the
/// first that make none; a job file's are checked key by key before.
void check_gpt_model(const Job& job);

/// Reads the text of a gpt job and says what it held. Throws std::invalid_argument, with path and
/// remedy, for a missing, binary or too short one.
FileIdentity check_text(const Job& job);

}  // namespace rrfp
