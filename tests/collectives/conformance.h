#pragma once

// What every backend of Collectives promises, as tests over a factory. A backend joins with a file
// that includes this one and instantiates `CollectivesConformance` with its factory, on 2 and on 4
// ranks.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "adapters/collectives/collectives.h"
#include "tests/mpi/mpi_environment.h"

namespace rrfp::testing {

struct CollectivesBackend {
    std::string name;
    std::function<std::unique_ptr<Collectives>(std::span<const int> world_ranks)> make;
};

class CollectivesConformance : public ::testing::TestWithParam<CollectivesBackend> {
  protected:
    static int world() { return MpiEnvironment::mpi().ranks(); }
    static int own() { return MpiEnvironment::mpi().rank(); }

    static std::vector<int> everyone() {
        std::vector<int> ranks(static_cast<std::size_t>(world()));
        std::iota(ranks.begin(), ranks.end(), 0);
        return ranks;
    }
    std::unique_ptr<Collectives> group_of(const std::vector<int>& ranks) const {
        return GetParam().make(ranks);
    }
    std::unique_ptr<Collectives> group() const { return group_of(everyone()); }
};

/// Differs from rank to rank and place to place, and sums are inexact in float.
inline float element(int rank, std::size_t place) {
    return std::sin(static_cast<float>(place + 1) * 0.37F + static_cast<float>(rank) * 1.7F);
}

inline std::vector<float> elements_of(int rank, std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = element(rank, i);
    return values;
}

/// Small, and beyond what MPI sends at once.
inline constexpr std::size_t counts[] = {1, 7, 50000};

TEST_P(CollectivesConformance, all_reduce_sums_over_all_ranks) {
    const auto collectives = group();
    for (const std::size_t count : counts) {
        std::vector<float> values = elements_of(own(), count);
        collectives->all_reduce(std::span(values), Reduction::sum);
        for (std::size_t i = 0; i < count; ++i) {
            double expected = 0;
            for (int rank = 0; rank < world(); ++rank) expected += element(rank, i);
            ASSERT_NEAR(values[i], expected, 1e-6 * world()) << "element " << i << " of " << count;
        }
    }
}

TEST_P(CollectivesConformance, all_reduce_takes_the_maximum) {
    const auto collectives = group();
    for (const std::size_t count : counts) {
        std::vector<float> values = elements_of(own(), count);
        collectives->all_reduce(std::span(values), Reduction::max);
        for (std::size_t i = 0; i < count; ++i) {
            float expected = element(0, i);
            for (int rank = 1; rank < world(); ++rank) {
                expected = std::max(expected, element(rank, i));
            }
            ASSERT_EQ(values[i], expected) << "element " << i << " of " << count;
        }
    }
}

TEST_P(CollectivesConformance, doubles_and_integers_are_reduced_in_their_own_precision) {
    const auto collectives = group();
    std::vector<double> doubles = {1 + 1e-12 * own()};
    collectives->all_reduce(std::span(doubles), Reduction::sum);
    const int ranks = world();
    EXPECT_NEAR(doubles[0], ranks + 1e-12 * (ranks * (ranks - 1) / 2.0), 1e-14);

    const std::int64_t large = (std::int64_t{1} << 53) + 1;  // no double
    std::vector<std::int64_t> integers = {large * own(), large};
    collectives->all_reduce(std::span(integers), Reduction::max);
    EXPECT_EQ(integers[0], large * (ranks - 1));
    EXPECT_EQ(integers[1], large);
}

TEST_P(CollectivesConformance, a_reduction_gives_every_rank_the_same_bits_each_time) {
    const auto collectives = group();
    for (const std::size_t count : counts) {
        std::vector<float> first = elements_of(own(), count);
        collectives->all_reduce(std::span(first), Reduction::sum);
        std::vector<float> again = elements_of(own(), count);
        collectives->all_reduce(std::span(again), Reduction::sum);
        ASSERT_EQ(first, again);

        std::vector<float> all(count * static_cast<std::size_t>(world()));
        collectives->all_gather(std::span(first), std::span(all));
        for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], first[i % count]);
    }
}

TEST_P(CollectivesConformance, all_gather_puts_parts_in_the_order_of_the_group) {
    std::vector<int> backwards = everyone();
    std::ranges::reverse(backwards);
    const auto collectives = group_of(backwards);
    EXPECT_EQ(collectives->rank(), world() - 1 - own());
    EXPECT_EQ(collectives->size(), world());
    for (const std::size_t count : counts) {
        const std::vector<float> mine = elements_of(own(), count);
        std::vector<float> all(count * backwards.size());
        collectives->all_gather(std::span(mine), std::span(all));
        for (std::size_t i = 0; i < all.size(); ++i) {
            ASSERT_EQ(all[i], element(backwards[i / count], i % count));
        }
    }
}

