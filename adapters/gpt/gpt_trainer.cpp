#include "adapters/gpt/gpt_trainer.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <fmt/format.h>

#include "adapters/autograd/group_functions.h"
#include "adapters/files/sha256.h"
#include "adapters/gpt/optimizer/gradient_buckets.h"
#include "adapters/gpt/optimizer/learning_rate.h"

namespace rrfp {
namespace {

/// Of one reduction over replicas, 4 MiB: large enough for its latency not to matter, small enough
/// for the first to be over while later ones are posted.
constexpr std::size_t reduction_elements = std::size_t{1} << 20;

constexpr const char* steps_note = "optimizer_steps";

FileIdentity identity_of(const FileDigest& digest) {
    return {.bytes = static_cast<std::int64_t>(digest.bytes), .sha256 = digest.sha256};
}

GptBuild gpt_build(const Job& job, const Placement& placement, std::span<const int> stages) {
    const bool reads_text = stages.front() == 0 || stages.back() == placement.stages() - 1;
    return {.shape = {.layers = job.model.layers,
                      .hidden = job.model.hidden,
                      .heads = job.model.heads,
                      .sequence = job.model.sequence,
                      .vocabulary = text_vocabulary},
            .layers = job.layers_of_stages(),
            .microbatch_size = job.train.microbatch_size,
            .seed = job.train.seed,
            .dropout = job.model.dropout,
            .text = reads_text ? std::make_shared<const TextData>(job.data, job.model.sequence)
                               : nullptr};
}

std::span<std::byte> bytes_of(const at::Tensor& tensor) {
    return {static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes()};
}

std::uint64_t number(const TensorFileNotes& notes, const std::string& name,
                     const std::string& file) {
    const auto found = notes.find(name);
    std::uint64_t value = 0;
    if (found != notes.end()) {
        const char* end = found->second.data() + found->second.size();
        const auto parsed = std::from_chars(found->second.data(), end, value);
        if (parsed.ec == std::errc() && parsed.ptr == end) return value;
    }
    throw std::runtime_error(fmt::format("{}: its note `{}` is missing or no number", file, name));
}

}  // namespace

GptTrainer::GptTrainer(const Job& job, int rank, const RankGroups& groups)
    : train_(job.train),
      evaluation_microbatches_(job.evaluation_microbatches()),
      replica_(groups.data.empty() ? 0 : groups.data.front()->rank()),
      parameters_(job.train.seed, TensorGroup(groups.tensor, job.parallel.sequence_parallel)),
      program_({.last_stage = job.pipeline().last_stage(),
                .microbatches = job.train.microbatches * job.parallel.data,
                .recompute = job.model.recompute,
                .split_weight = job.schedule.split_weight,
                .threads = job.parallel.threads}) {
    // Of this thread, whose sums (the gradient's norm) must not depend on the machine's cores.
    at::set_num_threads(job.parallel.threads);
    if (job.model.tied_embeddings) {
        parameters_.tie(
            {.copy = head_weight, .original = embedding_weight, .holders = groups.tied});
    }
    add_stages(job, rank, groups);
    optimizer_ = std::make_unique<AdamW>(parameters_.all(),
                                         AdamWOptions{.beta1 = train_.beta1,
                                                      .beta2 = train_.beta2,
                                                      .epsilon = train_.epsilon,
                                                      .weight_decay = train_.weight_decay});
}

void GptTrainer::add_stages(const Job& job, int rank, const RankGroups& groups) {
    const Placement placement = job.placement();
    const std::span<const int> stages = placement.stages_of(rank);
    const GptBuild build = gpt_build(job, placement, stages);
    std::vector<GradientReduction::Chunk> chunks;
    for (std::size_t chunk = 0; chunk < stages.size(); ++chunk) {
        const std::size_t before = parameters_.all().size();
        program_.add_stage(stages[chunk],
                           std::make_unique<GptStage>(build, stages[chunk], parameters_));
        buckets_.push_back(bucket_gradients(parameters_.all().subspan(before), reduction_elements));
        if (groups.data.empty()) continue;
        chunks.push_back({.group = groups.data.at(chunk), .buckets = {}});
        for (at::Tensor& bucket : buckets_.back()) {
            chunks.back().buckets.push_back(elements_of(bucket));
        }
    }
    if (groups.data.empty()) return;
    reduction_.emplace(std::move(chunks));
    advancing_.emplace(program_, *reduction_);
}

StageProgram& GptTrainer::program() {
    if (advancing_) return *advancing_;
    return program_;
}

void GptTrainer::begin_iteration(std::uint64_t, bool evaluate) {
    const int microbatches = evaluate ? evaluation_microbatches_ : train_.microbatches;
    program_.begin_iteration(evaluate, replica_ * microbatches);
    parameters_.zero_gradients();
}

double GptTrainer::loss_sum() const {
    return parameters_.group().rank() == 0 ? program_.loss_sum() : 0;
}

void GptTrainer::chunk_finished(int chunk) {
    if (reduction_) reduction_->start(chunk);
}

void GptTrainer::finish_gradients() {
    if (reduction_) reduction_->finish();
    parameters_.finish_gradients();
}

void GptTrainer::optimizer_step(std::uint64_t iteration, double gradient_scale) {
    const LearningRates rates{.highest = train_.learning_rate,
                              .lowest = train_.min_learning_rate,
                              .warmup = train_.warmup_iterations,
                              .iterations = train_.iterations};
    optimizer_->step(learning_rate_at(rates, iteration), gradient_scale);
}

std::vector<std::pair<std::string, std::string>> GptTrainer::parameter_digests() const {
    std::vector<std::pair<std::string, std::string>> digests;
    const TensorGroup& group = parameters_.group();
    for (const Parameter& parameter : parameters()) {
        const at::Tensor whole =
            parameter.cut ? join_cut(parameter.value, *parameter.cut, group) : parameter.value;
        if (group.rank() != 0) continue;
        const std::span<std::byte> bytes = bytes_of(whole);
        digests.emplace_back(parameter.weight(), sha256_hex(bytes.data(), bytes.size()));
    }
    std::ranges::sort(digests);
    return digests;
}

FileIdentity GptTrainer::save(const std::string& file,
                              const std::map<std::string, std::string>& notes) const {
    TensorFileNotes all = notes;
    all[steps_note] = std::to_string(optimizer_->steps());
    return identity_of(write_tensor_file(file, state(), all));
}

FileIdentity GptTrainer::load(const std::string& file) {
    const TensorFileFacts facts = read_tensor_file(file, state());
    optimizer_->set_steps(number(facts.notes, steps_note, file));
    return identity_of(facts.digest);
}

std::vector<NamedTensor> GptTrainer::state() const {
    std::vector<NamedTensor> tensors;
    for (std::size_t i = 0; i < parameters().size(); ++i) {
        const auto& [name, value, cut, original] = parameters()[i];
        const AdamW::Moments& moments = optimizer_->moments()[i];
        const std::vector<std::int64_t> shape = value.sizes().vec();
        tensors.push_back({name, shape, bytes_of(value)});
        tensors.push_back({name + ".first_moment", shape, bytes_of(moments.first)});
        tensors.push_back({name + ".second_moment", shape, bytes_of(moments.second)});
    }
    return tensors;
}

std::unique_ptr<Trainer> make_gpt_trainer(const Job& job, int rank, const RankGroups& groups) {
    check_gpt_model(job);
    return std::make_unique<GptTrainer>(job, rank, groups);
}

}  // namespace rrfp
