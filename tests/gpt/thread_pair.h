#pragma once

#include <array>
#include <barrier>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "adapters/collectives/collectives.h"

namespace rrfp::test {

/// Two ranks as two threads of one process, as far as tied weights need a group: sums of floats.
class ThreadPair {
  public:
    ThreadPair() : members_{Member(*this, 0), Member(*this, 1)} {}
    ThreadPair(const ThreadPair&) = delete;
    ThreadPair& operator=(const ThreadPair&) = delete;

    /// For the thread of rank 0, and of rank 1.
    Collectives& member(int rank) { return members_.at(static_cast<std::size_t>(rank)); }

  private:
    using Floats = std::span<float>;

    class Sum : public Operation {
      public:
        Sum(ThreadPair& pair, int rank, Floats own) : pair_(pair), rank_(rank), own_(own) {}
        bool finished() override { throw std::logic_error("a pair's sum is only waited for"); }
        void wait() override {
            pair_.values_[rank_] = own_;
            pair_.both_.arrive_and_wait();
            const Floats other = pair_.values_[1 - rank_];
            std::vector<float> sum;
            for (std::size_t i = 0; i < own_.size(); ++i) sum.push_back(own_[i] + other[i]);
            pair_.both_.arrive_and_wait();
            std::copy(sum.begin(), sum.end(), own_.begin());
        }

      private:
        ThreadPair& pair_;
        int rank_;
        Floats own_;
    };

    class Member : public Collectives {
      public:
        Member(ThreadPair& pair, int rank) : pair_(&pair), rank_(rank) {}
        int rank() const override { return rank_; }
        int size() const override { return 2; }
        std::unique_ptr<Operation> start_all_reduce(Elements values, Reduction) override {
            const Floats floats(static_cast<float*>(values.data), values.count);
            return std::make_unique<Sum>(*pair_, rank_, floats);
        }
        std::unique_ptr<Operation> start_all_gather(ConstElements, Elements) override { none(); }
        std::unique_ptr<Operation> start_reduce_scatter(ConstElements, Elements,
                                                        Reduction) override {
            none();
        }
        std::unique_ptr<Operation> start_broadcast(Elements, int) override { none(); }

      private:
        [[noreturn]] static void none() { throw std::logic_error("a pair sums, and no more"); }
        ThreadPair* pair_;
        int rank_;
    };

    std::barrier<> both_{2};
    std::array<Floats, 2> values_;
    std::array<Member, 2> members_;
};

}  // namespace rrfp::test
