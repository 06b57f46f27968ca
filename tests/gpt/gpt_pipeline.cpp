#include "tests/gpt/gpt_pipeline.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <set>
#include <thread>
#include <unistd.h>

#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

#include "runtime/core/pipeline.h"
#include "tests/support/scratch_folder.h"

namespace rrfp::test {
namespace {

std::string text_file() {
    static const testing::ScratchFolder folder;
    const std::string path = folder.file("text.txt");
    std::ofstream file(path);
    for (int line = 0; line < 200; ++line) {
        file << "line " << line * line << ": the quick brown fox jumps over " << line << " dogs\n";
    }
    return path;
}

Task forward_of(int stage, int microbatch) { return {TaskKind::forward, stage, microbatch}; }
Task backward_of(int stage, int microbatch) { return {TaskKind::backward, stage, microbatch}; }

}  // namespace

Job small_job(int pipeline) {
    static const std::string text = text_file();
    Job job;
    job.data.text = text;
    job.model.layers = 4;
    job.model.hidden = 16;
    job.model.heads = 2;
    job.model.sequence = 12;
    job.parallel.pipeline = pipeline;
    job.train.microbatches = 6;
    job.train.microbatch_size = 3;
    job.train.seed = 11;
    return job;
}

std::vector<Task> gpipe_order(int stages, int microbatches) {
    std::vector<Task> order;
    for (int s = 0; s < stages; ++s) {
        for (int m = 0; m < microbatches; ++m) order.push_back(forward_of(s, m));
    }
    for (int s = stages - 1; s >= 0; --s) {
        for (int m = 0; m < microbatches; ++m) order.push_back(backward_of(s, m));
    }
    return order;
}

std::vector<Task> depth_first_order(int stages, int microbatches) {
    std::vector<Task> order;
    for (int m = 0; m < microbatches; ++m) {
        for (int s = 0; s < stages; ++s) order.push_back(forward_of(s, m));
        for (int s = stages - 1; s >= 0; --s) order.push_back(backward_of(s, m));
    }
    return order;
}

std::vector<Task> random_order(int stages, int microbatches, std::uint64_t seed,
                               bool ordered_backwards) {
    const Pipeline pipeline{.placement = Placement::loop(stages), .microbatches = microbatches};
    std::vector<Task> waiting = gpipe_order(stages, microbatches);
    std::vector<Task> order;
    std::set<Task> done;
    std::mt19937_64 random(seed);
    const auto ready = [&](const Task& task) {
        const FewTasks inputs = pipeline.predecessors(task);
        std::vector<Task> before(inputs.begin(), inputs.end());
        if (ordered_backwards && task.kind == TaskKind::backward && task.microbatch > 0) {
            before.push_back(backward_of(task.stage, task.microbatch - 1));
        }
        return std::ranges::all_of(before, [&](const Task& other) { return done.contains(other); });
    };
    while (!waiting.empty()) {
        std::vector<Task> choices;
        std::ranges::copy_if(waiting, std::back_inserter(choices), ready);
        const Task chosen = choices.at(random() % choices.size());
        std::erase(waiting, chosen);
        done.insert(chosen);
        order.push_back(chosen);
    }
    return order;
}

std::vector<Task> split(const std::vector<Task>& order, WeightOrder weights) {
    std::vector<Task> result;
    std::vector<Task> late;
    for (const Task& task : order) {
        result.push_back(task);
        if (task.kind != TaskKind::backward) continue;
        const Task weight{TaskKind::weight_gradient, task.stage, task.microbatch};
        (weights == WeightOrder::at_once ? result : late).push_back(weight);
    }
    std::ranges::sort(late);
    result.insert(result.end(), late.begin(), late.end());
    return result;
}

GptPipeline::GptPipeline(const Job& job, Collectives* tensor_group, Collectives* replicas)
    : job_(job), tensor_group_(tensor_group), placement_(job.placement()) {
    const bool apart = placement_.rank_of(0) != placement_.rank_of(placement_.stages() - 1);
    if (job.model.tied_embeddings && apart) tied_ = std::make_unique<ThreadPair>();
    for (int rank = 0; rank < placement_.ranks(); ++rank) {
        ranks_.push_back(std::make_unique<GptTrainer>(job, rank, groups(rank, replicas)));
    }
}

RankGroups GptPipeline::groups(int rank, Collectives* replicas) {
    RankGroups groups{.tensor = tensor_group_, .data = {}};
    if (replicas) groups.data.assign(placement_.chunks(rank), replicas);
    if (!tied_) return groups;
    if (rank == placement_.rank_of(0)) groups.tied = &tied_->member(0);
    if (rank == placement_.rank_of(placement_.stages() - 1)) groups.tied = &tied_->member(1);
    return groups;
}

void GptPipeline::finish_gradients() {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks(); ++rank) {
        if (tied_ && groups(rank, nullptr).tied) {
            threads.emplace_back([this, rank] { ranks_[rank]->finish_gradients(); });
        } else {
            ranks_[rank]->finish_gradients();
        }
    }
}

