#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace rrfp {

enum class ElementType { float32, float64, int64 };

std::size_t size_of(ElementType type);
/// `float32[12]`.
std::string describe(ElementType type, std::size_t count);

namespace detail {
template <class T>
inline constexpr ElementType element_type = {};
template <>
inline constexpr ElementType element_type<float> = ElementType::float32;
template <>
inline constexpr ElementType element_type<double> = ElementType::float64;
template <>
inline constexpr ElementType element_type<std::int64_t> = ElementType::int64;
}  // namespace detail

/// Contiguous elements that belong to the caller, in memory that the backend reaches (host memory
/// for MPI).
struct Elements {
    void* data = nullptr;
    std::size_t count = 0;
    ElementType type = ElementType::float32;

    Elements(void* elements, std::size_t number, ElementType kind)
        : data(elements), count(number), type(kind) {}
    template <class T>
    Elements(std::span<T> values)
        : Elements(values.data(), values.size(), detail::element_type<T>) {}
};

/// The same, only read.
struct ConstElements {
    const void* data = nullptr;
    std::size_t count = 0;
    ElementType type = ElementType::float32;

    ConstElements(const void* elements, std::size_t number, ElementType kind)
        : data(elements), count(number), type(kind) {}
    ConstElements(Elements values) : ConstElements(values.data, values.count, values.type) {}
    template <class T>
    ConstElements(std::span<const T> values)
        : ConstElements(values.data(), values.size(), detail::element_type<T>) {}
    template <class T>
    ConstElements(std::span<T> values) : ConstElements(std::span<const T>(values)) {}
};

}  // namespace rrfp