TEST_P(CollectivesConformance, reduce_scatter_gives_each_rank_its_part_of_the_sum) {
    const auto collectives = group();
    const auto parts = static_cast<std::size_t>(world());
    for (const std::size_t count : counts) {
        const std::vector<float> all = elements_of(own(), count * parts);
        std::vector<float> mine(count);
        collectives->reduce_scatter(std::span(all), std::span(mine), Reduction::sum);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t place = static_cast<std::size_t>(own()) * count + i;
            double expected = 0;
            for (int rank = 0; rank < world(); ++rank) expected += element(rank, place);
            ASSERT_NEAR(mine[i], expected, 1e-6 * world()) << "element " << i << " of " << count;
        }
    }
}

TEST_P(CollectivesConformance, broadcast_copies_from_any_root) {
    const auto collectives = group();
    for (int root = 0; root < world(); ++root) {
        for (const std::size_t count : counts) {
            std::vector<float> values = elements_of(own(), count);
            collectives->broadcast(std::span(values), root);
            ASSERT_EQ(values, elements_of(root, count));
        }
    }
}

TEST_P(CollectivesConformance, operations_overlap_and_are_finished_in_any_order) {
    const auto collectives = group();
    constexpr std::size_t buckets = 5;
    std::vector<std::vector<float>> values;
    std::vector<std::unique_ptr<Operation>> operations;
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
        values.emplace_back(1000 * (bucket + 1), static_cast<float>(bucket + 1));
        operations.push_back(
            collectives->start_all_reduce(std::span(values.back()), Reduction::sum));
    }
    for (std::size_t i = 0; i < buckets; ++i) {
        const std::size_t bucket = own() % 2 == 0 ? i : buckets - 1 - i;
        operations[bucket]->wait();
        EXPECT_TRUE(operations[bucket]->finished()) << "it stays finished";
        const float expected = static_cast<float>(world()) * static_cast<float>(bucket + 1);
        for (const float value : values[bucket]) ASSERT_EQ(value, expected);
    }
}

TEST_P(CollectivesConformance, groups_of_the_same_world_do_not_mix) {
    const int pair = own() / 2;
    const auto mine = group_of({2 * pair, 2 * pair + 1});
    const auto all = group();
    ASSERT_EQ(mine->size(), 2);
    std::vector<float> pair_sum = {static_cast<float>(own())};
    std::vector<float> world_sum = {1};
    // The two orders would cross if the groups shared their messages.
    const auto first = all->start_all_reduce(std::span(world_sum), Reduction::sum);
    mine->all_reduce(std::span(pair_sum), Reduction::sum);
    first->wait();
    EXPECT_EQ(pair_sum[0], static_cast<float>(4 * pair + 1));
    EXPECT_EQ(world_sum[0], static_cast<float>(world()));
}

TEST_P(CollectivesConformance, a_group_of_one_returns_what_it_was_given) {
    const auto alone = group_of({own()});
    const std::vector<float> expected = elements_of(own(), 7);
    std::vector<float> values = expected;
    alone->all_reduce(std::span(values), Reduction::sum);
    EXPECT_EQ(values, expected);
    std::vector<float> copy(7);
    alone->all_gather(std::span(values), std::span(copy));
    EXPECT_EQ(copy, expected);
    copy.assign(7, 0);
    alone->reduce_scatter(std::span(values), std::span(copy), Reduction::sum);
    EXPECT_EQ(copy, expected);
}

TEST_P(CollectivesConformance, what_does_not_fit_is_refused_before_anything_is_sent) {
    const auto collectives = group();
    std::vector<float> part(3);
    std::vector<float> whole(3 * static_cast<std::size_t>(world()) + 1);
    std::vector<double> other(3 * static_cast<std::size_t>(world()));
    EXPECT_THROW(collectives->all_gather(std::span(part), std::span(whole)), std::invalid_argument);
    EXPECT_THROW(collectives->all_gather(std::span(part), std::span(other)), std::invalid_argument);
    EXPECT_THROW(collectives->reduce_scatter(std::span(whole), std::span(part), Reduction::sum),
                 std::invalid_argument);
    EXPECT_THROW(collectives->broadcast(std::span(part), world()), std::invalid_argument);
    EXPECT_THROW(collectives->broadcast(std::span(part), -1), std::invalid_argument);
    // Still in step with each other.
    std::vector<float> values = {1};
    collectives->all_reduce(std::span(values), Reduction::sum);
    EXPECT_EQ(values[0], static_cast<float>(world()));
}

TEST_P(CollectivesConformance, groups_that_cannot_be_are_refused) {
    EXPECT_THROW(group_of({}), std::invalid_argument);
    EXPECT_THROW(group_of({own(), own()}), std::invalid_argument);
    EXPECT_THROW(group_of({own(), world()}), std::invalid_argument);
    EXPECT_THROW(group_of({own(), -1}), std::invalid_argument);
    EXPECT_THROW(group_of({(own() + 1) % world()}), std::invalid_argument);
}

}  // namespace rrfp::testing
