#pragma once

#include <initializer_list>
#include <optional>

namespace rrfp {

/// The product of whole numbers of 0 or more; none where one is negative or it does not fit
/// `Number`. For sizes that come from outside: a product that wraps is a small size with a large
/// meaning.
template <typename Number>
constexpr std::optional<Number> checked_product(std::initializer_list<Number> factors) {
    Number product = 1;
    for (const Number factor : factors) {
        if (factor < Number{0} || __builtin_mul_overflow(product, factor, &product)) {
            return std::nullopt;
        }
    }
    return product;
}

}  // namespace rrfp
