#include "adapters/autograd/backward_split.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/variable.h>

namespace rrfp {
namespace {

using torch::autograd::Edge;
using torch::autograd::edge_list;
using torch::autograd::Node;
using NodeSet = std::unordered_set<const Node*>;

/// The ends of the way to the inputs; an invalid edge for an input that takes no gradient.
edge_list ends_at(const std::vector<at::Tensor>& inputs) {
    edge_list ends;
    for (const at::Tensor& input : inputs) {
        const bool leaf = input.defined() && input.requires_grad();
        ends.push_back(leaf ? torch::autograd::impl::gradient_edge(input) : Edge());
    }
    return ends;
}

/// A graph below its roots, with the way back from each node to those that lead to it.
class Graph {
  public:
    explicit Graph(const edge_list& roots) {
        for (const Edge& root : roots) visit(root.function);
        while (!unexplored_.empty()) {
            const std::shared_ptr<Node> node = std::move(unexplored_.back());
            unexplored_.pop_back();
            for (const Edge& next : node->next_edges()) {
                if (!next.is_valid()) continue;
                visit(next.function);
                users_[next.function.get()].push_back(node.get());
            }
        }
    }

    /// In the order of their discovery, which the graph alone decides.
    const std::vector<std::shared_ptr<Node>>& nodes() const { return nodes_; }

    /// Those from which one of `ends` is reached, the ends themselves included.
    NodeSet leading_to(const edge_list& ends) const {
        NodeSet found;
        std::vector<const Node*> waiting;
        for (const Edge& end : ends) {
            if (end.is_valid() && seen_.contains(end.function.get())) {
                waiting.push_back(end.function.get());
            }
        }
        while (!waiting.empty()) {
            const Node* node = waiting.back();
            waiting.pop_back();
            if (!found.insert(node).second) continue;
            if (const auto users = users_.find(node); users != users_.end()) {
                waiting.insert(waiting.end(), users->second.begin(), users->second.end());
            }
        }
        return found;
    }

  private:
    void visit(const std::shared_ptr<Node>& node) {
        if (!seen_.insert(node.get()).second) return;
        nodes_.push_back(node);
        unexplored_.push_back(node);
    }

    NodeSet seen_;
    std::vector<std::shared_ptr<Node>> nodes_;
    std::vector<std::shared_ptr<Node>> unexplored_;
    std::unordered_map<const Node*, std::vector<const Node*>> users_;
};

bool leaves(const Node& node, const NodeSet& input_nodes) {
    for (const Edge& next : node.next_edges()) {
        if (next.is_valid() && !input_nodes.contains(next.function.get())) return true;
    }
    return false;
}

/// The input nodes that lead to parameters as well.
std::vector<std::shared_ptr<Node>> forks(const Graph& graph, const NodeSet& input_nodes) {
    std::vector<std::shared_ptr<Node>> result;
    for (const std::shared_ptr<Node>& node : graph.nodes()) {
        if (input_nodes.contains(node.get()) && leaves(*node, input_nodes)) result.push_back(node);
    }
    return result;
}

edge_list edges_into(const std::vector<std::shared_ptr<Node>>& nodes) {
    edge_list edges;
    for (const std::shared_ptr<Node>& node : nodes) {
        for (std::uint32_t i = 0; i < node->num_inputs(); ++i) edges.emplace_back(node, i);
    }
    return edges;
}

NodeSet set_of(const std::vector<std::shared_ptr<Node>>& nodes) {
    NodeSet set;
    for (const std::shared_ptr<Node>& node : nodes) set.insert(node.get());
    return set;
}

/// Removes the edges to input nodes. Not by set_next_edge, which only builds graphs.
void cut(Node& fork, const NodeSet& input_nodes) {
    for (Edge& next : fork.next_edges()) {
        if (next.is_valid() && input_nodes.contains(next.function.get())) next = Edge();
    }
}

std::vector<at::Tensor> execute(const BackwardRoots& roots, bool keep_graph,
                                const edge_list& collected) {
    return torch::autograd::Engine::get_default_engine().execute(
        roots.edges, roots.gradients, keep_graph, /*create_graph=*/false,
        /*accumulate_grad=*/collected.empty(), collected);
}

}  // namespace

void BackwardRoots::add(Edge edge, at::Tensor gradient) {
    edges.push_back(std::move(edge));
    gradients.push_back(std::move(gradient));
}

void accumulate_gradients(const BackwardRoots& roots) {
    if (!roots.edges.empty()) execute(roots, /*keep_graph=*/false, {});
}

InputGradients split_backward(BackwardRoots roots, const std::vector<at::Tensor>& inputs) {
    const Graph graph(roots.edges);
    const edge_list ends = ends_at(inputs);
    const NodeSet input_nodes = graph.leading_to(ends);
    const auto forking = forks(graph, input_nodes);

    InputGradients result{.gradients = std::vector<at::Tensor>(inputs.size()), .weights = {}};
    for (std::size_t i = 0; i < roots.edges.size(); ++i) {
        if (input_nodes.contains(roots.edges[i].function.get())) continue;
        result.weights.add(roots.edges[i], roots.gradients[i]);
    }
    if (input_nodes.empty()) return result;

    // In one list what enters each fork, then what reaches the inputs.
    edge_list collected = edges_into(forking);
    const std::size_t entering = collected.size();
    std::ranges::copy_if(ends, std::back_inserter(collected), &Edge::is_valid);
    const std::vector<at::Tensor> values = execute(roots, /*keep_graph=*/true, collected);
    for (std::size_t i = 0; i < entering; ++i) {
        if (values[i].defined()) result.weights.add(collected[i], values[i]);
    }
    auto value = values.begin() + static_cast<std::ptrdiff_t>(entering);
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (ends[i].is_valid()) result.gradients[i] = *value++;
    }
    for (const std::shared_ptr<Node>& fork : forking) cut(*fork, input_nodes);
    // Freed here by name: what a fork has saved may itself hold the way to it.
    const NodeSet kept = set_of(forking);
    for (const std::shared_ptr<Node>& node : graph.nodes()) {
        if (input_nodes.contains(node.get()) && !kept.contains(node.get())) {
            node->release_variables();
        }
    }
    return result;
}

}  // namespace rrfp