StageProgram& GptPipeline::program(int stage) {
    return ranks_[placement_.rank_of(stage)]->program();
}

void GptPipeline::compute(const std::vector<Task>& order, std::uint64_t iteration) {
    std::map<std::pair<int, int>, TensorList> outputs;    // by stage and microbatch
    std::map<std::pair<int, int>, TensorList> gradients;  // of a stage's inputs, likewise
    for (auto& rank : ranks_) rank->begin_iteration(iteration, false);
    for (const Task& task : order) {
        const auto& [kind, stage, microbatch] = task;
        const TensorList inputs = stage > 0 ? outputs.at({stage - 1, microbatch}) : TensorList{};
        const TaskContext context{.task = task, .iteration = iteration};
        if (kind == TaskKind::forward) {
            outputs[{stage, microbatch}] = program(stage).forward(context, inputs);
            continue;
        }
        const bool last = stage == placement_.stages() - 1;
        const TensorList& incoming =
            last ? outputs.at({stage, microbatch}) : gradients.at({stage + 1, microbatch});
        if (kind == TaskKind::backward) {
            gradients[{stage, microbatch}] = program(stage).backward(context, inputs, incoming);
        } else {
            program(stage).weight_gradient(context, inputs, incoming);
        }
    }
    for (int rank = 0; rank < ranks(); ++rank) {
        for (int chunk = 0; chunk < placement_.chunks(rank); ++chunk) {
            ranks_[rank]->chunk_finished(chunk);
        }
    }
    finish_gradients();
}

void GptPipeline::evaluate(int microbatches) {
    for (auto& rank : ranks_) rank->begin_iteration(0, true);
    for (int m = 0; m < microbatches; ++m) {
        TensorList values;
        for (int s = 0; s < placement_.stages(); ++s) {
            values = program(s).forward({.task = forward_of(s, m), .iteration = 0}, values);
        }
    }
}

void GptPipeline::step(std::uint64_t iteration) {
    double squares = 0;
    for (auto& rank : ranks_) squares += rank->gradient_square_sum();
    if (tensor_group_) tensor_group_->all_reduce(std::span(&squares, 1), Reduction::sum);
    const double norm = std::sqrt(squares);
    const double scale = norm > job_.train.clip_norm ? job_.train.clip_norm / norm : 1;
    for (auto& rank : ranks_) rank->optimizer_step(iteration, scale);
}

double GptPipeline::loss() const {
    return ranks_[placement_.rank_of(placement_.stages() - 1)]->loss_sum() /
           job_.train.microbatches;
}

at::Tensor GptPipeline::whole(const at::Tensor& part, const std::optional<Cut>& cut) const {
    return cut ? join_cut(part, *cut, TensorGroup(tensor_group_, false)) : part;
}

std::map<std::string, at::Tensor> GptPipeline::parameters() const {
    std::map<std::string, at::Tensor> result;
    for (const auto& rank : ranks_) {
        for (const auto& [name, value, cut, original] : rank->parameters()) {
            result[name] = whole(value, cut);
        }
    }
    return result;
}

std::map<std::string, at::Tensor> GptPipeline::gradients() const {
    std::map<std::string, at::Tensor> result;
    for (const auto& rank : ranks_) {
        for (const auto& [name, value, cut, original] : rank->parameters()) {
            result[name] = whole(value.grad(), cut).clone();
        }
    }
    return result;
}

std::vector<std::pair<std::string, std::string>> GptPipeline::digests() const {
    std::vector<std::pair<std::string, std::string>> result;
    for (const auto& rank : ranks_) {
        const auto part = rank->parameter_digests();
        result.insert(result.end(), part.begin(), part.end());
    }
    std::ranges::sort(result);
    return result;
}

}  // namespace rrfp::test
