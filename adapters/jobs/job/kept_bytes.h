#pragma once

#include <cstdint>

#include "adapters/jobs/job/job.h"

namespace rrfp {

/// About how many bytes one microbatch in flight keeps at a stage of pipeline rank `rank`, the
/// largest of them: what D counts there.
///
/// A timed stage keeps what it received, an activation and a gradient: 2 `message_bytes`. A stage
/// of a gpt keeps a gradient and, for each layer, what autograd saves: 16 float32 values a token
/// and hidden unit (the inputs of two normalisations and of the products behind them, query, key,
/// value and what attention makes of them, twice 4 in the MLP), with dropout 2 more; the last one
/// also the inputs of its last normalisation and of the head, and its probabilities over the
/// vocabulary. Of these a tensor group divides 12 and the
/// probabilities, with sequence parallelism the normalisations' inputs too. With recomputation a
/// stage keeps an activation and a gradient.
///
/// With a split backward a microbatch counts until its weight gradient, and a layer then keeps 20
/// values, recomputed or not: the inputs of normalisations and products (9), and the gradients of
/// their results (11), and the last stage one more. Of these a tensor group divides 12, with
/// sequence parallelism 4 more. On the first stage, whose whole backward is the weight gradient, it
/// is the 16 above. At most 2^63 - 1, whatever the sizes.
std::int64_t bytes_in_flight(const Job& job, int rank);

}  // namespace rrfp
